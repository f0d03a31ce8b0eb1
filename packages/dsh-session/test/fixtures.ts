import {
  memoryDriver,
  memoryMedium,
  newMessageId,
  openSessionStore,
  parseSessionId,
  SessionError,
  type AssistantMessage,
  type BatchPart,
  type Clock,
  type Diagnostic,
  type MemoryDriver,
  type MemoryMedium,
  type PartResult,
  type Session,
  type SessionDriver,
  type SessionStore,
  type SessionStoreOptions,
  type TextBlock,
  type ToolResultMessage,
  type UserMessage,
} from '@deepseek-ai/dsh-session';

export const plum = parseSessionId('plum');
export const kiwi = parseSessionId('kiwi');

/** A clock that a test moves. */
export interface HandClock extends Clock {
  advance(ms: number): void;
  readonly timers: number;
}

export function handClock(start = 1_700_000_000_000): HandClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    timer(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      const dispose = (): void => {
        timers.delete(timer);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.run();
      }
    },
    get timers() {
      return timers.size;
    },
  };
}

export interface Bench {
  readonly medium: MemoryMedium;
  readonly driver: MemoryDriver;
  readonly clock: HandClock;
  readonly store: SessionStore;
  readonly diagnostics: Diagnostic[];
}

/** Chance that a seed decides. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A store over a memory medium; `wrap` puts another driver in between. */
export async function bench(
  options: Partial<SessionStoreOptions> & {
    readonly medium?: MemoryMedium;
    readonly wrap?: (driver: SessionDriver) => SessionDriver;
  } = {},
): Promise<Bench> {
  const { medium = memoryMedium(), wrap = (given: SessionDriver): SessionDriver => given, ...rest } = options;
  const clock = handClock();
  const driver = memoryDriver({ medium, clock });
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    diagnostics.push(diagnostic);
  };
  const store = await openSessionStore({
    driver: wrap(driver),
    clock,
    random: seeded(1),
    onDiagnostic,
    ...rest,
  });
  return { medium, driver, clock, store, diagnostics };
}

const text = (value: string): readonly TextBlock[] => [{ type: 'text', text: value }];

export function user(value = 'hello', id = newMessageId()): UserMessage {
  return { id, role: 'user', content: text(value), source: { kind: 'user' } };
}

export function assistant(...callIds: readonly string[]): AssistantMessage {
  return {
    id: newMessageId(),
    role: 'assistant',
    content: callIds.map((callId) => ({ type: 'tool-call', callId, name: 'dig', input: {} })),
    finish: callIds.length === 0 ? 'stop' : 'tool-calls',
  };
}

export function result(callId: string): ToolResultMessage {
  return { role: 'tool', callId, name: 'dig', content: text('dug'), outcome: 'ok' };
}

/** One whole turn with one message. */
export function turn(session: Session, value = 'hello'): void {
  session.append('turn/start', { turn: session.turns });
  session.append('user/message', user(value));
  session.append('turn/end', { turn: session.turns - 1, reason: { kind: 'completed' } });
}

/** The code of what `work` throws or rejects with. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (SessionError.is(error)) return error.code;
    throw error;
  }
  return 'none';
}

/** Lets everything that is under way go on until only what nobody settles is left. */
export async function quiet(): Promise<void> {
  for (let step = 0; step < 200; step += 1) await Promise.resolve();
}

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}

/** A driver whose appends a test answers itself. `pass` hands one on to the real driver. */
export interface HeldAppend {
  readonly parts: readonly BatchPart[];
  pass(): Promise<void>;
  answer(results: readonly PartResult[]): void;
  fail(cause: unknown): void;
}

export function heldDriver(driver: SessionDriver): {
  readonly driver: SessionDriver;
  readonly appends: HeldAppend[];
} {
  const appends: HeldAppend[] = [];
  const append = (parts: readonly BatchPart[]): Promise<readonly PartResult[]> =>
    new Promise((resolve, reject) => {
      appends.push({
        parts,
        pass: async () => {
          resolve(await driver.append(parts));
          await quiet();
        },
        answer: resolve,
        fail: reject,
      });
    });
  return { driver: over(driver, { append }), appends };
}

/** `driver` with some of its methods replaced. */
export function over(driver: SessionDriver, changes: Partial<SessionDriver>): SessionDriver {
  return {
    protocol: driver.protocol,
    manifest: driver.manifest,
    take: (...args) => driver.take(...args),
    append: (parts) => driver.append(parts),
    release: (...args) => driver.release(...args),
    head: (...args) => driver.head(...args),
    read: (...args) => driver.read(...args),
    list: (query) => driver.list(query),
    delete: (...args) => driver.delete(...args),
    repair: (...args) => driver.repair(...args),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
    ...changes,
  };
}

/** What the log holds, as JSON text, so that lone surrogates and member order count too. */
export function snapshot(session: Session): string {
  return JSON.stringify(session.events());
}
