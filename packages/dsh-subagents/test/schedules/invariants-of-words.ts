/** What messages between agents are made of: where they may be claimed, and whom they name. */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Happening, Invariant, Operation } from './happening.ts';
import { isOneShot } from './program.ts';
import type { Trial } from './trial.ts';

interface Source {
  readonly kind: string;
  readonly senderSessionId?: SessionId;
  readonly childSessionId?: SessionId;
  readonly runId?: string;
  readonly outcome?: string;
}

type Enqueued = Extract<Happening, { at: 'enqueue' }>;

function textOf({ content }: Enqueued['message']): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** A task is a turn of its own; what agents write, and what is told of them, joins the nearest step. */
export function messagesKeepTheirKind(trial: Trial): Invariant {
  const boundaries: Readonly<Record<string, string>> = {
    'delegated-task': 'turn',
    'agent-message': 'step',
    'subagent-settled': 'step',
  };
  return {
    see(happening) {
      if (happening.at !== 'enqueue') return;
      const { agent, message, boundary, wake } = happening;
      const { kind, senderSessionId = '' } = message.source as Source;
      const due = boundaries[kind] ?? boundary;
      if (boundary !== due)
        trial.fail(`[M3 M15 M35] ${message.id} (${kind}) came to ${agent.id} as a ${boundary} entry`);
      if (kind === 'agent-message' && !wake)
        trial.fail(`[M15] ${message.id} of ${senderSessionId} wakes nobody`);
      if (
        kind === 'agent-message' &&
        !textOf(message).startsWith(`Agent ${senderSessionId} sent a message:\n`)
      )
        trial.fail(`[M16] ${message.id} does not begin with who has sent it`);
    },
  };
}

/** A notice tells of the epoch that has just ended and of nothing else. */
export function noticesNameTheirEpoch(trial: Trial): Invariant {
  const notices = new Map<string, Enqueued>();
  return {
    see(happening) {
      if (happening.at === 'enqueue') {
        const { kind, runId = '' } = happening.message.source as Source;
        if (kind === 'subagent-settled') notices.set(runId, happening);
      }
      if (happening.at !== 'epoch-end') return;
      const { runId, childId, outcome, output } = happening.epoch;
      const notice = notices.get(runId);
      if (notice === undefined) return;
      const source = notice.message.source as Source;
      const said = textOf(notice.message);
      if (source.childSessionId !== childId || !said.includes(childId))
        trial.fail(`[M36] the notice of ${childId} names ${String(source.childSessionId)}`);
      if (source.outcome !== outcome || !said.includes(`outcome ${outcome}.`))
        trial.fail(`[M33 M34] the notice of ${childId} says ${String(source.outcome)} for ${outcome}`);
      if (output === undefined ? said.includes(' says') : !said.includes(output))
        trial.fail(`[M34 M36] the notice of ${childId} does not hold what it has left`);
    },
  };
}

/** Who is no neighbour hears the same, whoever is there: nothing of the target. */
export function strangersHearOneThing(trial: Trial): Invariant {
  const own = new Set(['UNAUTHORIZED', 'DRAINING', 'ACTIVATION_CLOSING', 'LIMIT_REACHED']);
  const check = ({ asker, targetId, error, signal }: Operation): void => {
    if (asker === undefined || targetId === undefined || error === signal?.reason) return;
    const started = trial.operations.some(
      (one) => one.kind === 'start' && one.targetId === targetId && one.asker?.id === asker.id,
    );
    if (started || asker.session.header.parentSession === targetId) return;
    const { code } = error as { readonly code?: string };
    if (!own.has(code ?? ''))
      trial.fail(`[M12] ${asker.id} was told ${String(code)} of a stranger, ${targetId}`);
  };
  return {
    see(happening) {
      if (happening.at !== 'answer') return;
      const { operation } = happening;
      const { kind, state, asker, targetId } = operation;
      if (kind !== 'send' && kind !== 'again') return;
      if (state === 'refused') check(operation);
      else if (asker !== undefined && isOneShot(asker))
        trial.fail(`[M12 M49] a one-shot has written to ${String(targetId)}`);
      else if (targetId === asker?.id) trial.fail(`[M12] ${String(targetId)} has written to itself`);
    },
  };
}

/** Who is on its way out waits for no target any more. */
export function leaversWaitForNobody(trial: Trial): Invariant {
  const look = (): void => {
    for (const { kind, state, program, asker, targetId } of trial.operations) {
      if (state !== 'open' || program !== trial.programs || asker === undefined) continue;
      if ((kind === 'send' || kind === 'again') && asker.status === 'closing')
        trial.fail(`[M14] ${asker.id} is closing, and still waits for ${String(targetId)}`);
    }
  };
  return {
    see(happening) {
      if (happening.at === 'lull') look();
    },
    rest: look,
  };
}
