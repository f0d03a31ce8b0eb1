import { expect, it } from 'vitest';
import { memoryDriver, memoryMedium, newMessageId, openSessionStore } from '@deepseek-ai/dsh-session';

it('writes, forks, closes, and opens again [S17] [S22] [S30]', async () => {
  const medium = memoryMedium();
  const store = await openSessionStore({ driver: memoryDriver({ medium }) });
  const session = await store.create();
  session.append('turn/start', { turn: 0 });
  session.append('user/message', {
    id: newMessageId(),
    role: 'user',
    content: [{ type: 'text', text: 'hi' }],
    source: { kind: 'user' },
  });
  session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
  session.append('turn/start', { turn: 1 });
  expect(await store.flush(session)).toBe(false);
  expect(session.durableLength).toBe(4);
  const fork = await store.fork(session.id);
  expect(fork.history()).toEqual(session.history());
  expect(fork.length).toBe(3);
  await store[Symbol.asyncDispose]();
  const again = await openSessionStore({ driver: memoryDriver({ medium }) });
  const ids = [];
  for await (const entry of again.list()) ids.push(entry.id);
  expect(ids).toEqual([session.id, fork.id].sort());
  const reopened = await again.open(session.id);
  expect(reopened.turnOpen).toBe(false);
  expect(reopened.events(4)).toMatchObject([
    { type: 'turn/end', data: { turn: 1, reason: { kind: 'interrupted' } } },
  ]);
  const forkAgain = await again.open(fork.id);
  await forkAgain.ready();
  expect(forkAgain.history()).toEqual(fork.history());
});
