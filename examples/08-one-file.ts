/** All Sessions in one SQLite file: many in one commit, a fork that outlives its source, and one writer each. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  newMessageId,
  openSessionStore,
  SessionError,
  type Session,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { sqliteDriver } from '@deepseek-ai/dsh-session-sqlite';

function ask(session: Session, turn: number, text: string): void {
  session.append('turn/start', { turn });
  session.append('user/message', {
    id: newMessageId(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  });
  session.append('turn/end', { turn, reason: { kind: 'completed' } });
}

const folder = await mkdtemp(join(tmpdir(), 'one-file-'));
const path = join(folder, 'sessions.sqlite');
const open = (): Promise<SessionStore> => openSessionStore({ driver: sqliteDriver({ path }) });
const store = await open();

const fruits = await Promise.all(['pears', 'plums', 'cherries'].map(() => store.create()));
fruits.forEach((session, index) => {
  ask(session, 0, `When is fruit ${index} ripe?`);
});
// What many Sessions have appended goes out in one commit.
await Promise.all(fruits.map((session) => store.flush(session)));
console.log(`durable: ${fruits.map(({ durableLength }) => durableLength).join(' ')}`);

// Another store, as in another process, may read everything, and is told who writes.
const [pears] = fruits;
if (pears === undefined) throw new Error('no pears');
const other = await open();
await other.open(pears.id).catch((error: unknown) => {
  if (SessionError.is(error))
    console.log(`${error.code} by this process: ${error.holder?.pid === process.pid}`);
});

const fork = await other.fork(pears.id);
await store.close(pears);
await store.delete(pears.id);
ask(fork, 1, 'And if it rains?');
await other.flush(fork);
await Promise.all([store[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
console.log(`the fork alone has ${fork.history().length} messages`);
console.log(`files: ${(await readdir(folder)).sort().join(' ')}`);
await rm(folder, { recursive: true });
