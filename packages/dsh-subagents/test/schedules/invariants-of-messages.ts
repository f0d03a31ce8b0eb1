/** Acceptance means something: where accepted messages end, and that refused ones were nowhere. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionId } from '@deepseek-ai/dsh-session';
import type { InterruptReceipt } from '../../src/index.ts';
import type { Facts } from './facts.ts';
import type { Happening, Invariant, Operation } from './happening.ts';
import type { Trial } from './trial.ts';

export function everyMessageEndsOnce(trial: Trial): Invariant {
  const waiting = new Map<string, string>();
  const lost = new Set<string>();
  const keyOf = (id: SessionId, message: MessageId): string => `${message} in ${id}`;
  const leave = (key: string, how: string): void => {
    if (!waiting.delete(key)) trial.fail(`[A3 M28] ${key} was ${how} though it did not wait`);
  };
  return {
    see(happening) {
      switch (happening.at) {
        case 'enqueue':
          waiting.set(keyOf(happening.agent.id, happening.message.id), happening.message.source.kind);
          return;
        case 'discard':
          leave(keyOf(happening.agent.id, happening.message.id), `discarded (${happening.reason})`);
          return;
        case 'log':
          if (happening.event.type === 'user/message')
            leave(keyOf(happening.session.id, happening.event.data.id), 'logged');
          return;
        case 'crash':
          for (const key of waiting.keys()) lost.add(key);
          waiting.clear();
          return;
        case 'created':
          for (const { message } of happening.agent.inbox.list())
            waiting.set(keyOf(happening.agent.id, message.id), message.source.kind);
          return;
        default:
      }
    },
    end() {
      // Kept in the log for the next resume.
      if (trial.settings.wide?.inbox === 'durable') return;
      for (const [key, kind] of waiting)
        trial.fail(`[A24 M28] ${key} (${kind}) was accepted and neither logged nor discarded`);
    },
  };
}

export function acceptedOnce(trial: Trial): Invariant {
  const seen = new Set<MessageId>();
  return {
    see(happening) {
      if (happening.at !== 'enqueue') return;
      const { id } = happening.message;
      if (seen.has(id) && !trial.repeated.has(id)) trial.fail(`[A1 M17] ${id} was accepted twice`);
      seen.add(id);
    },
  };
}

/** A refused call was nowhere, and what a call gave an id for was accepted. */
export function refusalsLeaveNoTrace(trial: Trial): Invariant {
  const accepted = new Map<MessageId, SessionId>();
  return {
    see(happening) {
      if (happening.at === 'enqueue') accepted.set(happening.message.id, happening.agent.id);
      if (happening.at !== 'answer') return;
      const { kind, messageId, state, targetId } = happening.operation;
      if (messageId !== undefined && trial.repeated.has(messageId)) return;
      if (messageId === undefined || (kind !== 'send' && kind !== 'start' && kind !== 'give')) return;
      const where = accepted.get(messageId);
      if (state === 'refused' && where !== undefined)
        trial.fail(`[M5 M12 M13] ${kind} of ${messageId} was refused, and accepted by ${where}`);
      if (state === 'done' && kind !== 'give' && where !== targetId)
        trial.fail(
          `[M17 M28] ${kind} of ${messageId} to ${String(targetId)} was accepted by ${where ?? 'nobody'}`,
        );
    },
    end() {
      for (const { kind, messageId, state, error } of trial.operations) {
        if (
          state === 'refused' &&
          messageId !== undefined &&
          accepted.has(messageId) &&
          !trial.repeated.has(messageId)
        )
          trial.fail(
            `[M5 M12 M13] ${kind} of ${messageId} was refused (${String(error)}), and accepted afterwards`,
          );
      }
    },
  };
}

/** Two edges alone: to a direct child, and from a resident child to its parent. */
export function onlyNeighboursWrite(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at === 'answer') {
        checkInterrupt(trial, facts, happening.operation);
        return;
      }
      if (happening.at !== 'enqueue') return;
      const { source } = happening.message as { source: { kind: string; senderSessionId?: SessionId } };
      if (source.kind !== 'agent-message' || source.senderSessionId === undefined) return;
      const { agent } = happening;
      const down = agent.session.header.parentSession === source.senderSessionId;
      const up = facts.live.get(source.senderSessionId)?.session.header.parentSession === agent.id;
      if (!down && !up)
        trial.fail(`[M12] ${source.senderSessionId} wrote to ${agent.id}, which is no neighbour`);
    },
  };
}

