import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  FlowReply,
  InboxReply,
  SearchReply,
  StateReply,
  TranscriptReply,
} from '../../src/inspector/protocol.ts';
import { createApp } from '../../src/app/create-app.ts';
import { temporaryFolder } from '../command-line.ts';
import { human, inspected, type Inspected, type Scripts } from './inspected.ts';

const hostile = '<img src=x onerror="alert(1)"></script>\u202e\u0000\n\nid: 9\ndata: x\u2028';
const usage = { inputTokens: 10, outputTokens: 5 };

const scripts: Scripts = {
  root: [
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } }], usage },
    { text: 'At work.', usage },
    { text: 'Noted.', usage },
    { text: 'Well.', usage },
  ],
  pears: [
    { calls: [{ tool: 'send_message', input: { agent_id: '?', message: 'x' } }], reasoning: hostile, usage },
    { text: `Ripe in September. ${hostile}`, usage },
  ],
};

/** A root and a child that has ended. */
async function played(store: string): Promise<Inspected> {
  const prices = { m: { input: 1_000_000, output: 1_000_000 } };
  const stage = await inspected(store, { scripts, plugins: { inspector: { prices, currency: 'EUR' } } });
  const root = await stage.begin(`Compare pears. ${hostile}`);
  await stage.app.ctx.subagents.whenQuiescent(root.id);
  return stage;
}

describe('the state', () => {
  it('shows the tree with its states, and tokens and cost rolled up [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await played(folder.path);
    const state = await stage.get<StateReply>('/api/state');
    expect(state).toMatchObject({
      unread: 0,
      omitted: 0,
      server: { currency: 'EUR', canCreate: true, model: 'm' },
    });
    const nodes = await stage.nodes();
    const [root, pears] = [nodes.get('root'), nodes.get('pears')];
    expect(root).toMatchObject({ state: 'idle', live: true, kind: 'root', below: { count: 1, live: 0 } });
    expect(pears).toMatchObject({
      state: 'settled',
      live: false,
      parent: root?.id,
      root: root?.id,
      kind: 'continuable',
      provider: 'spawn',
      outcome: 'completed',
      model: 'm',
      spent: { tokens: { input: 20, output: 10 }, cost: 30 },
    });
    const own = root?.spent?.tokens.input ?? 0;
    expect(own).toBeGreaterThanOrEqual(30);
    expect(root?.total.tokens.input).toBe(own + 20);
    expect(root?.total.cost).toBe(own * 1.5 + 30);
  });

  it('shows what is only stored, and takes nobody his place [H12]', async () => {
    using folder = temporaryFolder();
    await (await played(folder.path))[Symbol.asyncDispose]();
    await using looks = await inspected(folder.path, { onlyLooks: true });
    const nodes = await looks.nodes();
    expect(nodes.get('root')).toMatchObject({ state: 'settled', live: false, can: { prompt: false } });
    expect(nodes.get('pears')).toMatchObject({ state: 'settled', outcome: 'completed' });
    const id = nodes.get('root')?.id ?? '';
    expect(
      (await looks.get<TranscriptReply>(`/api/sessions/${id}/transcript`)).entries.length,
    ).toBeGreaterThan(5);
    // Another program can still go on with it.
    const environment = () => undefined;
    const other = await createApp({ store: folder.path, model: 'm', environment });
    expect((await other.ctx.sessions.open(looksId(id))).id).toBe(id);
    await other.stop();
  });

  it('shows what another program writes meanwhile, and what it deletes [H12]', async () => {
    using folder = temporaryFolder();
    await using looks = await inspected(folder.path, { onlyLooks: true });
    const before = await looks.get<StateReply>('/api/state');
    expect(before.nodes).toEqual([]);
    const follower = await looks.follow(`?after=${before.cursor}`);
    const other = await played(folder.path);
    const id = other.root.id;
    await other[Symbol.asyncDispose]();
    const { nodes } = await follower.until('nodes', (told) =>
      told.nodes.some((node) => node.turns > 0 && node.id === id),
    );
    expect(nodes.find((node) => node.id === id)).toMatchObject({ kind: 'root', live: false });
    await looks.app.host.deleteTree(id);
    expect((await follower.until('gone', ({ ids }) => ids.includes(id))).ids).toContain(id);
    expect((await looks.get<StateReply>('/api/state')).nodes).toEqual([]);
    follower.leave();
  });

  it('shows a damaged log as damaged, with the rest of it [H12]', async () => {
    using folder = temporaryFolder();
    const stage = await played(folder.path);
    const { id } = stage.root;
    await stage[Symbol.asyncDispose]();
    const [file] = (await readdir(folder.path, { recursive: true })).filter((name) => name.includes(id));
    const lines = (await readdir(join(folder.path, file ?? ''))).filter((name) => name.endsWith('l'));
    await appendFile(join(folder.path, file ?? '', lines[0] ?? ''), '{"broken\n{"broken\n');
    await using looks = await inspected(folder.path, { onlyLooks: true });
    const { nodes } = await looks.get<StateReply>('/api/state');
    expect(nodes.find((node) => node.id === id)).toMatchObject({ state: 'damaged' });
    const { entries } = await looks.get<TranscriptReply>(`/api/sessions/${id}/transcript?limit=500`);
    expect(entries.map(({ kind }) => kind)).toContain('damaged');
    expect(entries.map(({ kind }) => kind)).toContain('assistant');
  });
});

