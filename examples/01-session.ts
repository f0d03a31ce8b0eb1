/** A durable conversation: a crash in the middle of a turn, and a second process that goes on. */
import {
  memoryDriver,
  memoryMedium,
  newMessageId,
  openSessionStore,
  type Session,
} from '@deepseek-ai/dsh-session';

function say(session: Session, text: string): void {
  session.append('user/message', {
    id: newMessageId(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  });
}

// One medium, and a driver per process that uses it. With @deepseek-ai/dsh-session-file it would be a folder.
const medium = memoryMedium();
const first = memoryDriver({ medium });
const store = await openSessionStore({ driver: first });
const session = await store.create({ cwd: '/srv/orchard' });
session.subscribe(({ seq, type }) => {
  console.log(`${seq} ${type}`);
});

session.append('turn/start', { turn: 0 });
say(session, 'When are pears ripe?');
session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
session.append('turn/start', { turn: 1 });
say(session, 'And plums?');
await store.flush(session);
console.log(`durable: ${session.durableLength} of ${session.length}`);
first.crash();

// The next process takes the dead one's place. The turn that was open is closed, and nothing is repeated.
const second = await openSessionStore({ driver: memoryDriver({ medium }) });
const reopened = await second.open(session.id);
const last = reopened.events().at(-1);
if (last?.type === 'turn/end') console.log(`turn ${last.data.turn} ended: ${last.data.reason.kind}`);
console.log(`messages: ${reopened.history().length}`);

// A fork shares the events up to the last turn's end, or up to a given length.
const fork = await second.fork(session.id, { length: 3 });
say(fork, 'And cherries?');
console.log(`messages of the fork: ${fork.history().length}`);
await second[Symbol.asyncDispose]();
