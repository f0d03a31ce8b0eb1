import { describe, expect, it } from 'vitest';
import { live } from '../rig/tree.ts';
import { id, openWorld, text } from '../rig/world.ts';
import { addDeafTool, call } from './tools.ts';

const timeouts = { disposalMs: 5_000 };

describe('past the one deadline', () => {
  it('a child whose tool heeds nothing is sealed and gone; a message finds one new Activation, and nothing of the old reaches the log [O11 A23 M28 M31]', async () => {
    const world = await openWorld({ subagents: { timeouts }, scripts: { kiwi: [call('deaf'), 'fresh'] } });
    const deaf = addDeafTool(world);
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    const { session } = live(world, 'kiwi');
    const stopped = world.host.stopChildren(id('root'), [id('kiwi')]).catch((error: unknown) => error);
    await world.rest();
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('again'));
    await world.rest();
    expect(world.log).not.toContain('start kiwi again');
    world.clock.advance(5_000);
    expect(await stopped).toMatchObject({ code: 'ACTIVATION_TEARDOWN_FAILED' });
    expect(session.sealed).toBe(true);
    await sent;
    deaf.late('of the old one');
    await world.runtime.whenQuiescent(id('root'));
    const lines: string[] = [];
    for await (const line of world.sessions.export(id('kiwi'))) lines.push(line);
    expect(lines.join('')).not.toContain('of the old one');
    expect(world.log.filter((line) => /^(start|end) kiwi/.test(line))).toEqual([
      ...['start kiwi', 'end kiwi teardown-failed', 'start kiwi again', 'end kiwi completed'],
    ]);
    expect(world.model('kiwi').requests).toHaveLength(2);
  });

  it('a chain of 64 whose leaf never stops is left behind leaf-first, in one span and with every level reported [O12 M31]', async () => {
    const names = Array.from({ length: 64 }, (_, index) => `n${index}`);
    const limits = { maxDepth: 64 };
    const scripts = Object.fromEntries(names.map((name) => [name, [{ text: name, hold: 'end' }]]));
    const world = await openWorld({
      subagents: { timeouts, limits },
      scripts: { ...scripts, n63: [call('deaf')] },
    });
    addDeafTool(world);
    let parent = (await world.root()).agent;
    for (const name of names) {
      await world.start(parent, name);
      parent = live(world, name);
    }
    await world.rest();
    const drained = world.runtime.drain().catch((error: unknown) => error);
    await world.rest();
    const before = world.log.length;
    let gone: readonly string[] = [];
    world.runtime.on('subagent/end', () => {
      if (gone.length === 0) gone = world.log.slice(before).filter((line) => line.startsWith('gone'));
    });
    world.clock.advance(5_000);
    const failure = await drained;
    expect(gone).toEqual(names.toReversed().map((name) => `gone ${name}`));
    const told = (failure as Error).message;
    for (const name of names) expect(told).toContain(name);
    expect(world.agents.list().map((agent) => agent.id)).toEqual(['root']);
  });
});
