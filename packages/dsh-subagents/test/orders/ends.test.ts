import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { chain, ends, live } from '../rig/tree.ts';
import { id, openWorld, text } from '../rig/world.ts';

const noticesTo = (log: readonly string[], parent: string): readonly string[] =>
  log.filter(
    (line) => line.startsWith(`${parent} `) && line.endsWith('subagent-settled') && !line.includes('reads'),
  );

describe('an end that meets another one', () => {
  it.each(['steered', 'injected'])(
    'a settlement closes and in the same tick the host drains below its root: the notice is %s by what holds when it is sent, and never lost [O20 M35]',
    async (way) => {
      const { world, root, release } = await chain(['kiwi']);
      let drained: Promise<void> | undefined;
      const drain = (): void => {
        drained ??= world.runtime.drainContinuableDescendants([root.agent]);
      };
      if (way === 'injected')
        live(world, 'kiwi').on('agent/status', ({ status }) => {
          if (status === 'closing') drain();
        });
      else world.runtime.on('subagent/end', drain);
      release('kiwi');
      await world.runtime.whenQuiescent(id('root'));
      await drained;
      expect(drained).toBeDefined();
      expect(noticesTo(world.log, 'root')).toEqual([
        `root ${way === 'injected' ? 'gets' : 'accepts'} subagent-settled`,
      ]);
    },
  );

  it('a background one-shot that runs when everything is drained is aborted and awaited, and nobody is told [O24 M41]', async () => {
    const world = await openWorld({ scripts: { once: [{ text: 'half', hold: 'end' }] } });
    const root = await world.root();
    const run = await world.runtime.start('spawn', { label: 'once', prompt: 'x', parent: root.agent });
    await world.rest();
    await world.runtime.drain();
    expect(await run.result).toMatchObject({ stopReason: 'aborted' });
    expect(world.agents.get(run.id)).toBeUndefined();
    expect(noticesTo(world.log, 'root')).toEqual([]);
  });

  it('the registry is disposed before the runtime: the drain of the runtime runs first, child-first [O30 A32 M41]', async () => {
    const { world } = await chain(['a', 'b', 'c']);
    await world.agents[Symbol.asyncDispose]();
    expect(ends(world)).toEqual([
      ...['gone c', 'end c aborted', 'gone b', 'end b aborted', 'gone a', 'end a aborted', 'gone root'],
    ]);
    await world.runtime.drain();
  });

  it('another process takes a child whose holder slept: outcome fenced, the lost ids are reported, and there is one history [O26 M32 S21]', async () => {
    const held = heldDriver();
    const { world, root } = await chain(['kiwi'], { wrapDriver: held.wrap });
    await world.sessions.flush(live(world, 'kiwi').session);
    const lost = await world.runtime.sendMessage(root.agent, id('kiwi'), text('never durable'));
    world.medium.expire(id('kiwi'));
    const other = await openWorld({ medium: world.medium });
    const taken = await other.sessions.open(id('kiwi'));
    await world.rest();
    world.model('kiwi').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end kiwi fenced');
    expect(JSON.stringify(world.diagnostics)).toContain(lost);
    const kinds = taken.events().map(({ type }) => type);
    expect(kinds.filter((type) => type === 'turn/end')).toHaveLength(1);
    expect(JSON.stringify(taken.events())).not.toContain('never durable');
  });
});
