/**
 * [pure] The shape of turns: which event may follow (S10).
 * I1. A shape is a value: an event gives the next one, so that a batch can be tried and dropped.
 * I2. `advance` is total. What a log already holds is taken as it is; only what is new is refused.
 */
import type { NewEvent, SessionEvent, SessionEventType, UnknownEvent } from '../event.ts';
import type { JsonValue } from '../json.ts';
import type { AssistantMessage } from '../message.ts';

/** A call of the open turn without a result. */
export interface PendingCall {
  readonly callId: string;
  readonly name: string;
  readonly started: boolean;
  /** What `tool/progress` kept. */
  readonly kept: readonly JsonValue[];
}

export interface TurnShape {
  /** How many turns were started: the ordinal of the next one. */
  readonly turns: number;
  /** The ordinal of the open one. */
  readonly open?: number;
  readonly calls: ReadonlyMap<string, PendingCall>;
}

const noCalls: ReadonlyMap<string, PendingCall> = new Map();
export const emptyShape: TurnShape = { turns: 0, calls: noCalls };

/** An event of which only the kind and the data count here. */
export type ShapeEvent = Pick<SessionEvent | UnknownEvent, 'type' | 'data'>;

/** The shape after `event`, whatever it is (I2). */
export function advance(shape: TurnShape, given: ShapeEvent): TurnShape {
  const event = given as NewEvent;
  switch (event.type) {
    case 'turn/start':
      return { ...shape, turns: event.data.turn + 1, open: event.data.turn, calls: noCalls };
    case 'turn/end':
      return { turns: shape.turns, calls: noCalls };
    case 'assistant/message':
      return shape.open === undefined ? shape : withCalls(shape, callsOf(event.data));
    case 'tool/start':
      return changeCall(shape, event.data.callId, (call) => ({ ...call, started: true }));
    case 'tool/progress': {
      const { data } = event.data;
      return changeCall(shape, event.data.callId, (call) => ({ ...call, kept: [...call.kept, data] }));
    }
    case 'tool/result':
      return withoutCall(shape, event.data.callId);
    default:
      return shape;
  }
}

/** Why `event` may not come next, as a sentence. `seq` is the place that it would get. */
export function sequenceProblem(shape: TurnShape, event: NewEvent, seq: number): string | undefined {
  switch (event.type) {
    case 'turn/start':
      if (shape.open !== undefined) return `turn ${shape.open} is open: turns do not nest`;
      return event.data.turn === shape.turns
        ? undefined
        : `the next turn is ${shape.turns}, not ${event.data.turn}`;
    case 'turn/end':
      if (shape.open !== event.data.turn) return `turn ${event.data.turn} is not open`;
      return unanswered(shape);
    case 'assistant/message':
      return assistantProblem(shape, event.data);
    case 'tool/start':
      if (shape.calls.get(event.data.callId)?.started === true)
        return `call ${event.data.callId} has started before`;
      return callProblem(shape, event.data.callId);
    case 'tool/progress':
    case 'tool/result':
      return callProblem(shape, event.data.callId);
    case 'history/replaced':
      return event.data.upTo > seq ? `nothing stands below ${event.data.upTo} yet` : undefined;
    default:
      return undefined;
  }
}

function assistantProblem(shape: TurnShape, message: AssistantMessage): string | undefined {
  const calls = callsOf(message);
  if (calls.length === 0) return unanswered(shape);
  if (shape.open === undefined) return 'no turn is open that could answer a tool call';
  const ids = new Set(calls.map(({ callId }) => callId));
  return ids.size < calls.length ? 'two calls of one message have the same id' : unanswered(shape);
}

function unanswered(shape: TurnShape): string | undefined {
  const [call] = shape.calls.keys();
  return call === undefined ? undefined : `call ${call} has no result`;
}

function callProblem(shape: TurnShape, callId: string): string | undefined {
  return shape.calls.has(callId) ? undefined : `no call ${callId} of the open turn waits for a result`;
}

function callsOf(message: AssistantMessage): readonly PendingCall[] {
  return message.content.flatMap((block) =>
    block.type === 'tool-call' ? [{ callId: block.callId, name: block.name, started: false, kept: [] }] : [],
  );
}

function withCalls(shape: TurnShape, calls: readonly PendingCall[]): TurnShape {
  if (calls.length === 0) return shape;
  return { ...shape, calls: new Map([...shape.calls, ...calls.map((call) => [call.callId, call] as const)]) };
}

function withoutCall(shape: TurnShape, callId: string): TurnShape {
  if (!shape.calls.has(callId)) return shape;
  const calls = new Map(shape.calls);
  calls.delete(callId);
  return { ...shape, calls: calls.size === 0 ? noCalls : calls };
}

function changeCall(shape: TurnShape, callId: string, change: (call: PendingCall) => PendingCall): TurnShape {
  const call = shape.calls.get(callId);
  if (call === undefined) return shape;
  return { ...shape, calls: new Map(shape.calls).set(callId, change(call)) };
}

/** Types without which a turn cannot be brought to its end: they are taken whatever the pressure (S13). */
export const closingTypes: readonly SessionEventType[] = ['tool/result', 'turn/end'];
