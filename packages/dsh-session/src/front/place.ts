/**
 * The writer's place while a Session is being made.
 * 1. A place that was taken becomes a resident's, or is given back: also where the caller has left meanwhile.
 * 2. A caller that has left does not wait for that, but whoever wants the id next does.
 */
import { untilAborted } from '@dsh-internal/async';
import type { WriterPlace } from '../driver.ts';
import type { SeedPrefix } from '../header.ts';
import type { SessionId } from '../ids.ts';
import type { StoreContext } from './context.ts';

export interface Taking {
  readonly intent: 'create' | 'open';
  readonly prefix?: SeedPrefix | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Takes the place for `work`; where that fails, gives it back and rejects with the failure of `work` (1). */
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

/** The id stays taken until then, as that of a Session that closes (2). */
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

/** Never rejects: what fails is reported. */
export async function giveBack(
  context: StoreContext,
  place: WriterPlace,
  kept: { readonly summary?: string } = {},
): Promise<void> {
  try {
    await context.driver.release(place, kept);
  } catch (cause) {
    const message = `the place of session ${place.id} was not given back`;
    context.report({ code: 'release-failed', level: 'warning', message, sessionId: place.id, cause });
  }
}
