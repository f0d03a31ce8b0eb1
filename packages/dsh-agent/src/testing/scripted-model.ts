/**
 * A model that answers from a script.
 * Owns: which entry answers which request.  Does not own: the pieces that an answer arrives in.
 * I1. An entry is taken in the call of `stream`, in the order of the calls, not when the stream is read.
 * I2. A name that was released stays released.
 */
import { systemClock, type Clock } from '@deepseek-ai/dsh-session';
import { deferred, type Deferred } from '@dsh-internal/async';
import type { Model, ModelRequest } from '../model.ts';
import { answerEvents } from './scripted-stream.ts';
import {
  answerOf,
  END_OF_SCRIPT,
  nextTurn,
  type ScriptedAnswer,
  type ScriptedTurn,
} from './scripted-turn.ts';

/** A script: its entries, or a function that is asked at each request; `undefined` is the end of the script. */
export type Script =
  | readonly ScriptedTurn[]
  | ((
      request: ModelRequest,
      index: number,
    ) => ScriptedTurn | undefined | PromiseLike<ScriptedTurn | undefined>);

/** The options of {@link scriptedModel}. */
export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly id?: string;
  /** Measures `delayMs`. Default: the machine's clock. */
  readonly clock?: Clock;
  /** How many pieces a text arrives in at most. Default 3. */
  readonly pieces?: number;
  /** Has the last word on an entry when it is taken: for ids that were not known when the script was written. */
  readonly prepare?: (turn: ScriptedAnswer, request: ModelRequest) => ScriptedAnswer;
}

/** Made by {@link scriptedModel}. */
export interface ScriptedModel extends Model {
  /** The requests that it saw, also those that failed, the oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The entries that no request has taken. Empty for a function. */
  readonly remaining: readonly ScriptedTurn[];
  /** Adds entries at the end of the script. Throws for a function. */
  push(...turns: readonly ScriptedTurn[]): void;
  /** Lets every hold of that name go on, now and later. */
  release(name: string): void;
}

/**
 * A model for tests and demos, without a key and without a network: each request takes the next entry of the
 * script. When nothing fits any more it answers `(end of script)`.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  const holds = namedHolds();
  const source = scriptSource(script);
  const { clock = systemClock, pieces = 3 } = options;
  const prepare = options.prepare ?? ((turn: ScriptedAnswer) => turn);
  return {
    id: options.id ?? 'scripted',
    requests,
    get remaining() {
      return [...source.turns];
    },
    push: source.push,
    release: holds.release,
    stream(request, { signal }) {
      // A copy: the loop may go on with its own.
      const seen: ModelRequest = { ...request, messages: [...request.messages], tools: [...request.tools] };
      const turn = Promise.resolve(source.take(seen, requests.length)).then((taken) =>
        prepare(answerOf(taken ?? END_OF_SCRIPT), seen),
      );
      // The stream may never be read; then nobody is there to hear of it.
      turn.catch(() => undefined);
      requests.push(seen);
      return answerEvents(turn, { request: seen, signal, gate: holds.gate, clock, pieces });
    },
  };
}

function scriptSource(script: Script) {
  if (typeof script === 'function') {
    const push = (): void => {
      throw new TypeError('a script that is a function takes no further entries');
    };
    return { turns: [], push, take: async (request: ModelRequest, index: number) => script(request, index) };
  }
  const turns = [...script];
  return {
    turns,
    push: (...more: readonly ScriptedTurn[]): void => {
      turns.push(...more);
    },
    take(request: ModelRequest): ScriptedTurn | undefined {
      const index = nextTurn(turns, request);
      return index < 0 ? undefined : turns.splice(index, 1)[0];
    },
  };
}

interface NamedHolds {
  readonly gate: (name: string) => Promise<void>;
  readonly release: (name: string) => void;
}

function namedHolds(): NamedHolds {
  const gates = new Map<string, Deferred<void>>();
  const gateOf = (name: string): Deferred<void> => {
    const gate = gates.get(name) ?? deferred();
    gates.set(name, gate);
    return gate;
  };
  return {
    gate: (name) => gateOf(name).promise,
    release: (name) => {
      gateOf(name).resolve();
    },
  };
}
