/** What memory drivers write to. Several drivers over one medium stand for several processes. */
import type { WriterPlace } from '../driver.ts';
import { sessionError, type PlaceHolder } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import { damage, type MemoryDamage, type SharedPrefix, type Stored } from './stored.ts';

/** One holding of a writer's place. */
export interface Holding {
  readonly token: string;
  readonly holder: PlaceHolder;
  readonly lost: AbortController;
  /** `silent`: for longer than its lease, so that it hears of a take-over. `dead`: it hears nothing any more. */
  condition: 'live' | 'silent' | 'dead';
  /** Of a Session that is not stored yet. */
  readonly prefix?: SharedPrefix;
}

export interface MediumState {
  readonly sessions: Map<SessionId, Stored>;
  readonly holdings: Map<SessionId, Holding>;
  /** How many drivers and holdings there were: what names the next one. */
  processes: number;
  tokens: number;
}

/** Handed to several `memoryDriver`s, it is what they share. */
export interface MemoryMedium {
  /** Damages what is stored under `id`; `flipped-byte` needs the `seq` of an own record. */
  damage(id: SessionId, kind: MemoryDamage, seq?: number): void;
  /** The lease of whoever holds the place of `id` runs out, though the holder lives. */
  expire(id: SessionId): void;
}

export interface MediumWithState extends MemoryMedium {
  readonly state: MediumState;
}

/** An empty medium. */
export function memoryMedium(): MemoryMedium {
  const state: MediumState = { sessions: new Map(), holdings: new Map(), processes: 0, tokens: 0 };
  const medium: MediumWithState = {
    state,
    damage(id, kind, seq) {
      damage(storedOf(state, id), kind, seq);
    },
    expire(id) {
      const holding = state.holdings.get(id);
      if (holding?.condition === 'live') holding.condition = 'silent';
    },
  };
  return medium;
}

/** Throws `SESSION_NOT_FOUND`. */
export function storedOf(state: MediumState, id: SessionId): Stored {
  const stored = state.sessions.get(id);
  if (stored === undefined) throw sessionError('SESSION_NOT_FOUND', `session ${id} is not stored`);
  return stored;
}

/** Throws `SESSION_LOCKED` where a living process holds the place. */
export function refuseHeld(state: MediumState, id: SessionId): void {
  const holding = state.holdings.get(id);
  if (holding?.condition !== 'live') return;
  const { holder } = holding;
  const who = `process ${holder.pid ?? 0} on ${holder.host ?? 'memory'}`;
  const message = `the writer's place of session ${id} was not taken: held by ${who}`;
  throw sessionError('SESSION_LOCKED', message, { holder });
}

/** The holding of a place. Throws `FENCED` where it is another's by now. */
export function requireHeld(state: MediumState, place: WriterPlace): Holding {
  const holding = state.holdings.get(place.id);
  if (holding?.token === place.token) return holding;
  const message = `session ${place.id} not written: its place is another's`;
  throw sessionError('FENCED', message, holding === undefined ? {} : { holder: holding.holder });
}
