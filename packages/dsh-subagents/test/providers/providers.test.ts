import { describe, expect, it } from 'vitest';
import { forkProvider, spawnProvider } from '../../src/index.ts';
import { program } from '../program.ts';

const { signal } = new AbortController();

describe('the providers', () => {
  it('[M7 M50] have names of their own or those that they are given', () => {
    expect([spawnProvider().name, forkProvider().name]).toEqual(['spawn', 'fork']);
    expect([spawnProvider({ name: 'a' }).name, forkProvider({ name: 'b' }).name]).toEqual(['a', 'b']);
  });

  it('[M38] say what they can do: a fork has no persona', () => {
    expect(spawnProvider().capabilities.persona).toBe(true);
    expect(forkProvider().capabilities.persona).toBe(false);
  });

  it('[M50] start fresh, or with what the parent had when its last turn ended', async () => {
    const p = await program({ scripts: { main: ['One.', 'Two.', { text: 'Three', hold: 'open' }] } });
    const { agent: parent } = await p.root();
    const request = { sessionId: parent.id, parent, signal };
    expect(await spawnProvider().prepareContinuable!(request)).toEqual({});
    expect(await forkProvider().prepareContinuable!(request)).toEqual({});
    for (const content of ['a', 'b']) {
      parent.followup({ content, source: { kind: 'user' } });
      await parent.whenIdle();
    }
    const { length } = parent.session;
    expect(parent.session.events().at(-1)).toMatchObject({ type: 'turn/end' });
    parent.followup({ content: 'c', source: { kind: 'user' } });
    await Promise.resolve();
    await Promise.resolve();
    expect(parent.session.turnOpen).toBe(true);
    expect(await forkProvider().prepareContinuable!(request)).toEqual({ seed: { session: 'root', length } });
    expect(await spawnProvider().prepareContinuable!(request)).toEqual({});
  });

  it('[M50] take what a fork inherited along', async () => {
    const p = await program({ scripts: { main: ['One.', 'Two.'] } });
    const { agent: parent } = await p.root();
    parent.followup({ content: 'a', source: { kind: 'user' } });
    await parent.whenIdle();
    await using run = await p.runtime.start('fork', { label: 'x', prompt: 'Go.', parent });
    const child = p.agents.get(run.id)!;
    const prepared = await forkProvider().prepareContinuable!({
      sessionId: parent.id,
      parent: child,
      signal,
    });
    expect(prepared).toEqual({ seed: { session: child.id, length: parent.session.length } });
    await run.result;
  });
});
