/** What refuses a stranger tells whom the asker reaches, and waits for no store that never answers (M12, M14, M17). */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { id, openWorld, text, type World } from '../rig/world.ts';

const asks = {
  send: (world: World, asker: Agent, signal: AbortSignal) =>
    world.runtime.sendMessage(asker, asker.id, text('x'), { signal }),
  interrupt: (world: World, asker: Agent, signal: AbortSignal) =>
    world.runtime.interrupt(asker.id, asker, { signal }),
  read: (world: World, asker: Agent, signal: AbortSignal) =>
    world.runtime.readTranscript(asker, asker.id, { signal }),
} as const;
const ways = Object.keys(asks) as (keyof typeof asks)[];

async function askedOfSilence(way: keyof typeof asks) {
  const held = heldDriver();
  const world = await openWorld({ wrapDriver: held.wrap });
  const root = await world.root();
  await world.start(root.agent, 'kiwi');
  await world.runtime.whenQuiescent(id('root'));
  held.hold('head');
  const caller = new AbortController();
  const seen: unknown[] = [];
  asks[way](world, root.agent, caller.signal).then(
    () => seen.push('done'),
    (error: unknown) => seen.push(error),
  );
  await world.rest();
  expect(seen).toEqual([]);
  return { world, root, caller, seen };
}

describe.each(ways)('a refused %s', (way) => {
  it('ends with its signal while whom the asker reaches is read [M12 M17]', async () => {
    const { world, caller, seen } = await askedOfSilence(way);
    const enough = new Error('enough');
    caller.abort(enough);
    await world.rest();
    expect(seen).toEqual([enough]);
  });

  it('names nobody where the asker is drained meanwhile [M12 M41]', async () => {
    const { world, seen } = await askedOfSilence(way);
    await world.runtime.drain();
    await world.rest();
    expect(seen).toMatchObject([{ code: 'UNAUTHORIZED', reachable: [] }]);
  });

  it('names nobody where the asker goes meanwhile [M12 M14]', async () => {
    const { world, root, seen } = await askedOfSilence(way);
    root.stop('disposed');
    await world.rest();
    expect(seen).toMatchObject([{ code: 'UNAUTHORIZED', reachable: [] }]);
  });
});

it('by an agent that is on its way out asks no store [M12]', async () => {
  const held = heldDriver();
  const world = await openWorld({ wrapDriver: held.wrap });
  const root = await world.root();
  await world.start(root.agent, 'kiwi');
  await world.runtime.whenQuiescent(id('root'));
  root.stop('disposed');
  held.hold('head');
  await expect(world.runtime.interrupt(root.agent.id, root.agent)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
});

it.each(['an ancestor', 'a person'])(
  'an interrupt by %s ends with its signal while the target is read [M39]',
  async (by) => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const { agent: root } = await world.root();
    held.hold('head');
    const caller = new AbortController();
    const options = { signal: caller.signal };
    const asked =
      by === 'a person'
        ? world.host.interrupt(id('stored'), { parentSessionId: root.id, ...options })
        : world.runtime.interrupt(id('stored'), root, options);
    await world.rest();
    caller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  },
);
