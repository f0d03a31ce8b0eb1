import { describe, expect, it } from 'vitest';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { SearchReply, StateReply, TranscriptReply } from '../../src/inspector/protocol.ts';
import { temporaryFolder } from '../command-line.ts';
import { inspected, type Inspected } from './inspected.ts';

const source = { kind: 'user' } as const;

/** A stored root with a long log, and stored children below it. */
async function store({ app }: Inspected, children: number, messages: number): Promise<SessionId> {
  const { sessions } = app.ctx;
  const root = await sessions.create();
  for (let at = 0; at < messages; at += 1) {
    const content = [{ type: 'text', text: `Message ${at}.` }] as const;
    root.append('user/message', { id: `m${at}` as never, role: 'user', content, source });
    if (root.pressure) await sessions.flush(root);
  }
  await sessions.close(root);
  for (let at = 0; at < children; at += 1) {
    const place = { origin: 'subagent', parentSession: root.id, rootSession: root.id, delegationDepth: 1 };
    const child = await sessions.create(place);
    child.append('subagent/descriptor', {
      version: 1,
      value: {
        ...{ mode: 'continuable', provider: 'spawn', label: `child ${at}`, model: 'm' },
        ...{ inbox: 'process', system: 'default', maxDepth: 3 },
      },
    });
    child.append('user/message', {
      id: `t${at}` as never,
      role: 'user',
      content: [{ type: 'text', text: 'Study.' }],
      source: { kind: 'delegated-task', form: 'task', senderSessionId: root.id, label: `child ${at}` },
    });
    await sessions.close(child);
  }
  return root.id;
}

describe('a large store', () => {
  it('stays usable with 500 stored children and a transcript of 5,000 messages [H12]', async () => {
    using folder = temporaryFolder();
    await using writes = await inspected(folder.path, { onlyLooks: true });
    const id = await store(writes, 500, 5_000);
    await using stage = await inspected(folder.path, { onlyLooks: true });
    await expect
      .poll(async () => (await stage.get<StateReply>('/api/state')).unread, { timeout: 20_000 })
      .toBe(0);
    const { nodes } = await stage.get<StateReply>('/api/state');
    expect(nodes).toHaveLength(501);
    expect(nodes[0]).toMatchObject({ id, length: 5_000, below: { count: 500, live: 0 } });
    expect(nodes.slice(1).map(({ label }) => label)).toEqual(
      Array.from({ length: 500 }, (_, at) => `child ${at}`),
    );

    const page = `/api/sessions/${id}/transcript`;
    let from = 0;
    const seen: (number | undefined)[] = [];
    for (let pages = 0; pages < 10; pages += 1) {
      const { entries, to } = await stage.get<TranscriptReply>(`${page}?from=${from}&limit=500`);
      seen.push(...entries.map(({ seq }) => seq));
      from = to;
    }
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, at) => at));
    expect((await stage.raw(page)).text.length).toBeLessThan(50_000);
    const { hits } = await stage.get<SearchReply>('/api/search?q=Message%204999');
    expect(hits).toMatchObject([{ session: id, seq: 4_999 }]);
  });

  it('follows 500 children that are live at once in few events [H12]', async () => {
    using folder = temporaryFolder();
    const labels = Array.from({ length: 500 }, (_, at) => `child ${at}`);
    const calls = labels.map((description) => ({
      tool: 'subagent',
      input: { description, prompt: 'Study.' },
    }));
    await using stage = await inspected(folder.path, {
      scripts: {
        root: [{ calls }],
        ...Object.fromEntries(labels.map((label) => [label, [{ text: 'Long and wide.', hold: 'x' }]])),
      },
    });
    const follower = await stage.follow();
    const root = await stage.begin('Go.');
    await follower.until('nodes', (told) =>
      told.nodes.some(({ id, below }) => id === root.id && below.live === 500),
    );
    for (const label of labels) stage.model(label).release('x');
    await stage.app.ctx.subagents.whenQuiescent(root.id);
    await follower.until('nodes', (told) =>
      told.nodes.some(
        ({ id, below, state }) =>
          id === root.id && below.count === 500 && below.live === 0 && state === 'idle',
      ),
    );
    expect(follower.events.map(({ type }) => type)).not.toContain('reset');
    expect(follower.events.length).toBeLessThan(2_000);
    const after = await stage.nodes();
    expect([...after.values()].filter(({ outcome }) => outcome === 'completed')).toHaveLength(500);
    follower.leave();
  });
});