describe('a fork', () => {
  it('shows what it has inherited as such, and has spent only what is its own [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, {
      scripts: {
        root: [
          { text: 'I know much.', usage: { inputTokens: 1_000, outputTokens: 1_000 } },
          { calls: [{ tool: 'subagent_fork', input: { description: 'plums', prompt: 'Study plums.' } }] },
        ],
        plums: [{ text: 'Ripe.', usage: { inputTokens: 7, outputTokens: 1 } }],
      },
    });
    const root = await stage.begin('Listen.');
    await root.whenIdle();
    root.followup({ content: 'Fork.', source: human });
    await stage.app.ctx.subagents.whenQuiescent(root.id);
    const plums = (await stage.nodes()).get('plums');
    expect(plums).toMatchObject({ provider: 'fork', turns: 1, spent: { tokens: { input: 7, output: 1 } } });
    const { entries, own } = await stage.get<TranscriptReply>(`/api/sessions/${plums?.id ?? ''}/transcript`);
    expect(own).toBeGreaterThan(0);
    expect(entries.filter(({ inherited }) => inherited === true)).toHaveLength(own);
    expect(entries.find(({ kind }) => kind === 'assistant')).toMatchObject({ inherited: true });
    const { edges } = await stage.get<FlowReply>(`/api/flow?root=${root.id}`);
    expect(edges.filter(({ kind }) => kind === 'human').map(({ to }) => to)).toEqual([root.id, root.id]);
  });
});

const looksId = (id: string) => id as Inspected['root']['id'];

