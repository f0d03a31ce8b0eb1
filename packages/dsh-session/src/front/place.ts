/**
 * How the writer's place of a Session is taken and given back.
 * I1. A place that was taken becomes a resident's, or is given back: also where the caller has left meanwhile.
 * I2. A caller that has left does not wait for that, but whoever wants the id next does.
 */
import { untilAborted } from '@dsh-internal/async';
import type { WriterPlace } from '../driver.ts';
import type { SeedPrefix } from '../header.ts';
import type { SessionId } from '../ids.ts';
import type { StoreContext } from './context.ts';
import { withinMs } from './within-ms.ts';

export interface Taking {
  readonly intent: 'create' | 'open';
  readonly prefix?: SeedPrefix | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Takes the place for `work`; where that fails, gives it back and rejects with the failure of `work` (I1). */
export async function withPlace<T>(
  context: StoreContext,
  id: SessionId,
  taking: Taking,
  work: (place: WriterPlace) => Promise<T>,
): Promise<T> {
  const place = await take(context, id, taking);
  try {
    return await work(place);
  } catch (error) {
    const back = giveBack(context, place);
    if (taking.signal?.aborted === true) keepUntil(context, id, back);
    else await back;
    throw error;
  }
}

/** The id stays taken until then, as that of a Session that closes (I2). */
function keepUntil(context: StoreContext, id: SessionId, gone: Promise<void>): void {
  const { slots } = context.residents;
  const slot = { kind: 'closing', gone } as const;
  slots.set(id, slot);
  const free = (): void => {
    if (slots.get(id) === slot) slots.delete(id);
  };
  gone.then(free, free);
}

async function take(
  context: StoreContext,
  id: SessionId,
  { intent, prefix, signal }: Taking,
): Promise<WriterPlace> {
  const taking = context.driver.take(id, intent, prefix === undefined ? { signal } : { prefix, signal });
  try {
    return await untilAborted(taking, signal);
  } catch (error) {
    // Nobody waits for it any more, but it may still be taken: then it goes back.
    if (signal?.aborted === true) {
      const back = taking.then(
        (place) => giveBack(context, place),
        () => undefined,
      );
      keepUntil(context, id, back);
    }
    throw error;
  }
}

interface GivingBack {
  /** What is kept beside the log from now on (S27). */
  readonly summary?: string | undefined;
  /** How long it is waited for. Default: as long as it takes. */
  readonly atMostMs?: number;
}

/** Never rejects: what fails, or takes too long, is reported. */
export async function giveBack(
  { driver, clock, report }: StoreContext,
  place: WriterPlace,
  { summary, atMostMs }: GivingBack = {},
): Promise<void> {
  try {
    const released = driver.release(place, summary === undefined ? {} : { summary });
    await (atMostMs === undefined ? released : withinMs(clock, atMostMs, released));
  } catch (cause) {
    const message = `the place of session ${place.id} was not given back`;
    report({ code: 'release-failed', level: 'warning', message, sessionId: place.id, cause });
  }
}