function checkInterrupt(
  trial: Trial,
  facts: Facts,
  { kind, state, asker, targetId, value }: Operation,
): void {
  if (state !== 'done' || !kind.includes('interrupt')) return;
  const { discarded } = value as InterruptReceipt;
  if (!kind.endsWith('discard') && discarded.length > 0)
    trial.fail(`[M40] ${kind} of ${String(targetId)} discarded ${discarded.join(' ')}`);
  if (asker === undefined || targetId === undefined) return;
  const starts = trial.operations.filter((one) => one.kind === 'start' && one.targetId === targetId);
  // A start that is under way answers for the id, whoever holds it in the store.
  if (starts.length === 0 || starts.some((one) => one.asker === asker)) return;
  const known = facts.ancestors(targetId);
  if (known.length > 0 && !known.includes(asker.id))
    trial.fail(`[M39] ${asker.id} interrupted ${targetId}, which is not below it`);
}

/** What one agent sends to one child is accepted in the order of its calls. */
export function sendsKeepTheirOrder(trial: Trial): Invariant {
  const last = new Map<Agent, Map<SessionId, number>>();
  return {
    see(happening) {
      const operation = sendOf(trial, happening);
      if (operation?.asker === undefined || operation.targetId === undefined) return;
      const of = last.get(operation.asker) ?? new Map<SessionId, number>();
      last.set(operation.asker, of);
      const before = of.get(operation.targetId) ?? -1;
      if (before > operation.number)
        trial.fail(
          `[M14] ${operation.asker.id} sent ${String(operation.messageId)} to ${operation.targetId} before what was accepted first`,
        );
      of.set(operation.targetId, operation.number);
    },
  };
}

function sendOf(trial: Trial, happening: Happening): Operation | undefined {
  if (happening.at !== 'enqueue') return undefined;
  const { id } = happening.message;
  if (trial.repeated.has(id)) return undefined;
  return trial.operations.find(({ kind, messageId }) => kind === 'send' && messageId === id);
}

/** The last look is in the span of the acceptance: at the caller's signal, and at who asks. */
export function admissionLooksLast(trial: Trial): Invariant {
  // A listener of the log may end who asks in the span of the acceptance.
  const logged = new Set<MessageId>();
  return {
    see(happening) {
      if (happening.at === 'log' && happening.event.type === 'inbox/accepted')
        logged.add(happening.event.data.message.id);
      if (happening.at !== 'enqueue') return;
      const { id } = happening.message;
      if (logged.has(id)) return;
      const operation = trial.operations.find(({ messageId }) => messageId === id);
      if (operation === undefined || operation.kind === 'give' || trial.repeated.has(id)) return;
      const { kind, signal, asker } = operation;
      if (signal?.aborted === true)
        trial.fail(`[M4 M17] ${kind} of ${id} was accepted after its caller had left`);
      if (asker === undefined) return;
      if (trial.program.agents.get(asker.id) !== asker || asker.status === 'closing')
        trial.fail(`[M4 M24] ${kind} of ${id} was accepted from ${asker.id}, which is stale or closing`);
    },
  };
}

/** A parent reaches its own child in whatever phase that is: it is told where, or has to wait. */
export function ownChildrenAreReached(trial: Trial, facts: Facts): Invariant {
  const accepted = new Set<SessionId>();
  const known = new Set<Operation>();
  const check = ({ asker, targetId, error }: Operation): void => {
    if (asker === undefined || trial.program.agents.get(asker.id) !== asker) return;
    if (asker.status === 'closing' || facts.isStopped(asker.id) || facts.isGated(asker.id)) return;
    const { code } = error as { readonly code?: unknown };
    if (
      code === 'UNAUTHORIZED' ||
      code === 'NOT_RESUMABLE' ||
      code === 'DUPLICATE_CHILD' ||
      code === 'NO_PROVIDER'
    )
      trial.fail(`[M14 M28] ${asker.id} did not reach its own child ${String(targetId)}: ${code}`);
  };
  return {
    see(happening) {
      if (happening.at !== 'answer' && happening.at !== 'call') return;
      const { operation } = happening;
      const { kind, asker, targetId, state } = operation;
      if (targetId === undefined || asker === undefined) return;
      if (kind === 'start' && state === 'done') accepted.add(targetId);
      if (kind !== 'send' || isLossy(trial)) return;
      const own = accepted.has(targetId) && facts.ancestors(targetId)[0] === asker.id;
      if (happening.at === 'call' && own) known.add(operation);
      if (state === 'refused' && known.has(operation)) check(operation);
    },
  };
}

/** What was accepted may be gone, or be another process's. */
function isLossy({ settings: { faults, kinds, time, faulty } }: Trial): boolean {
  return (
    faults ||
    faulty !== undefined ||
    time === 'any' ||
    kinds.some((kind) => kind === 'crash' || kind === 'take-over' || kind === 'second')
  );
}
