/** A store in a folder: what lies on the disk, one writer at a time, and a fork that outlives its source. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newMessageId, openSessionStore, SessionError, type Session } from '@deepseek-ai/dsh-session';
import { fileDriver } from '@deepseek-ai/dsh-session-file';

function turn(session: Session, text: string): void {
  const { turns } = session;
  session.append('turn/start', { turn: turns });
  session.append('user/message', {
    id: newMessageId(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  });
  session.append('turn/end', { turn: turns, reason: { kind: 'completed' } });
}

const root = await mkdtemp(join(tmpdir(), 'orchard-'));
const store = await openSessionStore({ driver: fileDriver({ root }) });
const session = await store.create();
turn(session, 'When are pears ripe?');
await store.flush(session);
console.log((await readdir(join(root, 'sessions', session.id))).sort().join(' '));

// A second store, here or in another process, may read. To write, it has to wait for the first one.
const other = await openSessionStore({ driver: fileDriver({ root }) });
console.log(`read: ${(await other.head(session.id)).length} events`);
await other.open(session.id).catch((error: unknown) => {
  if (SessionError.is(error)) console.log(`${error.code}, pid is ours: ${error.holder?.pid === process.pid}`);
});

const fork = await store.fork(session.id);
turn(fork, 'And plums?');
await store[Symbol.asyncDispose]();
await other.delete(session.id);

const reopened = await other.open(fork.id);
await reopened.ready();
console.log(`the fork has ${reopened.history().length} messages`);
await other[Symbol.asyncDispose]();
await rm(root, { recursive: true });
