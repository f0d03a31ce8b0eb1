/** Hooks of programs without types: what says nothing is nothing, and what says something unknown is a failure. */
import { expect, it } from 'vitest';
import type { Model } from '../src/model.ts';
import { logOf, openWorld, say, tool } from './agent-world.ts';

async function logWith(
  hooks: object,
): Promise<{ readonly log: readonly string[]; readonly reason: unknown }> {
  const { registry, tools } = await openWorld({
    script: [{ calls: [{ tool: 't' }] }, 'well'],
    hooks,
  });
  tools.register(tool('t', () => 'ok'));
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  return { log: logOf(agent.session), reason: agent.session.events().at(-1)?.data };
}

it('a hook that says null says nothing [A19]', async () => {
  const nothing = (): null => null;
  const { log } = await logWith({
    beforeStep: nothing,
    beforeRequest: nothing,
    beforeToolCall: nothing,
    afterToolCall: nothing,
  });
  expect(log.slice(-4)).toEqual(['start t', 'result t ok: ok', 'assistant well', 'end 0 completed']);
});

it.each([{ kind: 'later' }, {}, 5, 'defer'])(
  'a decision that is none ends the turn: %j [A19]',
  async (decision) => {
    const { reason } = await logWith({ beforeStep: () => decision });
    expect(reason).toEqual({
      turn: 0,
      reason: {
        kind: 'error',
        code: 'HOOK_FAILED',
        message: 'hook beforeStep failed: it decided nothing that is known',
      },
    });
  },
);

it('an output of a hook that cannot be kept says that the tool did not run [A14 A19]', async () => {
  const { log } = await logWith({ beforeToolCall: () => ({ content: 5 }) });
  expect(log.slice(2, 4)).toEqual([
    'assistant <tool-call>',
    'result t error: t was not run, and what a hook gave in its place could not be kept: content is no array',
  ]);
});

it('an answer is kept although members of its usage are undefined [A12]', async () => {
  const model: Model = {
    id: 'loose',
    async *stream() {
      yield { type: 'text', delta: 'well' };
      const usage = { inputTokens: 3, outputTokens: 2, cachedInputTokens: undefined };
      yield { type: 'finish', reason: 'stop', usage: usage as never };
    },
  };
  const { registry } = await openWorld({ models: () => model });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(agent.session.history().at(-1)).toMatchObject({ usage: { inputTokens: 3, outputTokens: 2 } });
  expect(logOf(agent.session).at(-1)).toBe('end 0 completed');
});
