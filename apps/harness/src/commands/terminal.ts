/** What a command needs of the process that it runs in; tests bring their own. */
import type { ChatInput } from '../chat/line-input.ts';
import type { SignalTarget } from '../app/stop-on-signals.ts';
import type { Environment } from '../models/real-models.ts';

export interface Terminal {
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean };
  /** What a person types. */
  readonly input?: ChatInput;
  readonly err: { write(text: string): unknown };
  readonly environment: Environment;
  readonly cwd: string;
  readonly signals: SignalTarget;
  readonly kill: () => void;
  /** Chance as a port: the delay before a model is asked again. Default: the machine's own. */
  readonly random?: () => number;
  /** Runs this program again, in a process of its own, with these arguments; resolves to its exit code. */
  again(args: readonly string[]): Promise<number>;
}
