/** What the test asks of agents. Synchronous calls are told before and after, the others are tracked to their answer. */
import type { Agent, MessageInput } from '@deepseek-ai/dsh-agent';
import { memoryDriver, openSessionStore, type MessageId, type SessionId } from '@deepseek-ai/dsh-session';
import { agentIds, crash, openAgent } from './program.ts';
import type { OperationKind } from './settings.ts';
import { inboxTypes } from './stored.ts';
import type { Trial } from './trial.ts';

/** The newest agent of an id, as a rule live, and now and then one that has left. */
function chooseAgent(trial: Trial): Agent | undefined {
  return trial.pick('agent', [...trial.program.handles.values()])?.agent;
}

/** Not disposed: what waits in it is its own to discard. */
function isThere(trial: Trial, agent: Agent): boolean {
  return trial.program.agents.get(agent.id) === agent;
}

function chooseId(trial: Trial): SessionId | undefined {
  return trial.pick('id', agentIds.slice(0, trial.settings.agents));
}

type Acceptance = 'followup' | 'steer' | 'inject';

function accept(trial: Trial, how: Acceptance, again = false): void {
  const agent = chooseAgent(trial);
  if (agent === undefined) return;
  const old = again ? trial.pick('id again', trial.ids) : undefined;
  const id = old ?? (`m${String(trial.ids.length + 1)}` as MessageId);
  if (old === undefined) trial.ids.push(id);
  const source = trial.chance('of a person', 2) ? { kind: 'user' } : { kind: 'agent-message', form: 'relay' };
  const input = { content: `about ${id}`, source, id } as unknown as MessageInput;
  const before = { status: agent.status, outcome: agent.outcome(id), size: agent.inbox.list().length };
  const gone = trial.program.agents.get(agent.id) !== agent;
  trial.accepts += 1;
  const { accepts } = trial;
  try {
    const given = agent[how](input);
    if (given !== id) trial.fail(`[A1] ${id} was answered with ${given}`);
    if (agent.outcome(id) === 'unknown') trial.fail(`[A1] nothing is known of ${id}, which was accepted`);
    if (gone) trial.fail(`[A1] an agent that has left accepted ${id}`);
    if (before.status === 'closing' && how !== 'inject') trial.fail(`[A1] a stopped agent accepted ${id}`);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    const expected = gone
      ? 'AGENT_DISPOSED'
      : before.status === 'closing' && how !== 'inject'
        ? 'AGENT_CLOSING'
        : undefined;
    const possible = ['INBOX_FULL', 'ACCEPT_FAILED'];
    const fits = expected === undefined ? possible.includes(code ?? '') : code === expected;
    // A listener of what was told first may have ended it.
    const ended = code === 'AGENT_DISPOSED' || (code === 'AGENT_CLOSING' && how !== 'inject');
    if (!fits && !(ended && agent.status === 'closing')) {
      trial.fail(`[A1] ${how} of ${id} threw ${String(error)}`);
    }
    const alone = trial.accepts === accepts;
    if (alone && (agent.inbox.list().length > before.size || agent.outcome(id) !== before.outcome)) {
      trial.fail(`[A1] ${id} was refused and is there all the same`);
    }
  }
}

function cancel(trial: Trial, keepInbox: boolean): void {
  const agent = chooseAgent(trial);
  if (agent === undefined) return;
  const user = trial.chance('by a person', 2);
  const waiting = isThere(trial, agent) ? agent.inbox.list().map(({ message }) => message.id) : [];
  trial.tell({ at: 'cancel', agent, user, keep: keepInbox, turn: agent.session.turnOpen, waiting });
  const { springs } = trial;
  const receipt = agent.cancel(user ? 'user' : 'parent', { keepInbox });
  trial.tell({ at: 'cancelled', agent, keep: keepInbox, receipt, alone: springs === trial.springs });
}

