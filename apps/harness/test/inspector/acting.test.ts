import { describe, expect, it } from 'vitest';
import type { CreateReply, TranscriptReply } from '../../src/inspector/protocol.ts';
import { temporaryFolder } from '../command-line.ts';
import { inspected, type Inspected, type Scripts } from './inspected.ts';

const delegate = (label: string) => ({
  calls: [{ tool: 'subagent', input: { description: label, prompt: `Study ${label}.` } }],
});
const scripts: Scripts = {
  root: [delegate('pears'), 'At work.', 'Noted.', 'Yes?', 'And?'],
  pears: [{ text: 'Every sort ...', hold: 'books' }, 'Two weeks.', 'Conference.'],
};

/** A child in the middle of its answer. */
async function atWork(store: string): Promise<Inspected> {
  const stage = await inspected(store, { scripts });
  const follower = await stage.follow();
  const root = await stage.begin('Compare.');
  await follower.until('stream', ({ pieces }) => pieces.some(({ session }) => session !== root.id));
  await root.whenIdle();
  follower.leave();
  return stage;
}

const pearsOf = async (stage: Inspected): Promise<string> => (await stage.nodes()).get('pears')?.id ?? '';

async function atRest({ app, root, model }: Inspected): Promise<void> {
  model('pears').release('books');
  await app.ctx.subagents.whenQuiescent(root.id);
}

/** What people wrote, and how many turns there were. */
async function readBack(stage: Inspected, id: string) {
  const { entries } = await stage.get<TranscriptReply>(`/api/sessions/${id}/transcript?limit=500`);
  const said = entries.flatMap((entry) =>
    entry.kind === 'message' && entry.sender.kind === 'human'
      ? entry.blocks.map((block) => (block.kind === 'text' ? block.text : ''))
      : [],
  );
  return { said, turns: entries.filter(({ kind }) => kind === 'turn-start').length };
}

describe('a prompt from the page', () => {
  it('to the root is a turn of its own, and is accepted once however often it is sent [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await atWork(folder.path);
    const root = stage.root.id;
    const before = await readBack(stage, root);
    const send = (text: string, messageId: string) =>
      stage.post(`/api/sessions/${root}/prompt`, { text, messageId });
    const replies = await Promise.all([
      send('One?', 'message-1'),
      send('One?', 'message-1'),
      send('Two?', 'message-2'),
    ]);
    replies.push(await send('One?', 'message-1'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(replies.map(({ body }) => body)).toEqual(
      ['message-1', 'message-1', 'message-2', 'message-1'].map((messageId) => ({ messageId })),
    );
    await stage.root.whenIdle();
    const after = await readBack(stage, root);
    expect(after.said).toEqual(['Compare.', 'One?', 'Two?']);
    expect(after.turns).toBe(before.turns + 2);
    await atRest(stage);
  });

  it('to a child that has ended wakes it, and is accepted once also after that [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await atWork(folder.path);
    const pears = await pearsOf(stage);
    await atRest(stage);
    expect(stage.app.ctx.agents.get(pears as Inspected['root']['id'])).toBeUndefined();
    for (let again = 0; again < 2; again += 1) {
      const prompt = { text: 'How long do they keep?', messageId: 'message-1' };
      const reply = await stage.post(`/api/sessions/${pears}/prompt`, prompt);
      expect(reply).toEqual({ status: 200, body: { messageId: 'message-1' } });
      await atRest(stage);
    }
    expect(await readBack(stage, pears)).toEqual({ said: ['How long do they keep?'], turns: 2 });
  });

  it('to a stored root wakes it where the server has a model, one time for many requests [H13]', async () => {
    using folder = temporaryFolder();
    const first = await atWork(folder.path);
    const [root, pears] = [first.root.id, await pearsOf(first)];
    await atRest(first);
    await first[Symbol.asyncDispose]();
    await using stage = await inspected(folder.path, { scripts: { root: ['Here again.', 'Two.'] } });
    expect((await stage.nodes()).get('root')).toMatchObject({ live: false, can: { prompt: true } });
    const refused = await stage.post(`/api/sessions/${pears}/prompt`, { text: 'x', messageId: 'message-0' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'PARENT_UNAVAILABLE' } });
    const send = (messageId: string) =>
      stage.post(`/api/sessions/${root}/prompt`, { text: 'Hello?', messageId });
    const replies = await Promise.all([send('message-1'), send('message-2'), send('message-1')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    await stage.app.ctx.agents.get(root)?.whenIdle();
    expect((await readBack(stage, root)).said).toEqual(['Compare.', 'Hello?', 'Hello?']);
    expect((await stage.nodes()).get('root')).toMatchObject({ live: true, state: 'idle' });
  });

  it('to a stored root is refused where the server has no model, and nothing is made [H13]', async () => {
    using folder = temporaryFolder();
    const first = await atWork(folder.path);
    const root = first.root.id;
    await atRest(first);
    await first[Symbol.asyncDispose]();
    await using stage = await inspected(folder.path, { onlyLooks: true });
    const prompt = { text: 'x', messageId: 'message-1' };
    expect(await stage.post(`/api/sessions/${root}/prompt`, prompt)).toMatchObject({
      status: 409,
      body: { code: 'NO_MODEL' },
    });
    expect(await stage.post('/api/sessions', prompt)).toMatchObject({
      status: 409,
      body: { code: 'NO_MODEL' },
    });
    expect(stage.app.ctx.agents.list()).toEqual([]);
  });

  it('makes a new root, the same one for the same message [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, { scripts: { root: ['Yes.'] } });
    const prompt = { text: 'Anybody?', messageId: 'message-1' };
    const replies = await Promise.all([
      stage.post('/api/sessions', prompt),
      stage.post('/api/sessions', prompt),
    ]);
    const [{ id }] = replies.map(({ body }) => body as CreateReply) as [CreateReply];
    expect(replies).toEqual([1, 2].map(() => ({ status: 200, body: { id, messageId: 'message-1' } })));
    await stage.app.ctx.agents.get(id as Inspected['root']['id'])?.whenIdle();
    expect((await readBack(stage, id)).said).toEqual(['Anybody?']);
  });

  it.each([
    ['no text', { messageId: 'message-1' }, 400],
    ['a blank text', { text: ' \n ', messageId: 'message-1' }, 400],
    ['a text that is none', { text: 7, messageId: 'message-1' }, 400],
    ['no id', { text: 'x' }, 400],
    ['a short id', { text: 'x', messageId: 'a' }, 400],
    ['an id of other signs', { text: 'x', messageId: 'message/../1' }, 400],
    ['something more', { text: 'x', messageId: 'message-1', wakeAncestors: false }, 400],
    ['a text that is too large', { text: 'ä'.repeat(32_769), messageId: 'message-1' }, 413],
    ['a list', [], 400],
  ])('with %s is refused, and nothing is sent [H13 H14]', async (_what, body, status) => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const { id } = await stage.app.ctx.agents.create().then(({ agent }) => agent);
    const reply = await stage.post(`/api/sessions/${id}/prompt`, body);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ message: expect.stringMatching(/^Nothing was /) as string });
    expect((await readBack(stage, id)).said).toEqual([]);
  });

  it('that is no JSON, and one to nobody, are refused with their codes [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const headers = { origin: stage.base, 'content-type': 'application/json' };
    const broken = await stage.raw('/api/sessions', { method: 'POST', headers, body: '{"text"' });
    expect(JSON.parse(broken.text)).toMatchObject({ code: 'INVALID_REQUEST' });
    for (const id of ['01a22f54-1c17-7b46-ba14-f8a79c89713b', '..%2fx'])
      for (const [path, body] of [
        ['prompt', { text: 'x', messageId: 'message-1' }],
        ['interrupt', {}],
        ['stop', {}],
      ] as const)
        expect(await stage.post(`/api/sessions/${id}/${path}`, body)).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        });
  });
});

