/**
 * The places that one driver holds.
 * I1. A place is held from before `take` resolves until its release, and is given back once.
 * I2. The life sign is shown before a place is taken, and rests only while none is held or asked for.
 */
import { settleAll } from '@dsh-internal/async';
import {
  sessionError,
  type BatchPart,
  type PartResult,
  type SeedPrefix,
  type SessionError,
  type SessionId,
  type WriterPlace,
} from '@deepseek-ai/dsh-session';
import type { Medium } from './medium.ts';
import { requireHeader, takeNew, takeStored } from './taking.ts';
import type { Writer } from './writer.ts';

export interface HeldPlaces {
  take(id: SessionId, intent: 'create' | 'open', prefix: SeedPrefix | undefined): Promise<WriterPlace>;
  append(part: BatchPart): Promise<PartResult>;
  /** Rejects `FENCED` where the place is not held. */
  writer(place: WriterPlace): Writer;
  release(place: WriterPlace, kept?: { readonly summary?: string }): Promise<void>;
  /** Refuses new places and gives all back. */
  close(): Promise<void>;
}

const notHeld = ({ id }: WriterPlace): SessionError =>
  sessionError('FENCED', `session ${id}: not written, its place is not held here`);

type Ask = [id: SessionId, intent: 'create' | 'open', prefix: SeedPrefix | undefined];

async function takeWriter(medium: Medium, ...[id, intent, prefix]: Ask): Promise<Writer> {
  if (intent === 'open') await requireHeader(medium, id);
  await medium.children.prepare();
  await medium.holders.wake();
  return intent === 'create' ? takeNew(medium, id, prefix) : takeStored(medium, id);
}

export function createHeldPlaces(medium: Medium): HeldPlaces {
  const { holders } = medium;
  const held = new Map<string, Writer>();
  const taking = new Set<Promise<Writer>>();
  let closed = false;

  const rest = (): void => {
    if (held.size === 0 && taking.size === 0) holders.rest();
  };
  const begin = async (...ask: Ask): Promise<Writer> => {
    const writer = await takeWriter(medium, ...ask);
    held.set(writer.place.token, writer);
    return writer;
  };
  const release: HeldPlaces['release'] = async (place, kept) => {
    const writer = held.get(place.token);
    if (writer === undefined) return;
    try {
      await writer.finish(kept);
    } finally {
      held.delete(place.token);
      rest();
    }
  };

  return {
    async take(id, intent, prefix) {
      if (closed) throw sessionError('STORE_CLOSED', `session ${id} was not opened: the driver is closed`);
      const job = begin(id, intent, prefix);
      taking.add(job);
      try {
        return (await job).place;
      } finally {
        taking.delete(job);
        rest();
      }
    },
    append: async (part) =>
      held.get(part.place.token)?.append(part) ?? { ok: false, error: notHeld(part.place) },
    writer(place) {
      const writer = held.get(place.token);
      if (writer === undefined) throw notHeld(place);
      return writer;
    },
    release,
    async close() {
      closed = true;
      await settleAll([...taking]);
      const failures = await settleAll([...held.values()].map(({ place }) => release(place)));
      holders.rest();
      if (failures.length > 0) throw new AggregateError(failures, "some writers' places were not given back");
    },
  };
}
