/** What an epoch comes to, by its turns alone, and that it ends in time and altogether. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId, TurnEndReason } from '@deepseek-ai/dsh-session';
import type { ActivationEnded } from '../../src/index.ts';
import type { Facts } from './facts.ts';
import type { Happening, Invariant } from './happening.ts';
import type { Trial } from './trial.ts';

interface Epoch {
  readonly agent: Agent;
  last: TurnEndReason | undefined;
  /** Accepted waking work was discarded after that turn. */
  dropped: boolean;
  output: string | undefined;
  recorded: { readonly runId: string; readonly outcome: string; readonly output?: string } | undefined;
}

/** By the end of its last turn, and by nothing that became of its store (M30). */
export function outcomesFollowTheTurns(trial: Trial, facts: Facts): Invariant {
  const epochs = new Map<SessionId, Epoch>();
  return {
    see(happening) {
      if (happening.at === 'created' && facts.isManaged(happening.agent)) {
        const { agent } = happening;
        const fresh = { last: undefined, dropped: false, output: undefined, recorded: undefined };
        epochs.set(agent.id, { agent, ...fresh });
      }
      if (happening.at === 'crash') epochs.clear();
      hear(epochs, happening);
      if (happening.at !== 'epoch-end' || happening.epoch.mode !== 'continuable') return;
      const epoch = epochs.get(happening.epoch.childId);
      if (epoch !== undefined) checkEnd(trial, epoch, happening.epoch);
    },
  };
}

function hear(epochs: ReadonlyMap<SessionId, Epoch>, happening: Happening): void {
  if (happening.at === 'log') {
    const { session, event } = happening;
    const epoch = epochs.get(session.id);
    if (epoch?.agent.session !== session) return;
    if (event.type === 'assistant/message') {
      const said = event.data.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      if (said.trim() !== '') epoch.output = said;
    }
    if (event.type === 'subagent/ended') epoch.recorded = event.data;
  }
  if (happening.at !== 'turn-end' && happening.at !== 'discard') return;
  const epoch = epochs.get(happening.agent.id);
  if (epoch?.agent !== happening.agent) return;
  if (happening.at === 'turn-end') Object.assign(epoch, { last: happening.reason, dropped: false });
  else if (happening.wake) epoch.dropped = true;
}

function checkEnd(
  trial: Trial,
  epoch: Epoch,
  { childId, runId, outcome, output, failure }: ActivationEnded,
): void {
  const { last, dropped, recorded, agent } = epoch;
  if ((failure !== undefined) !== (outcome === 'teardown-failed'))
    trial.fail(`[M33] ${childId} ended as ${outcome}, and its failure is ${String(failure)}`);
  if (failure !== undefined) {
    if (output !== undefined) trial.fail(`[M33] ${childId} was not torn down, and its output is told`);
    return;
  }
  if (outcome === 'fenced') {
    if (!agent.session.lost.aborted) trial.fail(`[M32] ${childId} ended as fenced, and has its place`);
    return;
  }
  const kind = last?.kind === 'interrupted' ? 'aborted' : last?.kind;
  const due = dropped ? 'aborted' : (kind ?? 'aborted');
  if (outcome !== due) trial.fail(`[M30 M33] ${childId} ended as ${outcome}, where its turns give ${due}`);
  if (output !== epoch.output)
    trial.fail(`[M33] ${childId} left ${String(output)}, where its log says ${String(epoch.output)}`);
  if (recorded?.runId !== runId) return;
  if (recorded.outcome !== outcome || recorded.output !== output)
    trial.fail(`[M33] the log of ${childId} says ${recorded.outcome} for ${outcome}`);
}

/** From its stop on an epoch has the time of one disposal, whatever hangs. */
export function releasesAreInTime(trial: Trial, facts: Facts): Invariant {
  const most = 30_000;
  const closing = new Map<Agent, number>();
  return {
    see(happening) {
      if (happening.at === 'status' && happening.status === 'closing')
        closing.set(happening.agent, trial.program.clock.now());
      if (happening.at !== 'disposed' || !facts.epochs.has(happening.agent.id)) return;
      const { agent } = happening;
      const took = trial.program.clock.now() - (closing.get(agent) ?? Infinity);
      if (took > most) trial.fail(`[M31] the end of ${agent.id} took ${String(took)} ms`);
    },
  };
}

/** When the end of an epoch is told, nobody has anything of it any more. */
export function endsAreWhole(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'epoch-end' || happening.epoch.mode !== 'continuable') return;
      const { childId } = happening.epoch;
      if (facts.live.has(childId)) trial.fail(`[M29] the end of ${childId} was told, and its agent is live`);
      if (trial.program.sessions.get(childId) !== undefined)
        trial.fail(`[M29] the end of ${childId} was told, and its Session is open`);
    },
  };
}

/** Told where nothing but parked work keeps it. */
export function parkedMeansParked(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'parked') return;
      const { childId } = happening.epoch;
      const agent = facts.live.get(childId);
      const waits = agent?.inbox.list().some(({ wake }) => wake) === true && agent.inbox.parked;
      if (agent?.status !== 'idle' || !waits)
        trial.fail(`[M25] ${childId} was told to be parked, and is ${String(agent?.status)}`);
      for (const { parentId, childId: owned } of facts.epochs.values())
        if (parentId === childId) trial.fail(`[M25] ${childId} was told to be parked, and owns ${owned}`);
    },
  };
}
