/** What callers hand over that is none, and what they change afterwards. */
import { describe, expect, it } from 'vitest';
import type { OneShotRequest, SubagentProvider } from '../src/index.ts';
import { spawnProvider } from '../src/index.ts';
import { heldDriver } from './rig/held-driver.ts';
import { containing, id, openWorld, text } from './rig/world.ts';

async function withKiwi() {
  const world = await openWorld();
  const root = await world.root();
  await world.start(root.agent, 'kiwi');
  await world.runtime.whenQuiescent(id('root'));
  return { world, root };
}

describe('what is no id', () => {
  it.each([
    ['empty', ''],
    ['a control character', 'ki\nwi'],
    ['too long', 'k'.repeat(201)],
    ['none', undefined],
  ])('%s names nobody: it is refused like every other stranger [M12 M39 M48]', async (_name, odd) => {
    const { world, root } = await withKiwi();
    const refused = { code: 'UNAUTHORIZED', reachable: ['kiwi'], message: containing('"kiwi"') };
    const none = odd as never;
    await expect(world.runtime.interrupt(none, root.agent)).rejects.toMatchObject(refused);
    await expect(world.runtime.readTranscript(root.agent, none)).rejects.toMatchObject(refused);
    await expect(world.runtime.sendMessage(root.agent, none, text('x'))).rejects.toMatchObject(refused);
    const byHost = world.host.interrupt(none, { parentSessionId: id('root') });
    await expect(byHost).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('deletes and lists nothing, least of all everything [M48]', async () => {
    const { world, root } = await withKiwi();
    await root.dispose();
    const nobody = undefined as never;
    await expect(world.host.deleteTree(nobody)).rejects.toMatchObject({ code: 'INVALID_SESSION_ID' });
    expect((await world.sessions.head(id('kiwi'))).header.id).toBe('kiwi');
    const listed = async (): Promise<void> => {
      for await (const entry of world.runtime.listChildren(nobody)) throw new Error(`listed ${entry.id}`);
    };
    await expect(listed()).rejects.toMatchObject({ code: 'INVALID_SESSION_ID' });
  });
});

describe('what a person writes', () => {
  it('is copied at the call: what its caller changes while the child is resumed does not leak in [M45]', async () => {
    const { world } = await withKiwi();
    const content = [{ type: 'text' as const, text: 'as it was' }];
    const prompted = world.host.prompt(id('kiwi'), { parentSessionId: id('root'), content });
    content[0]!.text = 'forged';
    await prompted;
    await world.runtime.whenQuiescent(id('root'));
    expect(JSON.stringify(world.model('kiwi').requests.at(-1)?.messages)).toContain('as it was');
  });

  it.each([[' '], [[]], [null], [[{ type: 'text' }]]])(
    'is refused where it is none, and wakes nobody: %j [M45]',
    async (odd) => {
      const { world } = await withKiwi();
      const before = world.log.length;
      const prompted = world.host.prompt(id('kiwi'), { parentSessionId: id('root'), content: odd as never });
      await expect(prompted).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      expect(world.log.slice(before)).toEqual([]);
    },
  );
});

describe('a one-shot request', () => {
  it.each([
    ['a filter with an unknown member', { toolFilter: { permit: ['x'] } }],
    ['a filter with a text for a list', { toolFilter: { allow: 'x' } }],
    ['a label that is none', { label: undefined }],
    ['a depth that is no count', { maxDepth: 'x' }],
    ['a blank prompt', { prompt: ' ' }],
    ['a schema that is none', { outputSchema: 5 }],
  ])('with %s is refused before anything begins [M11 M49]', async (_name, wrong) => {
    const world = await openWorld();
    const { agent: parent } = await world.root();
    const request = { label: 'x', prompt: 'Go.', parent, ...wrong } as OneShotRequest;
    await expect(world.runtime.start('spawn', request)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(world.log).toEqual([]);
  });
});

describe('a provider', () => {
  const odd = (part: object) => ({ ...spawnProvider({ name: 'odd' }), ...part });

  it.each([[undefined], [null], ['text'], [{ id: 'x' }]])(
    'that gives %j for a run has failed [M7]',
    async (given) => {
      const world = await openWorld();
      const { agent: parent } = await world.root();
      world.runtime.registerProvider(odd({ start: () => Promise.resolve(given) }));
      const run = world.runtime.start('odd', { label: 'x', prompt: 'Go.', parent });
      await expect(run).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    },
  );

  it('that gives a text for a creation spec has failed, and no fresh child is started in its place [M7]', async () => {
    const world = await openWorld();
    const root = await world.root();
    world.runtime.registerProvider(odd({ prepareContinuable: () => Promise.resolve('fork') }));
    const started = world.start(root.agent, 'kiwi', { provider: 'odd' });
    await expect(started).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(world.log).toEqual([]);
  });

  it('that fails after it has run an agent leaves none behind [M5 M49]', async () => {
    const world = await openWorld({ scripts: { x: [{ text: 'x', hold: 'end' }] } });
    const { agent: parent } = await world.root();
    const start: SubagentProvider['start'] = async ({ runAgent }) => {
      await runAgent({});
      throw new Error('changed its mind');
    };
    world.runtime.registerProvider(odd({ start }));
    const run = world.runtime.start('odd', { label: 'x', prompt: 'Go.', parent });
    await expect(run).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(world.agents.list()).toEqual([parent]);
  });

  it('is not registered where it does not say what it can do [M7]', async () => {
    const { runtime } = await openWorld();
    for (const wrong of [undefined, odd({ capabilities: undefined }), odd({ capabilities: null })])
      expect(() => runtime.registerProvider(wrong as never)).toThrow(/^Not registered: /);
  });
});

it('takes the ids of children and messages from the port for them, and its own from the port for chance [M6]', async () => {
  let made = 0;
  const counted = await openWorld({ subagents: { newId: () => `made-${String((made += 1))}` } });
  const request = { prompt: 'Go.', parent: (await counted.root()).agent };
  const { childId, messageId } = await counted.runtime.startContinuable({
    provider: 'spawn',
    label: 'x',
    request,
  });
  expect([childId, messageId].every((given) => given.startsWith('made-'))).toBe(true);
  const byChance = async () => {
    const world = await openWorld({ subagents: { random: () => 0.6 } });
    const { agent: parent } = await world.root();
    return world.runtime.startContinuable({
      provider: 'spawn',
      label: 'x',
      request: { prompt: 'Go.', parent },
    });
  };
  const first = await byChance();
  expect(first.childId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await byChance()).toEqual(first);
});

it('stops nobody who took an absent id while the host’s choice was looked up [M44]', async () => {
  const driver = heldDriver();
  const held = [{ text: 'at work', hold: 'end' }];
  const world = await openWorld({ wrapDriver: driver.wrap, scripts: { kiwi: held } });
  const [root, stranger] = [await world.root(), await world.root('stranger')];
  let [looks, release] = [0, (): void => undefined];
  driver.watch('head', () => {
    looks += 1;
    // The first is free, and nobody has the id.
    if (looks === 2) release = driver.hold('head');
  });
  const stopped = world.host.stopChildren(root.agent.id, [id('kiwi'), id('plum')]);
  await world.rest();
  await world.start(stranger.agent, 'kiwi');
  release();
  await stopped;
  await world.rest();
  expect(world.agents.get(id('kiwi'))?.status).toBe('running');
});

it('a refusal names children that can be written to, whether stored or not, and no one-shots [M12]', async () => {
  const driver = heldDriver();
  const held = [{ text: 'at work', hold: 'end' }];
  const world = await openWorld({ wrapDriver: driver.wrap, scripts: { plum: held } });
  const root = await world.root();
  await world.start(root.agent, 'kiwi');
  for (let round = 0; round < 11; round += 1) {
    world.clock.advance(1);
    const run = await world.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent: root.agent });
    await run.result;
    await run.dispose();
  }
  await world.runtime.whenQuiescent(id('root'));
  driver.hold('append');
  world.clock.advance(1);
  await world.start(root.agent, 'plum');
  await expect(world.runtime.sendMessage(root.agent, id('nobody'), text('x'))).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    reachable: ['plum', 'kiwi'],
  });
});
