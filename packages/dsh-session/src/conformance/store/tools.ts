/** A store over a medium that may fail, and what the store-level tests do with it. */
import assert from 'node:assert/strict';
import type { SessionDriver } from '../../driver.ts';
import { SessionError } from '../../errors.ts';
import type { SessionEvent } from '../../event.ts';
import type { SessionId } from '../../ids.ts';
import { newMessageId } from '../../new-id.ts';
import { openSessionStore } from '../../open-store.ts';
import type { Session } from '../../session.ts';
import type { SessionStore } from '../../store.ts';
import { faultyDriver, type FaultPlan } from '../faulty-driver.ts';
import { stillClock } from '../fixtures.ts';
import type { Group, Medium } from '../medium.ts';

export interface Stores {
  /** A store of a further living process. */
  readonly store: (medium: Medium) => Promise<SessionStore>;
  /** A store of a new process; the ones before are dead. */
  readonly restart: (medium: Medium) => Promise<SessionStore>;
}

export interface StoreGroup {
  readonly name: string;
  readonly cases: Readonly<Record<string, (medium: Medium, stores: Stores) => Promise<void>>>;
}

/** The tests over stores whose appends fail as `plan` says. */
export function overStores(groups: readonly StoreGroup[], plan?: FaultPlan): readonly Group[] {
  const over = (driver: SessionDriver): Promise<SessionStore> =>
    openSessionStore({
      driver: plan === undefined ? driver : faultyDriver(driver, plan),
      clock: stillClock(),
    });
  const stores: Stores = {
    store: async (medium) => over(await medium.driver()),
    restart: async (medium) => over(await medium.reopen()),
  };
  return groups.map(({ name, cases }) => ({
    name,
    cases: Object.fromEntries(
      Object.entries(cases).map(([title, body]) => [title, (medium: Medium) => body(medium, stores)]),
    ),
  }));
}

/** Tries again what the medium let fail: each fault is followed by a success. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!SessionError.is(error) || error.code !== 'NOT_DURABLE' || tries === 5) throw error;
    }
  }
}

export async function settle(store: SessionStore, session: Session): Promise<void> {
  await insist(() => store.flush(session));
  assert.equal(session.durableLength, session.length);
}

/** One whole turn. */
export function turn(session: Session, text: string): void {
  session.append('turn/start', { turn: session.turns });
  say(session, text);
  session.append('turn/end', { turn: session.turns - 1, reason: { kind: 'completed' } });
}

export function say(session: Session, text: string): void {
  session.append('user/message', {
    id: newMessageId(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  });
}

export async function storedEvents(store: SessionStore, id: SessionId): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const record of store.read(id)) {
    if (record.kind !== 'event') assert.fail(`record ${record.kind} in the log of ${id}`);
    events.push(record.event);
  }
  return events;
}

export async function listedIds(store: SessionStore): Promise<readonly SessionId[]> {
  const ids: SessionId[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids;
}
