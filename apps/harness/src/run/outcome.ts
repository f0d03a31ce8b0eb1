/** [pure] How a run ended, and the exit code that says so. The README lists the codes. */
import type { TurnEndReason } from '@deepseek-ai/dsh-session';

export const exitCodes = {
  completed: 0,
  error: 1,
  usage: 2,
  /** Refused, or stopped at a limit of tokens, steps or budget. */
  stopped: 3,
  /** Messages wait for a person to write. */
  parked: 4,
  /** The root's last turn was aborted. */
  aborted: 5,
} as const;

export interface RunFacts {
  /** How the last turn of the root ended; nothing where it had none in this run. */
  readonly lastTurnEnd: TurnEndReason | undefined;
  /** Somebody's messages wait, parked. */
  readonly parked: boolean;
}

/** The root's own ending counts before what waits elsewhere. */
export function outcomeOf({ lastTurnEnd, parked }: RunFacts): {
  readonly outcome: string;
  readonly exitCode: number;
} {
  const kind = lastTurnEnd?.kind ?? 'completed';
  switch (kind) {
    case 'completed':
      return parked
        ? { outcome: 'parked', exitCode: exitCodes.parked }
        : { outcome: kind, exitCode: exitCodes.completed };
    case 'error':
    case 'interrupted':
      return { outcome: kind, exitCode: exitCodes.error };
    case 'aborted':
      return { outcome: kind, exitCode: exitCodes.aborted };
    case 'refused':
    case 'max-tokens':
    case 'max-steps':
    case 'budget':
      return { outcome: kind, exitCode: exitCodes.stopped };
  }
}
