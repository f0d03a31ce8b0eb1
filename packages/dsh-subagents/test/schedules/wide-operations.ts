/** What only wide schedules do: repeated ids, providers and tools that come and go, a second process, listeners that throw. */
import type { AgentRegistry } from '@deepseek-ai/dsh-agent';
import { memoryDriver } from '@deepseek-ai/dsh-session';
import { spawnProvider, type SubagentRuntime } from '../../src/index.ts';
import { slowProvider } from './actors.ts';
import { text } from './operations.ts';
import type { Trial } from './trial.ts';

/** The same call with the same id once more, as by a caller that is not sure whether it came through. */
export function repeatSend(trial: Trial): void {
  const sends = trial.operations.filter(({ kind, asker }) => kind === 'send' && asker !== undefined);
  const { agents } = trial.program;
  // The child has read it and left: it has to come back to say so.
  const read = sends.filter(
    ({ state, targetId }) => state === 'done' && targetId !== undefined && agents.get(targetId) === undefined,
  );
  const send = trial.pick('send', read.length > 0 && trial.chance('read', 2) ? read : sends);
  if (send?.messageId === undefined || send.targetId === undefined) return;
  const { messageId, targetId } = send;
  // After a crash or a replacement the agent of that name asks.
  const asker = agents.get(send.asker?.id ?? targetId);
  if (asker === undefined) return;
  trial.repeated.add(messageId);
  trial.track({ kind: 'again', asker, targetId, messageId }, () =>
    trial.program.runtime.sendMessage(asker, targetId, text(messageId), { messageId }),
  );
}

/** A provider leaves while its children run, and another one of its name comes. */
export function replaceProvider(trial: Trial): void {
  const { program } = trial;
  const name = trial.pick('provider', ['spawn', 'slow'] as const) ?? 'spawn';
  const comes = trial.chance('comes back', 2);
  trial.track({ kind: 'provider' }, () => {
    program.providers.get(name)?.dispose();
    program.providers.delete(name);
    if (!comes) return;
    const provider = name === 'spawn' ? spawnProvider() : slowProvider(trial, program.line);
    program.providers.set(name, program.runtime.registerProvider(provider));
  });
}

/** For everyone, from now on. */
export function registerLate(trial: Trial): void {
  trial.names += 1;
  trial.program.tools.register({
    name: `late ${String(trial.names)}`,
    description: 'a tool that came late',
    inputSchema: { json: { type: 'object' }, parse: (value) => ({ value }) },
    execute: () => Promise.resolve('done'),
  });
}

/** Another process wants the writer's place of a child, and gives it back some time later. */
export function takeElsewhere(trial: Trial): void {
  const { program } = trial;
  const starts = trial.operations.filter(({ kind, state }) => kind === 'start' && state === 'done');
  const id = trial.pick('wanted', starts)?.targetId;
  if (id === undefined) return;
  trial.track({ kind: 'second', targetId: id }, async () => {
    const other = memoryDriver({ medium: trial.medium });
    const place = await other.take(id, 'open', {});
    const live = trial.program.agents.get(id);
    if (program === trial.program && live !== undefined && live.status !== 'closing' && !live.session.sealed)
      trial.fail(`[M23 S20] another process took ${id}, which is live here`);
    await trial.scheduler.task('another process has what it wants');
    await other.release(place);
  });
}

/** What it throws, so that it is told from a failure of the product. */
export const plannedFailure = 'a planned failure of a listener';

/** Listeners of the builder, heard first. */
export function throwNowAndThen(
  trial: Trial,
  agents: AgentRegistry,
  runtime: SubagentRuntime,
  alive: () => boolean,
): void {
  const fail = (): void => {
    if (alive() && trial.chance('listener throws', 4)) throw new Error(plannedFailure);
  };
  agents.on('agent/created', fail);
  agents.on('agent/disposed', fail);
  agents.on('agent/status', fail);
  agents.on('agent/inbox/enqueue', fail);
  agents.on('agent/inbox/discard', fail);
  agents.on('agent/turn/end', fail);
  runtime.on('subagent/start', fail);
  runtime.on('subagent/end', fail);
}
