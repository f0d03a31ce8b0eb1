import { expect, it } from 'vitest';
import type { ChildEntry } from '../../src/index.ts';
import { collect } from '../memory-store.ts';
import { heldDriver } from '../rig/held-driver.ts';
import { live } from '../rig/tree.ts';
import { id, openWorld } from '../rig/world.ts';

const shown = (entries: readonly ChildEntry[]): readonly string[] =>
  entries.map((entry) =>
    entry.kind === 'child' ? `${entry.label} ${entry.live?.condition ?? ''}` : 'problem',
  );

it('a child whose task is not accepted yet is not listed: its start may be undone [M5 M48]', async () => {
  const world = await openWorld();
  const root = await world.root();
  const seen: Promise<readonly ChildEntry[]>[] = [];
  world.runtime.on('subagent/start', () => {
    seen.push(collect(world.runtime.listChildren(id('root'))));
    root.stop('user');
  });
  await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({ code: 'ACTIVATION_CLOSING' });
  expect(await Promise.all(seen)).toEqual([[]]);
});

it('a child that is at work and not on the medium yet is listed, once, and so is what is below it [M48]', async () => {
  const held = heldDriver();
  const hold = [{ text: 'at work', hold: 'end' }];
  const world = await openWorld({ wrapDriver: held.wrap, scripts: { kiwi: hold, plum: hold, seed: hold } });
  const root = await world.root();
  await world.start(root.agent, 'plum');
  await world.rest();
  const goOn = held.hold('append');
  await world.start(root.agent, 'kiwi');
  await world.start(live(world, 'kiwi'), 'seed');
  await world.rest();
  expect(shown(await collect(world.runtime.listChildren(id('root'))))).toEqual([
    'plum running',
    'kiwi running',
  ]);
  expect(shown(await collect(world.runtime.listDescendants(id('root'))))).toEqual([
    ...['plum running', 'kiwi running', 'seed running'],
  ]);
  goOn();
  await world.rest();
  const after = await collect(world.runtime.listChildren(id('root')));
  expect(after.map((entry) => entry.id).sort()).toEqual(['kiwi', 'plum']);
});
