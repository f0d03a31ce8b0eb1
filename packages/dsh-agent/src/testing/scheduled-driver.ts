/**
 * A session driver whose answers are steps of a scheduler, and which fails where a plan says so.
 * Owns: when a call takes effect and when its answer is seen.  Does not own: what is stored.
 * I1. A call takes effect in one step, and its answer is seen in another: a crash may fall between the two.
 * I2. A planned failure comes either before any effect or after the whole effect.
 */
import type { SessionDriver, SessionId, WriterPlace } from '@deepseek-ai/dsh-session';
import { answerLater } from './scheduled-answer.ts';
import type { SeededScheduler } from './seeded-scheduler.ts';

export interface DriverCall {
  /** Of the driver port. */
  readonly method: 'take' | 'append' | 'release' | 'head' | 'read' | 'list' | 'delete' | 'repair';
  /** The Sessions that it is about; none for a list over all. */
  readonly ids: readonly SessionId[];
  /** How many calls of this method came before. */
  readonly index: number;
}

/** A call that goes wrong. */
export interface DriverFault {
  /** What the call rejects with: as a rule a `SessionError`. */
  readonly error: Error;
  /** Whether the medium did what was asked, all the same. */
  readonly effect: 'none' | 'done';
}

/** The options of {@link scheduledDriver}. */
export interface ScheduledDriverOptions {
  /** Stands in front of the labels. Default `driver`. */
  readonly label?: string;
  /** Asked at each call, in its step. */
  readonly fault?: (call: DriverCall) => DriverFault | undefined;
}

/** Lets `scheduler` decide when each call of `driver` takes effect and when its answer arrives. */
export function scheduledDriver(
  driver: SessionDriver,
  scheduler: SeededScheduler,
  options: ScheduledDriverOptions = {},
): SessionDriver {
  const { call, each } = callRunner(scheduler, options);
  const ofPlace = ({ id }: WriterPlace): readonly SessionId[] => [id];
  return {
    protocol: driver.protocol,
    manifest: driver.manifest,
    take: (id, intent, wait) => call('take', [id], () => driver.take(id, intent, wait)),
    append: (parts) => {
      const ids = parts.map(({ place }) => place.id);
      return call('append', ids, () => driver.append(parts));
    },
    release: (place) => call('release', ofPlace(place), () => driver.release(place)),
    head: (id, wait) => call('head', [id], () => driver.head(id, wait)),
    read: (id, range) => each('read', [id], () => driver.read(id, range)),
    list: (query) => each('list', query.parent === undefined ? [] : [query.parent], () => driver.list(query)),
    delete: (id, wait) => call('delete', [id], () => driver.delete(id, wait)),
    repair: (place, wait) => call('repair', ofPlace(place), () => driver.repair(place, wait)),
    [Symbol.asyncDispose]: () =>
      answerLater(scheduler, `${options.label ?? 'driver'} dispose`, async () =>
        driver[Symbol.asyncDispose](),
      ),
  };
}

function callRunner(scheduler: SeededScheduler, { label = 'driver', fault }: ScheduledDriverOptions) {
  const counts = new Map<DriverCall['method'], number>();
  const next = (method: DriverCall['method'], ids: readonly SessionId[]): DriverCall => {
    const index = counts.get(method) ?? 0;
    counts.set(method, index + 1);
    return { method, ids, index };
  };
  const labelOf = ({ method, ids }: DriverCall): string => [label, method, ...ids].join(' ');

  async function call<T>(
    method: DriverCall['method'],
    ids: readonly SessionId[],
    work: () => Promise<T>,
  ): Promise<T> {
    const made = next(method, ids);
    return answerLater(scheduler, labelOf(made), async () => {
      const planned = fault?.(made);
      if (planned?.effect === 'none') throw planned.error;
      const answer = await work();
      if (planned !== undefined) throw planned.error;
      return answer;
    });
  }
  async function* each<T>(
    method: DriverCall['method'],
    ids: readonly SessionId[],
    source: () => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const made = next(method, ids);
    const step = labelOf(made);
    await scheduler.task(step);
    const planned = fault?.(made);
    if (planned?.effect === 'none') throw planned.error;
    for await (const item of source()) {
      yield item;
      await scheduler.task(`${step} more`);
    }
    if (planned !== undefined) throw planned.error;
  }
  return { call, each };
}