describe('a transcript', () => {
  it('comes in pages, the newest first where none is asked for [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await played(folder.path);
    const path = `/api/sessions/${stage.root.id}/transcript`;
    const whole = await stage.get<TranscriptReply>(`${path}?limit=500`);
    expect(whole).toMatchObject({ from: 0, to: whole.length, own: 0 });
    expect(whole.entries.map(({ seq }) => seq)).toEqual(whole.entries.map((_entry, at) => at));
    const last = await stage.get<TranscriptReply>(`${path}?limit=3`);
    expect(last).toMatchObject({
      from: whole.length - 3,
      to: whole.length,
      entries: whole.entries.slice(-3),
    });
    const some = await stage.get<TranscriptReply>(`${path}?from=2&limit=3`);
    expect(some).toMatchObject({ from: 2, to: 5, entries: whole.entries.slice(2, 5) });
    const beyond = await stage.get<TranscriptReply>(`${path}?from=99999`);
    expect(beyond).toMatchObject({ from: whole.length, to: whole.length, entries: [] });
    for (const wrong of ['from=-1', 'from=x', 'limit=0', 'limit=501', 'limit=1.5'])
      expect((await stage.raw(`${path}?${wrong}`)).status).toBe(400);
  });

  it('leaves hostile texts as they are, as data [H12 H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await played(folder.path);
    const nodes = await stage.nodes();
    const [root, pears] = [nodes.get('root')?.id ?? '', nodes.get('pears')?.id ?? ''];
    const reply = await stage.raw(`/api/sessions/${root}/transcript`);
    expect(reply.headers['content-type']).toContain('application/json');
    const [first] = (JSON.parse(reply.text) as TranscriptReply).entries.filter(
      ({ kind }) => kind === 'message',
    );
    expect(first).toMatchObject({
      sender: { kind: 'human' },
      blocks: [{ text: `Compare pears. ${hostile}` }],
    });
    const kid = await stage.get<TranscriptReply>(`/api/sessions/${pears}/transcript`);
    const answers = kid.entries.filter(({ kind }) => kind === 'assistant');
    expect(answers[0]).toMatchObject({
      blocks: [{ kind: 'reasoning', text: hostile }, { kind: 'tool-call' }],
    });
    expect(answers.at(-1)).toMatchObject({ blocks: [{ text: `Ripe in September. ${hostile}` }] });
  });

  it.each(['transcript', 'inbox', 'export'])('of nobody is not found: %s [H12]', async (what) => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    for (const id of ['01a22f54-1c17-7b46-ba14-f8a79c89713b', '..%2f..%2fetc', '%00', 'x'.repeat(3_000)]) {
      const { status, text } = await stage.raw(`/api/sessions/${id}/${what}`);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the rest of what is looked at', () => {
  it('the flow has who wrote to whom, in the order of time [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await played(folder.path);
    const nodes = await stage.nodes();
    const [root, pears] = [nodes.get('root')?.id ?? '', nodes.get('pears')?.id];
    const flow = await stage.get<FlowReply>(`/api/flow?root=${root}`);
    expect(flow).toMatchObject({ root, truncated: false });
    expect(flow.edges.map(({ kind, from, to }) => ({ kind, from, to }))).toEqual([
      { kind: 'human', from: undefined, to: root },
      { kind: 'task', from: root, to: pears },
      { kind: 'notice', from: pears, to: root },
    ]);
    expect(flow.edges[1]?.text).toBe('Study pears.');
    const newest = await stage.get<FlowReply>(`/api/flow?root=${root}&limit=1`);
    expect(newest).toEqual({ root, truncated: true, edges: flow.edges.slice(-1) });
    expect((await stage.raw('/api/flow')).status).toBe(400);
  });

  it('the inbox has what waits, and from whom [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, {
      scripts: { root: [{ text: 'Long.', hold: 'books' }] },
    });
    const follower = await stage.follow();
    const root = await stage.begin('Go.');
    await follower.until('stream');
    root.followup({ content: hostile, source: human });
    const told = await follower.until('inbox', ({ ids }) => ids.includes(root.id));
    expect(told.ids).toEqual([root.id]);
    expect(await stage.get<InboxReply>(`/api/sessions/${root.id}/inbox`)).toMatchObject({
      live: true,
      parked: false,
      count: 1,
      entries: [{ sender: { kind: 'human' }, blocks: [{ text: hostile }], boundary: 'turn', wake: true }],
    });
    expect((await stage.nodes()).get('root')).toMatchObject({ state: 'running', inbox: { count: 1 } });
    stage.model('root').release('books');
    follower.leave();
  });

  it('a search finds texts, labels and ids, whatever their case, and says where [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await played(folder.path);
    const nodes = await stage.nodes();
    const pears = nodes.get('pears')?.id ?? '';
    const find = (q: string) => stage.get<SearchReply>(`/api/search?q=${encodeURIComponent(q)}`);
    const { hits } = await find('SEPTEMBER');
    const hit = hits.find(({ session }) => session === pears);
    expect(hit).toMatchObject({ kind: 'assistant', seq: expect.any(Number) as number });
    expect(hit?.excerpt.slice(hit.at, hit.at + hit.length)).toBe('September');
    const byId = (await find(pears.slice(4))).hits.filter(({ kind }) => kind === 'label');
    expect(byId.map(({ session }) => session)).toEqual([pears]);
    const harmful = (await find('onerror')).hits;
    expect(harmful.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['human', 'assistant']));
    expect((await find('no such thing')).hits).toEqual([]);
    expect((await stage.raw('/api/search')).status).toBe(400);
    expect((await stage.raw(`/api/search?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  it('an export is the stored lines, as a file, also of one that is in the middle of a turn [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, { scripts: { root: [{ text: 'Long.', hold: 'x' }] } });
    const follower = await stage.follow();
    const { id, session } = await stage.begin(hostile);
    await follower.until('stream');
    follower.leave();
    const reply = await stage.raw(`/api/sessions/${id}/export`);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${id}.jsonl"`,
    });
    expect(reply.text.split('\n')).toHaveLength(session.length + 2);
    const lines: string[] = [];
    for await (const line of stage.app.ctx.sessions.export(id)) lines.push(line);
    expect(reply.text).toBe(lines.map((line) => `${line}\n`).join(''));
    stage.model('root').release('x');
  });
});
