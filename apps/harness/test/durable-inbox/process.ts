/**
 * A process that accepts messages, answers them, and is killed: `node process.ts DRIVER FOLDER FIRST`.
 * It says each fact in one write, after it has become one: `accepted ID`, `shown ID ID ...`.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createAgentRegistry, createToolRegistry, type Model } from '@deepseek-ai/dsh-agent';
import { checkedModel } from '@deepseek-ai/dsh-agent/testing';
import { openSessionStore, SessionError, type MessageId, type SessionId } from '@deepseek-ai/dsh-session';
import { driverNamed } from './driver.ts';

const [driver = '', root = '', first = '0'] = process.argv.slice(2);
const say = (...words: readonly string[]): void => {
  writeSync(1, `${words.join(' ')}\n`);
};

const model: Model = {
  id: 'parrot',
  async *stream({ messages }) {
    say('shown', ...messages.flatMap((message) => (message.role === 'user' ? message.id : [])));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    yield { type: 'text', delta: 'yes' };
    yield { type: 'finish', reason: 'stop' };
  },
};

const sessions = await openSessionStore({ driver: driverNamed(driver, root) });
const agents = createAgentRegistry({
  ...{ sessions, tools: createToolRegistry() },
  models: () => checkedModel(model, () => agents.list()),
  defaults: { model: 'parrot' },
});
agents.on('agent/turn/end', ({ reason }) => {
  if (reason.kind === 'completed') return;
  // A process that ends by itself fails the test.
  say('ended', JSON.stringify(reason));
  process.exit(1);
});
const id = 'kiwi' as SessionId;
// An earlier process may have been killed before anything of the session was durable.
const { agent } = await agents.resume({ id }).catch((error: unknown) => {
  if (!SessionError.is(error) || error.code !== 'SESSION_NOT_FOUND') throw error;
  return agents.create({ id, inbox: 'durable' });
});
// Who is killed does not write it at its end.
flushCompileCache();
say('ready');
for (let number = Number(first); ; number += 1) {
  const messageId = `m${String(number)}` as MessageId;
  agent.followup({ id: messageId, content: messageId, source: { kind: 'user' } });
  agent.accepted(messageId).then(
    () => {
      say('accepted', messageId);
    },
    () => undefined,
  );
  // Faster than they are answered, so that something always waits.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
}
