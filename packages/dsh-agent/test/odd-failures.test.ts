/** Whatever a model or a tool throws is an ordinary event: one end of the turn, one result, a text that says something. */
import { deferred } from '@dsh-internal/async';
import { expect, it } from 'vitest';
import type { Model } from '../src/model.ts';
import { logOf, openWorld, say, tool } from './agent-world.ts';

/** Even to look at it throws. */
const veiled = (about: object): unknown =>
  new Proxy(about, {
    get() {
      throw new Error('not to be looked at');
    },
  });
function failing(reason: unknown): Promise<never> {
  const gate = deferred<never>();
  gate.reject(reason);
  return gate.promise;
}

const bare: unknown = Object.create(null);
const wordless = Object.assign(new Error('x'), { message: undefined });

const thrown: readonly (readonly [string, unknown, string])[] = [
  ['null', null, 'null'],
  ['nothing', undefined, 'undefined'],
  ['a text', 'out of luck', 'out of luck'],
  ['an object with a message', { message: 'out of luck' }, 'out of luck'],
  ['an object that is no text', bare, 'it cannot be shown'],
  ['an error without a code', new Error('out of luck'), 'out of luck'],
  ['an error without a message', wordless, 'Error'],
  ['a veiled error', veiled(new Error('x')), 'it cannot be shown'],
  ['a veiled object', veiled({}), 'it cannot be shown'],
];

it.each(thrown)(
  'ends the turn where a model throws %s, and goes on [A11 A12 A15]',
  async (_name, error, text) => {
    let asked = 0;
    const model: Model = {
      id: 'odd',
      async *stream() {
        asked += 1;
        if (asked === 1) await failing(error);
        yield { type: 'text', delta: 'well' };
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const { registry } = await openWorld({ models: () => model });
    const { agent } = await registry.create();
    agent.followup(say('m1'));
    agent.followup(say('m2'));
    await agent.whenIdle();
    expect(agent.session.events().find(({ type }) => type === 'turn/end')?.data).toEqual({
      turn: 0,
      reason: { kind: 'error', code: 'MODEL_FAILED', message: `nothing answered: odd failed: ${text}` },
    });
    expect(logOf(agent.session).at(-1)).toBe('end 1 completed');
  },
);

it.each(thrown)('answers a call whose tool throws %s, and goes on [A14]', async (_name, error, text) => {
  const { registry, tools } = await openWorld({ script: [{ calls: [{ tool: 'odd' }] }, 'well'] });
  tools.register(tool('odd', () => failing(error)));
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session).slice(-3)).toEqual([
    `result odd error: odd failed: ${text}`,
    'assistant well',
    'end 0 completed',
  ]);
});
