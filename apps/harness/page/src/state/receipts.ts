/** [pure] What came of a deed, in sentences. */
import type { InterruptReply } from '../wire.ts';
import { counted } from './format.ts';
import { turnWords } from './words.ts';

export function interruptSentence({ turn, kept, descendantsRunning }: InterruptReply): string {
  const what =
    turn === undefined ? 'It was between turns, and is held there.' : `${turnWords(turn)} was interrupted.`;
  const waits =
    kept === 0 ? '' : ` ${counted(kept, 'message waits', 'messages wait')} until somebody writes to it.`;
  const below =
    descendantsRunning === 0
      ? ''
      : ` ${counted(descendantsRunning, 'agent below it goes on', 'agents below it go on')}.`;
  return `${what}${waits}${below}`;
}

export const stopSentence = (name: string): string =>
  `${name} and everything below it was stopped. The conversations are kept.`;
