import type { SubagentResult } from '@deepseek-ai/dsh-subagents';
import { describe, expect, it } from 'vitest';
import { subagentTool, type SubagentToolOptions } from '../src/index.ts';
import {
  capabilities,
  context,
  fakeRun,
  fakeRuntime,
  refusalOf,
  spawn,
  type Answers,
} from './fake-runtime.ts';

const continuable: SubagentToolOptions = {
  provider: 'spawn',
  toolName: 'subagent',
  backgroundMode: 'continuable',
};
const oneShot: SubagentToolOptions = { ...continuable, backgroundMode: 'one-shot' };
const input = { description: 'pears', prompt: 'Study pears.' };

function setUp(options: SubagentToolOptions, answers: Answers = {}) {
  const runtime = fakeRuntime(answers);
  const tool = subagentTool(runtime, options);
  const call = context();
  return { runtime, tool, call };
}

describe('making it', () => {
  it('fails where a continuable child is asked of a provider that has none [T6]', () => {
    const poor = { name: 'spawn', capabilities, start: () => Promise.reject(new Error('not asked')) };
    const runtime = fakeRuntime({ providers: [poor] });
    expect(() => subagentTool(runtime, continuable)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_CAPABILITY',
        message: 'the tool subagent was not made: provider "spawn" does not support continuable children',
      }),
    );
    expect(subagentTool(runtime, oneShot).name).toBe('subagent');
  });

  it('fails for an unknown provider, and for what the provider cannot do [T6]', () => {
    const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;
    const plain = { ...spawn, capabilities: { ...capabilities, persona: false, toolFilter: false } };
    const runtime = fakeRuntime({ providers: [plain] });
    expect(() => subagentTool(runtime, { ...continuable, provider: 'other' })).toThrow(code('NO_PROVIDER'));
    expect(() => subagentTool(runtime, { ...continuable, persona: 'a cook' })).toThrow(
      code('UNSUPPORTED_CAPABILITY'),
    );
    expect(() => subagentTool(runtime, { ...continuable, toolFilter: { deny: ['x'] } })).toThrow(
      /a tool filter/,
    );
    const old = { ...runtime, protocol: { name: 'dsh-subagents/runtime', version: 9 } as const };
    expect(() => subagentTool(old, continuable)).toThrow(code('INCOMPATIBLE'));
    for (const odd of [{ backgroundMode: 'never' }, { childKnows: 'much' }]) {
      const options = { ...continuable, ...odd } as unknown as typeof continuable;
      expect(() => subagentTool(runtime, options)).toThrow(code('INVALID_REQUEST'));
    }
  });
});

describe('a continuable child', () => {
  it('is started in the background, and named at acceptance [T6]', async () => {
    const { runtime, tool, call } = setUp({ ...continuable, model: 'm', maxDepth: 2, persona: 'a cook' });
    expect(await tool.execute(input, call)).toEqual({
      content: 'started subagent kiwi',
      structured: { kind: 'continuable', subagentId: 'kiwi' },
    });
    expect(runtime.started).toEqual([
      {
        provider: 'spawn',
        label: 'pears',
        request: { prompt: 'Study pears.', parent: call.agent, model: 'm', maxDepth: 2, persona: 'a cook' },
        signal: call.signal,
      },
    ]);
    expect(call.kept).toEqual([{ subagentId: 'kiwi' }]);
  });

  it('is a result to wait for where the background is refused, by the same provider [T6]', async () => {
    const { runtime, tool, call } = setUp(continuable);
    expect(await tool.execute({ ...input, run_in_background: false }, call)).toEqual({
      content: 'Done.',
      structured: { kind: 'one-shot', subagentId: 'kiwi', stopReason: 'completed' },
    });
    expect(runtime.started).toEqual([]);
    expect(runtime.runs).toMatchObject([{ provider: 'spawn', label: 'pears', signal: call.signal }]);
  });

  it('is a result to wait for where the agent may have none of its own [T6 M49]', async () => {
    const { runtime, tool, call } = setUp(continuable, {
      continuable: () => Promise.reject(refusalOf('UNSUPPORTED_CAPABILITY')),
    });
    expect(await tool.execute(input, call)).toHaveProperty('content', 'Done.');
    expect(runtime.runs).toHaveLength(1);
  });
});