describe('interrupt and stop from the page', () => {
  it('an interrupt ends the turn of a child, which then goes on with a prompt [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await atWork(folder.path);
    const pears = await pearsOf(stage);
    expect((await stage.nodes()).get('pears')).toMatchObject({
      state: 'running',
      can: { interrupt: true, stop: true },
    });
    const reply = await stage.post(`/api/sessions/${pears}/interrupt`, {});
    expect(reply).toEqual({ status: 200, body: { turn: 0, kept: 0, descendantsRunning: 0 } });
    await stage.post(`/api/sessions/${pears}/prompt`, { text: 'Short, please.', messageId: 'message-1' });
    await atRest(stage);
    expect(await readBack(stage, pears)).toEqual({ said: ['Short, please.'], turns: 2 });
    const { entries } = await stage.get<TranscriptReply>(`/api/sessions/${pears}/transcript`);
    expect(entries.find(({ kind }) => kind === 'turn-end')).toMatchObject({ reason: 'aborted' });
  });

  it('an interrupt ends the turn of a root, and is refused where there is none [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, {
      scripts: { root: [{ text: 'Long ...', hold: 'x' }] },
    });
    const follower = await stage.follow();
    const root = await stage.begin('Go.');
    await follower.until('stream');
    follower.leave();
    const reply = await stage.post(`/api/sessions/${root.id}/interrupt`, {});
    expect(reply).toEqual({ status: 200, body: { turn: 0, kept: 0, descendantsRunning: 0 } });
    await root.whenIdle();
    expect(await stage.post(`/api/sessions/${root.id}/interrupt`, {})).toMatchObject({
      status: 409,
      body: { code: 'NOTHING_TO_INTERRUPT' },
    });
  });

  it('a stop takes a child and what is below it out of memory, and a root cannot be stopped [H13]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, {
      scripts: {
        root: [delegate('pears')],
        pears: [delegate('seeds')],
        seeds: [{ text: 'x', hold: 'never' }],
      },
    });
    const follower = await stage.follow();
    const root = await stage.begin('Go.');
    await follower.until('nodes', ({ nodes }) => nodes.some(({ label, live }) => label === 'seeds' && live));
    const nodes = await stage.nodes();
    expect(nodes.get('root')).toMatchObject({ below: { count: 2, live: 2 } });
    const pears = nodes.get('pears')?.id ?? '';
    expect(await stage.post(`/api/sessions/${pears}/stop`, {})).toEqual({
      status: 200,
      body: { stopped: true },
    });
    const after = await stage.nodes();
    expect(after.get('pears')).toMatchObject({ live: false, state: 'settled' });
    expect(after.get('seeds')).toMatchObject({ live: false, outcome: 'aborted' });
    // Once more is no harm.
    expect((await stage.post(`/api/sessions/${pears}/stop`, {})).status).toBe(200);
    expect(await stage.post(`/api/sessions/${root.id}/stop`, {})).toMatchObject({
      status: 409,
      body: { code: 'NOT_A_CHILD' },
    });
    follower.leave();
  });
});
