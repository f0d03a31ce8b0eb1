/** What a parent hears of the end of its child. */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Facts } from './facts.ts';
import type { Happening, Invariant } from './happening.ts';
import type { Trial } from './trial.ts';

interface NoticeSource {
  readonly kind: string;
  readonly childSessionId?: SessionId;
  readonly runId?: string;
  readonly senderSessionId?: SessionId;
  readonly hops?: number;
}

const sourceOf = (happening: Extract<Happening, { at: 'enqueue' }>): NoticeSource => happening.message.source;

export function oneNoticePerEpoch(trial: Trial, facts: Facts): Invariant {
  // A new child has accepted nothing before its task, whoever gives it something: its start may still be undone.
  const tasked = new Set<SessionId>();
  const worked = new Set<SessionId>();
  // It counts once its start was admitted, which cannot always be seen from outside: a refused start is silent.
  const restored = new Set<SessionId>();
  const notices = new Map<string, SessionId[]>();
  return {
    see(happening) {
      if (happening.at === 'epoch-start') {
        const { childId } = happening.epoch;
        worked.delete(childId);
        tasked.delete(childId);
        restored.delete(childId);
        if (
          facts.live
            .get(childId)
            ?.inbox.list()
            .some(({ wake }) => wake) === true
        )
          restored.add(childId);
      }
      if (happening.at === 'status' && happening.status === 'running') worked.add(happening.agent.id);
      if (happening.at === 'enqueue') {
        if (happening.wake) worked.add(happening.agent.id);
        const { kind, runId = '' } = sourceOf(happening);
        if (kind === 'delegated-task') tasked.add(happening.agent.id);
        if (kind === 'subagent-settled')
          notices.set(runId, [...(notices.get(runId) ?? []), happening.agent.id]);
      }
      if (happening.at !== 'epoch-end' || happening.epoch.mode !== 'continuable') return;
      const { childId, parentId, runId, resumed } = happening.epoch;
      const parent = trial.program.agents.get(parentId);
      // A durable inbox takes nothing once its log is another process's.
      const deaf = parent?.inbox.durable === true && (parent.session.sealed || parent.session.lost.aborted);
      const due = (resumed ? worked : tasked).has(childId) && parent !== undefined && !deaf ? 1 : 0;
      const told = notices.get(runId) ?? [];
      const open = due === 0 && restored.has(childId) ? told.length : due;
      if (told.length > 1 || told.length !== open || told.some((id) => id !== parentId))
        trial.fail(
          `[M33] the end of ${childId} was told ${String(told.length)} times to ${told.join(' ')}, and ${String(due)} was due to ${parentId}`,
        );
    },
  };
}

/** An idle parent is woken, unless its lineage is closing. */
export function noticesWake(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'enqueue' || sourceOf(happening).kind !== 'subagent-settled') return;
      const { agent, wake } = happening;
      const { hops = 0 } = sourceOf(happening);
      if (hops > (trial.settings.wide?.maxHops ?? 1_000)) {
        if (wake) trial.fail(`[M47] a notice to ${agent.id} wakes it after ${String(hops)} hops`);
        return;
      }
      const closing = [agent.id, ...facts.ancestors(agent.id)].some(
        (id) => facts.live.get(id)?.status === 'closing',
      );
      if (!wake && !closing && !facts.isGated(agent.id) && !facts.isStopped(agent.id))
        trial.fail(`[M35] the notice to ${agent.id} wakes nobody, though nothing closes`);
    },
  };
}

/** What a child has sent in an epoch stands before the notice of that epoch. */
export function childrenSpeakBeforeTheirNotice(trial: Trial): Invariant {
  const noticed = new Map<SessionId, SessionId>();
  return {
    see(happening) {
      if (happening.at === 'crash') noticed.clear();
      if (happening.at === 'epoch-start') noticed.delete(happening.epoch.childId);
      if (happening.at !== 'enqueue') return;
      const { kind, childSessionId, senderSessionId } = sourceOf(happening);
      if (kind === 'subagent-settled' && childSessionId !== undefined)
        noticed.set(childSessionId, happening.agent.id);
      if (
        kind === 'agent-message' &&
        senderSessionId !== undefined &&
        noticed.get(senderSessionId) === happening.agent.id
      )
        trial.fail(`[M19] a message of ${senderSessionId} came after the notice of its end`);
    },
  };
}
