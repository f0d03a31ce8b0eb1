import { memoryMedium, type MemoryMedium, type Session, type SessionId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { faultyDriver, type Fault } from '../src/conformance/index.ts';
import { all, bench, codeOf, kiwi, plum, quiet, seeded, turn, user } from './fixtures.ts';

const faults: readonly Fault[] = [
  'none',
  'none',
  'none',
  'fail-before',
  'fail-half',
  'fail-after',
  'fail-parts',
];

type Random = (below: number) => number;

function chance(seed: number): Random {
  const random = seeded(seed);
  for (let step = 0; step < 5; step += 1) random();
  return (below) => Math.floor(random() * below);
}

async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await Promise.resolve();
}

describe('a crash', () => {
  it('leaves what was asked of the driver unanswered, and unwritten what it had not begun [S14]', async () => {
    const { store, driver, medium } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    await store.flush(session);
    turn(session);
    let settled = false;
    const note = (): void => {
      settled = true;
    };
    store.flush(session).then(note, note);
    driver.crash();
    await quiet();
    expect(settled).toBe(false);
    expect(session.durableLength).toBe(3);
    const next = (await bench({ medium })).store;
    expect(await all(next.read(plum))).toHaveLength(3);
    await next.open(plum);
    await quiet();
    expect(session.lost.aborted).toBe(false);
  });

  it('between writing and answering leaves events that nobody was told of [S14]', async () => {
    const seen = new Set<string>();
    for (let at = 0; at < 12; at += 1) {
      const { store, driver, medium } = await bench();
      const session = await store.create({ id: plum });
      turn(session);
      await steps(at);
      driver.crash();
      await quiet();
      const next = (await bench({ medium })).store;
      const stored = (await codeOf(() => next.head(plum))) === 'none' ? (await next.head(plum)).length : 0;
      expect(stored).toBeGreaterThanOrEqual(session.durableLength);
      seen.add(`${session.durableLength}/${stored}`);
    }
    expect([...seen]).toEqual(['0/0', '0/3', '3/3']);
  });

  it('at any instant loses nothing durable, and keeps a prefix of what was appended [S12] [S14] [S17]', async () => {
    for (let seed = 0; seed < 150; seed += 1) await crashes(chance(seed), seed);
  });
});

/** Some processes in a row, each of which dies at some instant; what they appended is known here. */
async function crashes(random: Random, seed: number): Promise<void> {
  const medium = memoryMedium();
  for (let life = 0; life < 4; life += 1) {
    const wrap = (driver: Parameters<typeof faultyDriver>[0]) =>
      faultyDriver(driver, () => faults[random(faults.length)] ?? 'none');
    const { store, driver } = await bench({ medium, wrap });
    const sessions: Session[] = [];
    for (const id of [plum, kiwi]) {
      const session = await opened(store, id);
      if (session !== undefined) sessions.push(session);
    }
    for (let step = 0; step < 10; step += 1) {
      const session = sessions[random(sessions.length)];
      if (session === undefined) continue;
      act(session, random);
      if (random(3) === 0) store.flush(session).catch(() => undefined);
      await steps(random(6));
    }
    driver.crash();
    for (const session of sessions) await check(medium, session, seed);
  }
}

async function opened(
  store: Awaited<ReturnType<typeof bench>>['store'],
  id: SessionId,
): Promise<Session | undefined> {
  for (let tries = 0; tries < 20; tries += 1) {
    const code = await codeOf(() => store.open(id));
    if (code === 'none') return store.get(id);
    if (code === 'SESSION_NOT_FOUND') return store.create({ id });
  }
  return undefined;
}

function act(session: Session, random: Random): void {
  if (!session.turnOpen) session.append('turn/start', { turn: session.turns });
  else if (random(3) === 0)
    session.append('turn/end', { turn: session.turns - 1, reason: { kind: 'completed' } });
  else session.append('user/message', user(`${session.length}`));
}

async function check(medium: MemoryMedium, session: Session, seed: number): Promise<void> {
  const { store } = await bench({ medium });
  const code = await codeOf(() => store.head(session.id));
  const records = code === 'none' ? await all(store.read(session.id)) : [];
  expect(records.length, `seed ${seed}`).toBeGreaterThanOrEqual(session.durableLength);
  const appended = session.events().slice(0, records.length);
  expect(records, `seed ${seed}`).toEqual(appended.map((event) => ({ kind: 'event', event })));
}

describe('any order of what is asked of a store', () => {
  it('keeps one live Session per id, and leaves no place taken [S3] [S4] [S11] [S20] [S30]', async () => {
    for (let seed = 0; seed < 150; seed += 1) await anyOrder(chance(seed), seed);
  });
});

async function anyOrder(random: Random, seed: number): Promise<void> {
  const { store, medium } = await bench();
  const live = new Map<SessionId, Session>();
  const running: Promise<unknown>[] = [];
  const ids = [plum, kiwi];
  for (let step = 0; step < 25; step += 1) {
    const id = ids[random(2)] ?? plum;
    running.push(codeOf(() => ask(random, id)));
    await steps(random(5));
    for (const one of ids) {
      const now = store.get(one);
      const before = live.get(one);
      // Whoever is replaced has ended before.
      if (before !== undefined && before !== now) expect(before.sealed, `seed ${seed}`).toBe(true);
      if (now !== undefined) live.set(one, now);
    }
  }
  await store[Symbol.asyncDispose]();
  await Promise.all(running);
  const next = (await bench({ medium })).store;
  for (const id of ids) {
    const code = await codeOf(() => next.open(id));
    expect(['none', 'SESSION_NOT_FOUND'], `seed ${seed}`).toContain(code);
    if (code !== 'none') await next.create({ id });
  }

  function ask(draw: Random, id: SessionId): unknown {
    const session = store.get(id);
    switch (draw(8)) {
      case 0:
        return store.create({ id, provisional: draw(2) === 0 });
      case 1:
        return store.open(id);
      case 2:
        return store.fork(id === plum ? kiwi : plum, { id });
      case 3:
        return store.delete(id);
      case 4:
        return session === undefined ? undefined : store.close(session);
      case 5:
        store.discard(session ?? failing());
        return undefined;
      case 6:
        store.commit(session ?? failing());
        return undefined;
      default:
        if (session !== undefined && !session.turnOpen) turn(session);
        return session === undefined ? undefined : store.flush(session);
    }
  }
}

/** Nobody is live under that id. */
function failing(): Session {
  return { id: plum } as Session;
}
