/** What a caller without types may hand over: every public function says by a code what is wrong, and does nothing. */
import type { MessageId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import type { AgentHandle } from '../src/agent.ts';
import { createAgentRegistry } from '../src/create-registry.ts';
import { createToolRegistry } from '../src/tool-registry.ts';
import { id, openWorld, say, type World } from './agent-world.ts';

interface At {
  readonly world: World;
  readonly handle: AgentHandle;
}
type Call = (at: At) => unknown;

const none = null as never;
const absent = undefined as never;
const spec = (more: object): never => more as never;

const calls: readonly (readonly [string, Call, string])[] = [
  [
    'createAgentRegistry(undefined)',
    () => createAgentRegistry(absent),
    'options is undefined, and not an object',
  ],
  ['defaults', () => openWorld({ defaults: { model: 'main', system: spec({}) } }), 'system is an object'],
  ['defaults null', () => openWorld({ defaults: none }), 'defaults is null'],
  ['create(null)', ({ world }) => world.registry.create(none), 'agent not created: the spec is null'],
  [
    'resume(undefined)',
    ({ world }) => world.registry.resume(absent),
    'agent not resumed: the spec is undefined',
  ],
  ['resume without an id', ({ world }) => world.registry.resume(spec({})), 'id is undefined, and not a text'],
  ['model', ({ world }) => world.registry.create(spec({ model: 5 })), 'model is 5, and not a text'],
  ['system', ({ world }) => world.registry.create(spec({ system: 5 })), 'system is 5, and not a text'],
  ['persona', ({ world }) => world.registry.create(spec({ persona: ['x'] })), 'persona is an object'],
  ['effort', ({ world }) => world.registry.create(spec({ effort: 3 })), 'effort is 3'],
  [
    'setup',
    ({ world }) => world.registry.create(spec({ setup: {} })),
    'setup is an object, and not a function',
  ],
  ['admit', ({ world }) => world.registry.create(spec({ admit: 1 })), 'admit is 1, and not a function'],
  ['start', ({ world }) => world.registry.create(spec({ start: 'later' })), 'start is later'],
  ['toolFilter', ({ world }) => world.registry.create(spec({ toolFilter: 'a' })), 'the tool filter is a'],
  [
    'allow',
    ({ world }) => world.registry.create(spec({ toolFilter: { allow: 'a' } })),
    'allow is a, and not a list',
  ],
  [
    'deny',
    ({ world }) => world.registry.create(spec({ toolFilter: { deny: [1] } })),
    'deny is an object, and not a list',
  ],
  ['beforeDispose', ({ world }) => world.registry.beforeDispose(absent), 'the hook is undefined'],
  ['registry.on', ({ world }) => world.registry.on('agent/created', none), 'the listener is null'],
  ['agent.on', ({ handle }) => handle.agent.on('agent/created', none), 'the listener is null'],
  [
    'cancel(x, null)',
    ({ handle }) => handle.agent.cancel('user', none),
    'nothing cancelled: options is null',
  ],
  ['whenIdle(null)', ({ handle }) => handle.agent.whenIdle(none), 'not waited: options is null'],
  [
    'accepted(id, null)',
    ({ handle }) => handle.agent.accepted('m1' as MessageId, none),
    'not waited: options is null',
  ],
  ['dispose(null)', ({ handle }) => handle.dispose(none), 'agent not disposed: options is null'],
  ['dispose pending', ({ handle }) => handle.dispose({ pending: spec({}) }), 'pending is an object'],
  [
    'filter(scope, null)',
    ({ world, handle }) => world.tools.filter(handle.agent, none),
    'the tool filter is null',
  ],
  ['filter(null)', ({ world }) => world.tools.filter(none, {}), 'the scope is null'],
  ['adopt(null)', ({ world, handle }) => world.tools.adopt(none, handle.agent), 'the scope is null'],
  ['schemas(null)', ({ world }) => world.tools.schemas(none), 'the scope is null'],
];

it.each(calls)(
  'refuses %s by a code, and goes on as before [A1 A20 A23 A25 A30]',
  async (_name, call, why) => {
    const world = await openWorld({ defaults: { model: 'main' } });
    const handle = await world.registry.create({ id: id('s'), start: 'held' });
    handle.agent.followup(say('m1'));
    const error: unknown = await (async () => call({ world, handle }))().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(why) as string });
    expect([world.registry.list(), handle.agent.inbox.list().length]).toEqual([[handle.agent], 1]);
    await handle.dispose();
  },
);

it.each([null, undefined, 'a tool'])('registers no tool that is %s [A30]', (tool) => {
  expect(() => createToolRegistry().register(tool as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_TOOL' }) as Error,
  );
});
