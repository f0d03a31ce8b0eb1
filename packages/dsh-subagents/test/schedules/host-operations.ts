/** What a person and the host do, and what befalls the process. */
import type { AgentHandle } from '@deepseek-ai/dsh-agent';
import { memoryDriver, type SessionId } from '@deepseek-ai/dsh-session';
import { routeOf } from './actors.ts';
import { asked, chooseAgent, knownChildren, text } from './operations.ts';
import { crash, isOneShot } from './program.ts';
import { idOf, type Trial } from './trial.ts';

export const rootIds = [idOf('R'), idOf('Q')] as const;

/** Any agent of the program, or a child that has left, with the parent that it has or with a wrong one. */
function chooseChild(trial: Trial): { childId: SessionId; parentId: SessionId } | undefined {
  const started = trial.operations.filter(({ kind, state }) => kind === 'start' && state !== 'refused');
  const start = trial.pick('child', started);
  if (start?.targetId === undefined || start.asker === undefined) return undefined;
  const parentId = trial.chance('wrong parent', 6)
    ? (trial.pick('root', rootIds) ?? start.asker.id)
    : start.asker.id;
  return { childId: start.targetId, parentId };
}

export function openRoot(trial: Trial, id: SessionId): Promise<unknown> {
  const { program } = trial;
  return asked(trial, { kind: 'open-root', targetId: id }, async () => {
    let handle: AgentHandle;
    try {
      handle = await program.agents.resume({ id, model: routeOf(id) });
    } catch {
      const inbox = trial.settings.wide?.inbox ?? 'process';
      handle = await program.agents.create({ id, model: routeOf(id), inbox });
    }
    if (trial.program === program) program.roots.set(id, handle);
  });
}

/** A person gives work to an agent directly. */
export function give(trial: Trial): void {
  const agent = chooseAgent(trial);
  if (agent === undefined) return;
  const how = trial.pick('way', ['followup', 'steer', 'inject', 'unpark'] as const) ?? 'steer';
  const id = trial.newMessageId();
  trial.track({ kind: 'give', asker: agent, messageId: id }, () => {
    if (how === 'unpark') {
      trial.tell({ at: 'person-unparks', agent });
      agent.unpark();
    } else agent[how]({ id, content: id, source: { kind: 'user' } });
  });
}

export function cancelAgent(trial: Trial): void {
  const agent = chooseAgent(trial);
  if (agent === undefined) return;
  // A one-shot that a person parks waits for that person.
  const keepInbox = trial.chance('keep', 2) && !isOneShot(agent);
  // While it is idle a cancel arms nothing, whatever mark another has set before.
  const parks = keepInbox && agent.status === 'running';
  trial.tell({ at: 'cancel', agent, kept: keepInbox });
  trial.track({ kind: 'cancel', asker: agent }, () => agent.cancel('user', { keepInbox }));
  if (parks && agent.inbox.parked) trial.tell({ at: 'person-parks', agent });
}

export function interruptByHost(trial: Trial): void {
  const chosen = chooseChild(trial);
  if (chosen === undefined) return;
  const { childId, parentId } = chosen;
  const discard = trial.chance('discard', 3);
  trial.track(
    { kind: discard ? 'host-interrupt-discard' : 'host-interrupt', targetId: childId, parentId },
    () => trial.program.host.interrupt(childId, { parentSessionId: parentId, discard }),
  );
}

export function prompt(trial: Trial): void {
  const chosen = chooseChild(trial);
  if (chosen === undefined) return;
  const { childId, parentId } = chosen;
  const delivery = trial.chance('steer', 3) ? ('steer' as const) : ('queue' as const);
  const wakeAncestors = trial.chance('wake ancestors', 2);
  const signal = trial.chance('with a signal', 3) ? newSignal(trial) : undefined;
  const asker = trial.program.agents.get(parentId);
  const kind = delivery === 'steer' ? 'prompt-steer' : 'prompt';
  trial.track({ kind, asker, targetId: childId, parentId, signal }, () =>
    trial.program.host.prompt(childId, {
      ...{ parentSessionId: parentId, content: text('A person writes.'), delivery, wakeAncestors },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

function newSignal(trial: Trial): AbortSignal {
  const controller = new AbortController();
  trial.aborts.push(controller);
  return controller.signal;
}

export function stopChildren(trial: Trial): void {
  const chosen = chooseChild(trial);
  if (chosen === undefined) return;
  const { childId, parentId } = chosen;
  const others = trial.chance('siblings too', 2) ? knownChildren(trial, parentId) : [];
  const ids = [childId, ...others];
  trial.stop({ scope: 'at', ids });
  trial.track({ kind: 'stop-children', targetId: childId }, () =>
    trial.program.host.stopChildren(parentId, ids),
  );
}

export function drainBelow(trial: Trial): void {
  const { agents, runtime } = trial.program;
  const live = chooseAgent(trial);
  const stale = trial.chance('and a stale one', 3) ? trial.pick('stale agent', trial.stale) : undefined;
  const parents = [live, stale].filter((agent) => agent !== undefined);
  const gates = parents.filter((agent) => agents.get(agent.id) === agent && !isOneShot(agent));
  trial.stop({ scope: 'below', ids: gates.map(({ id }) => id), gates });
  trial.track({ kind: 'drain-below', asker: live }, () => runtime.drainContinuableDescendants(parents));
}

export function disposeRoot(trial: Trial): void {
  const { roots, host } = trial.program;
  const id = trial.pick('root', [...roots.keys()]);
  const handle = id === undefined ? undefined : roots.get(id);
  if (id === undefined || handle === undefined) return;
  roots.delete(id);
  trial.stop({ scope: 'below', ids: [id], gates: [handle.agent] });
  trial.track({ kind: 'dispose-root', targetId: id }, async () => {
    await host.disposeRoot(handle);
    if (trial.program.roots === roots) await openRoot(trial, id);
  });
}

/** Without a drain: its children go on, and belong to the next one of that name. */
export function replaceRoot(trial: Trial): void {
  const { roots } = trial.program;
  const id = trial.pick('root', [...roots.keys()]);
  const handle = id === undefined ? undefined : roots.get(id);
  if (id === undefined || handle === undefined) return;
  roots.delete(id);
  trial.track({ kind: 'replace-root', targetId: id }, async () => {
    await handle.dispose();
    if (trial.program.roots === roots) await openRoot(trial, id);
  });
}

/** Another process takes the writer's place of a child, as after a long sleep of this one, and leaves again. */
export function takeOver(trial: Trial): void {
  const managed = trial.program.agents.list().filter(({ session }) => session.header.origin === 'subagent');
  const agent = trial.pick('victim', managed);
  if (agent === undefined) return;
  trial.stop({ scope: 'at', ids: [agent.id] });
  trial.medium.expire(agent.id);
  trial.track({ kind: 'take-over', targetId: agent.id }, async () => {
    const other = memoryDriver({ medium: trial.medium });
    await other.release(await other.take(agent.id, 'open', {}));
  });
}

export function crashAndReopen(trial: Trial): void {
  const ids = [...new Set([...trial.program.roots.keys(), rootIds[0]])];
  const opened = crash(trial);
  trial.track({ kind: 'crash' }, async () => {
    const program = await opened;
    for (const id of ids) if (program.number === trial.programs) await openRoot(trial, id);
  });
}
