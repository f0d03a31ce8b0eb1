/** What is said of a run at its end. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { App } from '../app/create-app.ts';
import { signalCodes, type StopSignal } from '../app/stop-on-signals.ts';
import { exitCodes, outcomeOf } from './outcome.ts';
import type { RunSummary } from './run-event.ts';
import { totalUsage, type RunLog } from './run-log.ts';
import { UsageError } from './usage-error.ts';

/** What ended the work: the tree at rest, a signal, or what a scenario or the program did wrong. */
export type Ending = { readonly signal?: StopSignal } | { readonly error: unknown };
/** Reads what the program still holds: call it before the program is stopped. */
export async function summarize(
  { ctx }: App,
  root: Agent,
  log: RunLog,
  { store, ending }: { readonly store: string; readonly ending: Ending },
): Promise<RunSummary> {
  await ctx.sessions.flush(root.session);
  const { turns, activations, parked, answer, lastTurnEnd } = log;
  const outcome =
    forced(ending) ?? outcomeOf({ lastTurnEnd, parked: parked.length > 0 || root.inbox.parked });
  return {
    type: 'summary',
    ...outcome,
    root: root.id,
    store,
    ...(answer === undefined ? {} : { answer }),
    turns,
    activations,
    parked,
    usage: totalUsage(ctx.subagents.usage(root.id)),
  };
}

/** The outcome of a run that did not come to its rest. */
function forced(ending: Ending): Pick<RunSummary, 'outcome' | 'exitCode'> | undefined {
  if ('error' in ending) {
    const usage = ending.error instanceof UsageError;
    return { outcome: usage ? 'usage' : 'error', exitCode: usage ? exitCodes.usage : exitCodes.error };
  }
  const { signal } = ending;
  return signal === undefined ? undefined : { outcome: signal, exitCode: signalCodes[signal] };
}