describe('a one-shot child', () => {
  it('is waited for, kept by its id, and disposed [T6]', async () => {
    const run = fakeRun({ stopReason: 'completed', output: ' ', structured: { ripe: true } });
    const { tool, call } = setUp(oneShot, { oneShot: async () => run });
    expect(await tool.execute(input, call)).toEqual({
      content: 'The subagent has finished and left no text.',
      structured: {
        kind: 'one-shot',
        subagentId: 'kiwi',
        stopReason: 'completed',
        structured: { ripe: true },
      },
    });
    expect(call.kept).toEqual([{ subagentId: 'kiwi' }]);
    expect(run.disposals).toBe(1);
  });

  it('that fails is an error with its text so far, and is disposed too [T9]', async () => {
    const run = fakeRun({ stopReason: 'max-tokens', output: 'Pears are' });
    const { tool, call } = setUp(oneShot, { oneShot: async () => run });
    expect(await tool.execute(input, call)).toEqual({
      content:
        'Subagent kiwi did not complete its task: it ended with max-tokens. Its text so far:\n\nPears are',
      isError: true,
      structured: { kind: 'one-shot', subagentId: 'kiwi', stopReason: 'max-tokens' },
    });
    const lost = fakeRun(Promise.reject<SubagentResult>(new Error('gone')));
    expect(await setUp(oneShot, { oneShot: async () => lost }).tool.execute(input, context())).toEqual({
      content: 'Subagent kiwi could not be run to its end. It left no text.',
      isError: true,
    });
    expect([run.disposals, lost.disposals]).toEqual([1, 1]);
  });

  it('keeps its result where not all of it could be ended [T9]', async () => {
    const run = fakeRun({ stopReason: 'completed', output: 'Ripe.' });
    const stuck = { ...run, dispose: () => Promise.reject(new Error('stuck')) };
    const { tool, call } = setUp(oneShot, { oneShot: async () => stuck });
    expect(await tool.execute(input, call)).toMatchObject({ content: 'Ripe.' });
  });

  it('in the background is the runtime’s to announce and to dispose, without the signal of the call [T6]', async () => {
    const run = fakeRun(new Promise(() => undefined));
    const { runtime, tool, call } = setUp(oneShot, { oneShot: async () => run });
    expect(await tool.execute({ ...input, run_in_background: true }, call)).toEqual({
      content: 'started subagent kiwi',
      structured: { kind: 'one-shot', subagentId: 'kiwi' },
    });
    expect(runtime.runs).toMatchObject([{ announce: true }]);
    expect(runtime.runs[0]).not.toHaveProperty('signal');
    expect([call.kept, run.disposals]).toEqual([[{ subagentId: 'kiwi' }], 0]);
  });
});

it.each([
  ['a continuable child', continuable, {}],
  ['a one-shot', oneShot, {}],
  ['a one-shot in the background', oneShot, { run_in_background: true }],
])('%s that has begun is named also where the log takes no more [T6]', async (_name, options, more) => {
  const { tool } = setUp(options);
  const full = (): never => {
    throw new Error('the log takes no more');
  };
  expect(await tool.execute({ ...input, ...more }, context({ progress: full }))).not.toHaveProperty(
    'isError',
  );
});

describe('a call that starts nobody', () => {
  it('says so for an empty prompt or description [T6]', async () => {
    const { runtime, tool, call } = setUp(continuable);
    expect(await tool.execute({ ...input, prompt: ' \n' }, call)).toEqual({
      content: 'No subagent was started: the prompt is empty.',
      isError: true,
    });
    expect(await tool.execute({ ...input, description: '' }, call)).toEqual({
      content: 'No subagent was started: the description is empty.',
      isError: true,
    });
    expect([runtime.started, runtime.runs]).toEqual([[], []]);
  });

  const refusals: readonly [code: string, message: string, text: string][] = [
    ['DEPTH_EXCEEDED', 'No child was started: too deep.', 'No child was started: too deep.'],
    ['LIMIT_REACHED', 'too many', 'No subagent was started: too many'],
    ['LIMIT_REACHED', 'Not delivered: too far.', 'No subagent was started: too far.'],
    ['DRAINING', 'x', 'No subagent was started: agents are being shut down here. Do not try again.'],
    ['UNAUTHORIZED', 'x', 'No subagent was started: you are being shut down.'],
    ['ACTIVATION_CLOSING', 'x', 'No subagent was started: you are being shut down.'],
    [
      'PROVIDER_FAILED',
      'x',
      'No subagent was started: delegation does not work at present (PROVIDER_FAILED). Do this work yourself.',
    ],
    ['A_NEWER_CODE', 'x', 'No subagent was started: it was refused (A_NEWER_CODE). Do this work yourself.'],
  ];
  it.each(refusals)('says what failed: %s [T6]', async (code, message, content) => {
    const fail = () => Promise.reject(refusalOf(code, {}, message));
    const { tool, call } = setUp(continuable, { continuable: fail });
    expect(await tool.execute(input, call)).toEqual({ content, isError: true });
  });

  it('says so after a cancel and after any other failure, without a stack [T6]', async () => {
    const fail = () => Promise.reject(new Error('inside'));
    const { tool } = setUp(continuable, { continuable: fail });
    expect(await tool.execute(input, context({ signal: AbortSignal.abort() }))).toEqual({
      content: 'The call was cancelled before a subagent was started.',
      isError: true,
    });
    expect(await tool.execute(input, context())).toEqual({
      content: 'No subagent was started: the program failed. Do this work yourself.',
      isError: true,
    });
  });
});
