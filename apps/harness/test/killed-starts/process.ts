/**
 * A process that starts one child and is killed at one point of that: `node process.ts DRIVER FOLDER PROVIDER POINT`.
 * The points are numbered from 0: before and after each call of the driver, and each microtask between them.
 * Without a POINT it says at its end how many there were. It says `accepted` in the span that accepts the task, and `durable`
 * when that has become a fact.
 */
import { writeSync } from 'node:fs';
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { checkedModel, scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { openSessionStore, type SessionDriver, type SessionId } from '@deepseek-ai/dsh-session';
import { createSubagents, forkProvider, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { driverNamed } from '../durable-inbox/driver.ts';

const [driver = '', folder = '', provider = '', point] = process.argv.slice(2);
const say = (text: string): void => {
  writeSync(1, `${text}\n`);
};

let armed = false;
let points = 0;
function pass(): void {
  if (!armed) return;
  if (point !== undefined && points === Number(point)) process.kill(process.pid, 'SIGKILL');
  points += 1;
}

/** Each call is two points: asked and answered. */
function watched(target: SessionDriver): SessionDriver {
  return new Proxy(target, {
    get(object, key) {
      const member: unknown = Reflect.get(object, key, object);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        pass();
        const answer: unknown = Reflect.apply(member, object, args);
        return answer instanceof Promise ? answer.finally(pass) : answer;
      };
    },
  });
}

const sessions = await openSessionStore({ driver: watched(driverNamed(driver, folder)) });
const model = scriptedModel(() => 'done');
const agents = createAgentRegistry({
  ...{ sessions, tools: createToolRegistry() },
  models: () => checkedModel(model, () => agents.list()),
  defaults: { model: 'scripted' },
});
agents.on('agent/turn/end', ({ reason }) => {
  if (reason.kind !== 'completed') process.exit(1);
});
agents.on('agent/inbox/enqueue', ({ agent }) => {
  if (agent.id === 'kiwi') say('accepted');
});
const { runtime } = createSubagents({ agents, sessions });
runtime.registerProvider(spawnProvider());
runtime.registerProvider(forkProvider());
const root = await agents.create({ id: 'root' as SessionId });
root.agent.followup({ content: 'begin', source: { kind: 'user' } });
await root.agent.whenIdle();
await sessions.flush(root.agent.session);

armed = true;
let over = false;
const microtasks = (left: number): void => {
  pass();
  if (left > 0 && !over)
    queueMicrotask(() => {
      microtasks(left - 1);
    });
};
const started = runtime.startContinuable({
  ...{ provider, label: 'kiwi', childId: 'kiwi' as SessionId },
  request: { prompt: 'Study kiwis.', parent: root.agent },
});
microtasks(40);
await started;
const kiwi = sessions.get('kiwi' as SessionId);
if (kiwi !== undefined) await sessions.flush(kiwi);
say('durable');
await runtime.whenQuiescent('root' as SessionId);
over = true;
armed = false;
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
say(`points ${String(points)}`);