export const operations: Readonly<Record<OperationKind, (trial: Trial) => void>> = {
  followup(trial) {
    accept(trial, 'followup');
  },
  steer(trial) {
    accept(trial, 'steer');
  },
  inject(trial) {
    accept(trial, 'inject');
  },
  again(trial) {
    accept(trial, trial.pick('how', ['followup', 'steer', 'inject'] as const) ?? 'steer', true);
  },
  cancel(trial) {
    cancel(trial, false);
  },
  keep(trial) {
    cancel(trial, true);
  },
  unpark(trial) {
    const agent = chooseAgent(trial);
    if (agent === undefined) return;
    trial.tell({ at: 'unparked', agent });
    agent.unpark();
  },
  remove(trial) {
    const agent = chooseAgent(trial);
    const id = trial.pick('entry', agent?.inbox.list() ?? [])?.message.id;
    if (agent === undefined || id === undefined) return;
    const [there, { springs }] = [isThere(trial, agent), trial];
    const removed = agent.inbox.remove(id);
    if (springs !== trial.springs) return;
    if (removed !== there) trial.fail(`[A8] ${id} waits and was ${removed ? '' : 'not '}removed`);
    if (agent.inbox.remove(id)) trial.fail(`[A8] ${id} was removed twice`);
  },
  clear(trial) {
    const agent = chooseAgent(trial);
    if (agent === undefined) return;
    const waiting = isThere(trial, agent) ? agent.inbox.list().length : 0;
    const { springs } = trial;
    const cleared = agent.inbox.clear().length;
    if (springs === trial.springs && cleared !== waiting) trial.fail('[A8] not all was cleared');
  },
  idle(trial) {
    const agent = chooseAgent(trial);
    if (agent !== undefined) trial.track({ kind: 'idle', agent }, () => agent.whenIdle());
  },
  accepted(trial) {
    const agent = chooseAgent(trial);
    const messageId = trial.pick('entry', agent?.inbox.list() ?? [])?.message.id;
    if (agent === undefined || messageId === undefined || !agent.inbox.durable) return;
    trial.track({ kind: 'accepted', agent, messageId }, () => agent.accepted(messageId));
  },
  arm() {
    // Done where the operation inside of it is chosen.
  },
  stop(trial) {
    const handle = trial.pick('handle', [...trial.program.handles.values()]);
    if (handle === undefined) return;
    handle.stop('drain');
    trial.tell({ at: 'stopped', agent: handle.agent });
  },
  dispose(trial) {
    const handle = trial.pick('handle', [...trial.program.handles.values()]);
    if (handle === undefined) return;
    const pending = trial.pick('pending', [undefined, 'keep', 'discard'] as const);
    if (pending === 'discard') trial.discarding.add(handle.agent);
    trial.track({ kind: 'dispose', agent: handle.agent }, () =>
      handle.dispose(pending === undefined ? {} : { pending }),
    );
  },
  abandon(trial) {
    const handle = trial.pick('handle', [...trial.program.handles.values()]);
    if (handle === undefined) return;
    handle.abandon();
    // A listener of what it tells while it leaves is called before it has left.
    if (trial.inside > 0) return;
    if (trial.program.agents.get(handle.agent.id) === handle.agent)
      trial.fail('[A23] abandoned, and still found');
    if (!handle.agent.session.sealed) trial.fail('[A23 S11] abandoned, and its log still takes events');
  },
  resume(trial) {
    const id = chooseId(trial);
    if (id === undefined || trial.program.agents.get(id) !== undefined) return;
    trial.track({ kind: 'open' }, () => openAgent(trial, id));
  },
  crash(trial) {
    crash(trial).catch((error: unknown) => {
      trial.fail(`the program was not opened again: ${String(error)}`);
    });
  },
  'take-over'(trial) {
    const id = chooseId(trial);
    if (id === undefined) return;
    trial.track({ kind: 'take-over' }, () => takeOver(trial, id));
  },
};

/** Another process takes the place of a silent holder, and leaves again. */
async function takeOver(trial: Trial, id: SessionId): Promise<void> {
  const { medium } = trial;
  medium.expire(id);
  trial.tell({ at: 'lost', id });
  const other = await openSessionStore({ driver: memoryDriver({ medium }), vocabulary: inboxTypes });
  await other.open(id).catch(() => undefined);
  await other[Symbol.asyncDispose]();
}
