import { describe, expect, it } from 'vitest';
import type { StateReply, TranscriptReply } from '../../src/inspector/protocol.ts';
import { temporaryFolder } from '../command-line.ts';
import { inspected, visitor, type Scripts } from './inspected.ts';

const scripts: Scripts = {
  root: [
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } }] },
    'At work.',
    'Noted.',
    'Yes.',
  ],
  pears: [{ text: 'Every sort that was ever grown', hold: 'books' }, 'Done.'],
};

describe('following live', () => {
  it('goes on from a state without a gap: nodes, messages and pieces of answers [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, { scripts });
    const { cursor } = await stage.get<StateReply>('/api/state');
    const root = await stage.begin('Compare.');
    const follower = await stage.follow(`?after=${cursor}`);
    await follower.until('hello', ({ boot }) => cursor.startsWith(`${boot}.`));
    const { nodes } = await follower.until('nodes', (told) =>
      told.nodes.some(({ label }) => label === 'pears'),
    );
    const pears = nodes.find(({ label }) => label === 'pears')?.id ?? '';
    await follower.until('nodes', (told) =>
      told.nodes.some(({ id, state }) => id === root.id && state === 'waiting'),
    );
    await follower.until('flow', (told) =>
      told.edges.some(({ to, kind }) => to === pears && kind === 'task'),
    );
    const stream = await follower.until('stream', ({ pieces }) =>
      pieces.some(({ session }) => session === pears),
    );
    expect(stream.pieces.find(({ session }) => session === pears)).toMatchObject({
      turn: 0,
      step: 0,
      attempt: 1,
      at: 0,
    });
    stage.model('pears').release('books');
    const ended = await follower.until('nodes', (told) =>
      told.nodes.some(({ id, state }) => id === pears && state === 'settled'),
    );
    expect(ended.nodes.find(({ id }) => id === pears)).toMatchObject({ outcome: 'completed', live: false });
    await follower.until('flow', (told) =>
      told.edges.some(({ kind, from }) => kind === 'notice' && from === pears),
    );
    const whole = follower.events.flatMap((event) => (event.type === 'stream' ? event.pieces : []));
    const text = whole.filter(({ session }) => session === pears).map((piece) => piece.text);
    expect(text.join('')).toBe('Every sort that was ever grown');
    follower.leave();
  });

  it('shows an answer that is being written to who comes in the middle of it [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, {
      scripts: { root: [{ text: 'Long and wide.', reasoning: 'Hm.', hold: 'x' }] },
    });
    const follower = await stage.follow();
    const root = await stage.begin('Go.');
    await follower.until('stream', ({ pieces }) => pieces.some(({ text }) => text.endsWith('wide.')));
    const path = `/api/sessions/${root.id}/transcript`;
    const { partial, to, length } = await stage.get<TranscriptReply>(path);
    expect(to).toBe(length);
    expect(partial).toEqual({ turn: 0, step: 0, attempt: 1, text: 'Long and wide.', reasoning: 'Hm.' });
    stage.model('root').release('x');
    await root.whenIdle();
    const after = await stage.get<TranscriptReply>(path);
    expect(after.partial).toBeUndefined();
    expect(after.entries.map(({ kind }) => kind)).toContain('assistant');
    follower.leave();
  });

  it('tells who comes again what he has missed, and who was away too long to load anew [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, { scripts: { root: ['One.', 'Two.'] } });
    const first = await stage.follow();
    const root = await stage.begin('Go.');
    await root.whenIdle();
    await first.until('nodes', ({ nodes }) =>
      nodes.some(({ turns, state }) => turns === 1 && state === 'idle'),
    );
    const seen = first.lastId;
    first.leave();
    root.followup({ content: 'Again.', source: { kind: 'user' } });
    await root.whenIdle();
    await stage.get('/api/state');
    const second = await stage.follow('', { 'last-event-id': seen });
    const missed = await second.until('nodes', ({ nodes }) => nodes.some(({ turns }) => turns === 2));
    expect(missed.nodes[0]?.id).toBe(root.id);
    expect(second.events.map(({ type }) => type)).not.toContain('reset');
    second.leave();
    const lost = await stage.follow('', { 'last-event-id': `${seen.split('.')[0] ?? ''}.999999` });
    expect(await lost.until('reset')).toMatchObject({ reason: 'too-old' });
    lost.leave();
  });

  it('says farewell, and after a restart of the server to load anew [H12]', async () => {
    using folder = temporaryFolder();
    const first = await inspected(folder.path, { scripts: { root: ['One.'] } });
    const root = await first.begin('Go.');
    await root.whenIdle();
    const follower = await first.follow();
    await follower.until('hello');
    const { port } = new URL(first.url);
    await first[Symbol.asyncDispose]();
    await follower.ended;
    expect(follower.events.at(-1)).toEqual({ type: 'bye' });
    await using second = await inspected(folder.path, { port: Number(port) });
    const again = await visitor(second.base, first.cookie).follow('', { 'last-event-id': follower.lastId });
    expect(await again.until('reset')).toMatchObject({ reason: 'another-run' });
    const { nodes } = await visitor(second.base, first.cookie).get<StateReply>('/api/state');
    expect(nodes).toMatchObject([{ id: root.id, live: false, label: 'Go.' }]);
    again.leave();
  });

  it('is for a bounded number of pages, and a place is free again when one has gone [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    for (let at = 0; at < 40; at += 1)
      expect((await stage.raw('/api/events', { method: 'HEAD' })).status).toBe(405);
    const followers = await Promise.all(Array.from({ length: 32 }, () => stage.follow()));
    expect(await stage.raw('/api/events')).toMatchObject({ status: 503 });
    for (const one of followers.slice(0, 2)) {
      one.leave();
      await one.ended;
    }
    await expect
      .poll(async () => {
        const more = await stage.follow().catch(() => undefined);
        const let_in = more?.until('hello').then(
          () => true,
          () => false,
        );
        return let_in ?? false;
      })
      .toBe(true);
    for (const one of followers) one.leave();
  });

  it('shows what nobody asked about [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const follower = await stage.follow();
    await follower.until('hello');
    stage.app.ctx.emit('harness/diagnostic', { code: 'ODD', level: 'warning', message: '<b>odd</b>' });
    expect(await follower.until('diagnostic')).toMatchObject({ code: 'ODD', message: '<b>odd</b>' });
    follower.leave();
  });

  it('keeps nothing for who does not read: he is told to load anew, and goes on from then [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const follower = await stage.follow();
    await follower.until('hello');
    follower.pause();
    const tell = (message: string): void => {
      stage.app.ctx.emit('harness/diagnostic', { code: 'ODD', level: 'info', message });
    };
    for (let at = 0; at < 2_000; at += 1) tell(`${at} ${'x'.repeat(20_000)}`);
    // Told by now.
    await stage.get('/api/state');
    tell('the last one');
    await stage.get('/api/state');
    follower.resume();
    expect(await follower.until('reset')).toMatchObject({ reason: 'too-slow' });
    tell('after all');
    await follower.until('diagnostic', ({ message }) => message === 'after all');
    expect(follower.events.length).toBeLessThan(1_000);
    follower.leave();
  });

  it('comes back on its port when the runtime is unloaded and loaded again [H3 H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path, { scripts });
    await stage.begin('Compare.');
    const follower = await stage.follow();
    await follower.until('hello');
    await stage.app.unload('subagents');
    await follower.ended;
    expect(stage.app.names).not.toContain('inspector');
    await stage.app.reload('subagents');
    expect(stage.app.names).toContain('inspector');
    expect((await stage.nodes()).get('pears')).toMatchObject({ live: false });
  });
});
