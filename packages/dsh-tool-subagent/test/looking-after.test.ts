import type { SessionId } from '@deepseek-ai/dsh-session';
import type { ChildEntry, DescendantEntry, TranscriptPage } from '@deepseek-ai/dsh-subagents';
import { describe, expect, it } from 'vitest';
import { interruptAgentTool, listAgentsTool, readAgentTool } from '../src/index.ts';
import { context, refusalOf } from './fake-runtime.ts';

const protocol = { name: 'dsh-subagents/runtime', version: 1 } as const;
const id = (text: string) => text as SessionId;

const child = (name: string, more: object = {}) =>
  ({
    kind: 'child',
    id: id(name),
    parentId: id('parent'),
    label: `the ${name}`,
    provider: 'spawn',
    mode: 'continuable',
    createdAt: 0,
    ...more,
  }) as ChildEntry;

async function* each<T>(entries: Iterable<T>): AsyncIterable<T> {
  yield* entries;
}

const listing = (entries: readonly (ChildEntry | DescendantEntry)[]) =>
  listAgentsTool({
    protocol,
    listChildren: () => each(entries),
    listDescendants: () => each(entries as DescendantEntry[]),
  });

describe('list_agents', () => {
  it('names the children and what they are doing [T8]', async () => {
    const tool = listing([
      child('kiwi', { live: { runId: 'r', condition: 'waiting' } }),
      child('plum', { lastOutcome: 'error' }),
      child('fig', { mode: 'one-shot' }),
      { kind: 'problem', id: id('bad'), code: 'DAMAGED_LOG', message: 'x' },
    ]);
    expect(await tool.execute({}, context())).toMatchObject({
      content: [
        'kiwi "the kiwi" (waiting)',
        'plum "the plum" (ended: error)',
        'fig "the fig" (ended, cannot be written to)',
        'bad (cannot be read: DAMAGED_LOG)',
      ].join('\n'),
      structured: { agents: [{ id: 'kiwi', condition: 'waiting' }, {}, {}, { problem: 'DAMAGED_LOG' }] },
    });
    expect(await listing([]).execute({}, context())).toHaveProperty('content', 'You have no subagents.');
  });

  it('indents what stands below, and is bounded [T8]', async () => {
    const deep = [
      { ...child('kiwi'), depth: 1 },
      { ...child('seed'), depth: 2 },
    ];
    expect(await listing(deep).execute({ scope: 'descendants' }, context())).toHaveProperty(
      'content',
      'kiwi "the kiwi" (ended)\n  seed "the seed" (ended)',
    );
    const many = Array.from({ length: 201 }, (_, at) => child(`c${at}`));
    const output = (await listing(many).execute({}, context())) as { content: string };
    expect(output.content.split('\n')).toHaveLength(201);
    expect(output.content).toMatch(/\nOnly the first 200 are shown\.$/);
  });
});

const event = (seq: number, type: string, data: unknown) => ({
  kind: 'event',
  event: { seq, time: 0, type, data },
});
const text = (words: string) => [{ type: 'text', text: words }];

describe('read_agent', () => {
  it('shows a page as text, with the place of the next one [T8]', async () => {
    const asked: unknown[] = [];
    const records = [
      event(0, 'turn/start', { turn: 0 }),
      event(1, 'user/message', { source: { kind: 'delegated-task' }, content: text('Study pears.') }),
      event(2, 'assistant/message', {
        content: [...text('I will.'), { type: 'tool-call', name: 'look', input: { at: 'pears' } }],
      }),
      event(3, 'tool/result', { name: 'look', outcome: 'ok', content: text('ripe') }),
      { kind: 'damaged', seq: 4, reason: 'checksum', bytes: 1 },
      event(5, 'turn/end', { turn: 0, reason: { kind: 'completed' } }),
    ];
    const page = { records, next: 6 } as unknown as TranscriptPage;
    const tool = readAgentTool({
      protocol,
      readTranscript: async (_reader, target, options) => {
        asked.push([target, options]);
        return page;
      },
    });
    const call = context();
    const output = await tool.execute({ agent_id: 'kiwi', from: 0, limit: 6 }, call);
    expect(asked).toEqual([['kiwi', { from: 0, limit: 6, signal: call.signal }]]);
    expect(output).toEqual({
      content: [
        '[1] delegated-task: Study pears.',
        '[2] answer: I will.\n(calls look with {"at":"pears"})',
        '[3] result of look (ok): ripe',
        '[4] (damaged: checksum)',
        '[5] turn ended: completed',
        '(goes on: call read_agent with from 6)',
      ].join('\n'),
      structured: { next: 6 },
    });
  });

  it('cuts a long text, never inside a character, and ends an empty page [T8]', async () => {
    const long = `${'x'.repeat(3999)}🍐${'y'.repeat(10)}`;
    const page = { records: [event(0, 'assistant/message', { content: text(long) })] };
    const reading = (given: object) =>
      readAgentTool({ protocol, readTranscript: async () => given as TranscriptPage }).execute(
        { agent_id: 'kiwi' },
        context(),
      );
    const output = (await reading(page)) as { content: string };
    expect(output.content).toBe(
      `[0] answer: ${'x'.repeat(3999)}… (12 more characters; call read_agent with from 0 and limit 1 to read all)\n(end)`,
    );
    expect(await reading({ records: [] })).toHaveProperty('content', 'Nothing is recorded there.\n(end)');
  });

  it('refuses what is not below the caller [T8]', async () => {
    const fail = () => Promise.reject(refusalOf('UNAUTHORIZED', { reachable: ['grandparent', 'plum'] }));
    const tool = readAgentTool({ protocol, readTranscript: fail });
    expect(await tool.execute({ agent_id: 'a b' }, context())).toEqual({
      content: 'Nothing was read: "a b" is not the id of a subagent of yours. Your newest subagents: "plum".',
      isError: true,
    });
  });
});

describe('interrupt_agent', () => {
  const interrupting = (receipt: object) =>
    interruptAgentTool({ protocol, interrupt: async () => receipt as never }).execute(
      { agent_id: 'kiwi' },
      context(),
    );

  it('says what was touched, and what goes on [T8]', async () => {
    expect(
      await interrupting({ turn: 0, kept: ['a', 'b'], discarded: [], descendantsRunning: 1 }),
    ).toMatchObject({
      content:
        'The turn of subagent kiwi was interrupted. Messages that wait for it: 2. Subagents below it that go on: 1.',
      structured: { interrupted: true, kept: ['a', 'b'], descendantsRunning: 1 },
    });
    expect(await interrupting({ kept: [], discarded: [], descendantsRunning: 0 })).toHaveProperty(
      'content',
      'Subagent kiwi was not at work; nothing was interrupted.',
    );
  });

  it('refuses what is not below the caller, and while all is shut down [T8]', async () => {
    const refused = async (code: string) =>
      interruptAgentTool({ protocol, interrupt: () => Promise.reject(refusalOf(code)) }).execute(
        { agent_id: 'kiwi' },
        context(),
      );
    expect(await refused('UNAUTHORIZED')).toEqual({
      content: 'Nothing was interrupted: kiwi is not the id of a subagent of yours. You have no subagents.',
      isError: true,
    });
    expect(await refused('DRAINING')).toHaveProperty(
      'content',
      'Nothing was interrupted: agents are being shut down here. Do not try again.',
    );
    expect(await refused('NEW')).toHaveProperty('content', 'Nothing was interrupted: it was refused (NEW).');
  });
});
