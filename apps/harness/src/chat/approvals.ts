/**
 * Questions whether a command may run. The next line that a person types answers the oldest one.
 * I1. Only `y` and `yes` allow. A turn that is interrupted takes its question back, and is answered with no.
 */
import { deferred, type Deferred } from '@dsh-internal/async';

export interface Approvals {
  readonly waiting: boolean;
  ask(question: string, signal: AbortSignal): Promise<boolean>;
  answer(text: string): void;
}

interface Question {
  readonly text: string;
  readonly answered: Deferred<boolean>;
}

export function createApprovals(show: (question: string) => void): Approvals {
  const open: Question[] = [];
  const close = (question: Question, allowed: boolean): void => {
    const at = open.indexOf(question);
    if (at < 0) return;
    open.splice(at, 1);
    question.answered.resolve(allowed);
    if (at === 0 && open[0] !== undefined) show(open[0].text);
  };
  return {
    get waiting() {
      return open.length > 0;
    },
    async ask(text, signal) {
      if (signal.aborted) return false;
      const question: Question = { text, answered: deferred<boolean>() };
      const onAbort = (): void => {
        close(question, false);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      open.push(question);
      if (open.length === 1) show(text);
      try {
        return await question.answered.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    answer(text) {
      const [first] = open;
      if (first !== undefined) close(first, /^\s*y(?:es)?\s*$/i.test(text));
    },
  };
}
