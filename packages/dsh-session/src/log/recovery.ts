/** [pure] What is written where a crash left a turn open (S17), and in the place of what is lost (S16). */
import { encodeEvent } from './codec.ts';
import type { StoredEvent } from '../driver.ts';
import type { PlaceHolder } from '../errors.ts';
import type { NewEvent } from '../event.ts';
import type { PendingCall } from './turn-shape.ts';

/** A result for each call without one, then the end of the turn. */
export function closingEvents(turn: number, calls: readonly PendingCall[]): readonly NewEvent[] {
  return [
    ...calls.map((call): NewEvent => ({ type: 'tool/result', data: missingResult(call) })),
    { type: 'turn/end', data: { turn, reason: { kind: 'interrupted' } } },
  ];
}

function missingResult(call: PendingCall): (NewEvent & { type: 'tool/result' })['data'] {
  const { callId, name, started, kept } = call;
  const text = started
    ? unknownText(name, kept)
    : `${name} was not started: the program stopped before that.`;
  return {
    role: 'tool',
    callId,
    name,
    content: [{ type: 'text', text }],
    outcome: started ? 'unknown' : 'not-started',
    ...(kept.length === 0 ? {} : { structured: { kept } }),
  };
}

function unknownText(name: string, kept: PendingCall['kept']): string {
  const first = `The outcome of ${name} is unknown: the program stopped while it ran.`;
  return kept.length === 0
    ? first
    : `${first} What it had noted: ${kept.map((data) => JSON.stringify(data)).join(' ')}`;
}

/** Keeps the place of an event that a repair set aside, so that the log has no gap. */
export function lostEvent(seq: number, time: number): StoredEvent {
  return encodeEvent({ seq, time, type: 'session/lost', data: { reason: 'the record could not be read' } });
}

/** The note of a repair, at the end of the log. */
export function recoveredEvent(seq: number, time: number, damaged: number): StoredEvent {
  return encodeEvent({ seq, time, type: 'session/recovered', data: { damaged } });
}

/** Says in the log that its writer's place was taken from another holder (S20). */
export function takenOverEvent(seq: number, time: number, from: PlaceHolder): StoredEvent {
  return encodeEvent({ seq, time, type: 'session/taken-over', data: { from } });
}
