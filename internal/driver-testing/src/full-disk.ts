/** What a store does on a disk that is full, and after there is room again (S12). The disk is the caller's. */
import assert from 'node:assert/strict';
import { openSessionStore, type Session, type SessionDriver, type SessionId } from '@deepseek-ai/dsh-session';
import { entries, event, id, kiwi, outline, plum, records, stored, write } from './events.ts';

export interface FullDisk {
  /** A driver of a new process. */
  driver(): SessionDriver;
  /** All processes end without a word. */
  crash(): void;
  /** Takes all room but so many bytes. */
  fill(left: number): Promise<void>;
  free(): Promise<void>;
  /** Changes one byte of an own event. */
  damage(id: SessionId, seq: number): Promise<void>;
}

/** Finds no room in what is there already. */
const large = 'x'.repeat(20_000);

type Scenario = (disk: FullDisk) => Promise<void>;

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String((error as { readonly code?: unknown }).code ?? error),
  );

async function storeOn(disk: FullDisk) {
  const told: string[] = [];
  const store = await openSessionStore({
    driver: disk.driver(),
    onDiagnostic: ({ code }) => told.push(code),
  });
  const ofDurability = (): readonly string[] => told.filter((code) => code.startsWith('durability'));
  return { store, ofDurability };
}

function note(session: Session, text: string): void {
  session.append('fruit/note' as never, { text } as never);
}

/** Another process reads whole records, and no fewer than this one calls durable. */
async function expectDurable(disk: FullDisk, session: Session): Promise<void> {
  const reader = disk.driver();
  const durable = session.durableLength;
  const seen = durable === 0 ? [] : await records(reader, session.id);
  assert.ok(seen.length >= durable, `${seen.length} events are there, ${durable} were durable`);
  assert.deepEqual(
    seen.map(({ kind, seq }) => [kind, seq]),
    seen.map((_, seq) => ['event', seq]),
  );
  await reader[Symbol.asyncDispose]();
}

const texts = (list: readonly { readonly json?: string }[]): readonly unknown[] =>
  list.map(({ json = '{}' }) => (JSON.parse(json) as { data: { text: unknown } }).data.text);

const appending: Scenario = async (disk) => {
  const { store, ofDurability } = await storeOn(disk);
  const session = await store.create({ id: plum });
  note(session, 'first');
  await store.flush(session);
  await disk.fill(150_000);
  let failure = 'done';
  for (let round = 0; round < 1000 && failure === 'done'; round += 1) {
    note(session, 'x'.repeat(500 + (round % 7) * 1500));
    failure = await codeOf(store.flush(session));
    await expectDurable(disk, session);
  }
  assert.equal(failure, 'NOT_DURABLE');
  assert.deepEqual(ofDurability(), ['durability-lost']);
  note(session, 'y'.repeat(5000));
  const waiting = [store.flush(session), store.flush(session)].map(codeOf);
  assert.deepEqual(await Promise.all(waiting), ['NOT_DURABLE', 'NOT_DURABLE']);
  assert.ok(session.durableLength < session.length);
  await expectDurable(disk, session);
  await disk.free();
  await store.flush(session);
  assert.deepEqual(ofDurability(), ['durability-lost', 'durability-restored']);
  assert.equal(session.durableLength, session.length);
  await expectDurable(disk, session);
  note(session, 'last');
  await store.flush(session);
  const { length } = session;
  disk.crash();
  const next = await storeOn(disk);
  const found = await records(disk.driver(), plum);
  assert.equal(found.length, length);
  assert.equal(texts(found.slice(-1) as never)[0], 'last');
  const again = await next.store.open(plum);
  assert.equal(again.length, length + 1); // and that it was taken over
  await next.store[Symbol.asyncDispose]();
};

const creating: Scenario = async (disk) => {
  await write(...(await firstOf(disk, kiwi)));
  const { store } = await storeOn(disk);
  await disk.fill(0);
  const made = await store.create({ id: plum }).catch(() => undefined);
  if (made !== undefined) {
    note(made, large);
    assert.equal(await codeOf(store.flush(made)), 'NOT_DURABLE');
    assert.equal(made.durableLength, 0);
  }
  assert.deepEqual(
    (await entries(disk.driver())).map((entry) => [entry.kind, entry.id]),
    [['stored', kiwi]],
  );
  await disk.free();
  const session = made ?? (await store.create({ id: plum }));
  if (made === undefined) note(session, 'first');
  await store.flush(session);
  assert.equal(await outline(disk.driver(), plum), '0');
  await store[Symbol.asyncDispose]();
};

async function firstOf(disk: FullDisk, of: SessionId): Promise<Parameters<typeof write>> {
  const driver = disk.driver();
  return [driver, await stored(driver, of, 1), 1, [event(1)]];
}

const creatingTheStore: Scenario = async (disk) => {
  await disk.fill(0);
  const { store } = await storeOn(disk);
  const made = await store.create({ id: plum }).catch(() => undefined);
  if (made !== undefined) {
    note(made, large);
    assert.equal(await codeOf(store.flush(made)), 'NOT_DURABLE');
    assert.match(await codeOf(store.close(made)), /NOT_DURABLE/);
  }
  assert.deepEqual(await entries(disk.driver()).catch(() => []), []);
  await disk.free();
  const session = await store.create({ id: plum });
  note(session, 'first');
  await store.flush(session);
  assert.equal(await outline(disk.driver(), plum), '0');
  await store[Symbol.asyncDispose]();
};

const forking: Scenario = async (disk) => {
  const { store } = await storeOn(disk);
  const source = await store.create({ id: kiwi });
  for (let seq = 0; seq < 3; seq += 1) note(source, 'grape');
  await store.flush(source);
  await disk.fill(0);
  const made = await store.fork(kiwi, { id: plum, length: 2 }).catch(() => undefined);
  if (made !== undefined) {
    note(made, large);
    assert.equal(await codeOf(store.flush(made)), 'NOT_DURABLE');
  }
  assert.equal(await outline(disk.driver(), kiwi), '0 1 2');
  await disk.free();
  const fork = made ?? (await store.fork(kiwi, { id: plum, length: 2 }));
  if (made === undefined) note(fork, 'own');
  await store.flush(fork);
  assert.equal(await outline(disk.driver(), plum), '0 1 2');
  assert.equal(await outline(disk.driver(), kiwi), '0 1 2');
  await store[Symbol.asyncDispose]();
};

const takingOver: Scenario = async (disk) => {
  const dead = disk.driver();
  await stored(dead, plum, 3);
  disk.crash();
  const { store } = await storeOn(disk);
  for (const left of [0, 4096, 8192, 12_288, 16_384]) {
    await disk.free();
    await disk.fill(left);
    const session = await store.open(plum).catch(() => undefined);
    assert.match(await outline(disk.driver(), plum), /^0 1 2/);
    if (session !== undefined) await store.close(session).catch(() => undefined);
    if (session !== undefined) break;
  }
  await disk.free();
  const session = await store.open(plum);
  await store.close(session);
  const types = (await records(disk.driver(), plum)).map((record) =>
    record.kind === 'event' ? (JSON.parse(record.json) as { type: string }).type : 'damaged',
  );
  assert.deepEqual(types, ['fruit/note', 'fruit/note', 'fruit/note', 'session/taken-over']);
  await store[Symbol.asyncDispose]();
};

const closing: Scenario = async (disk) => {
  const { store } = await storeOn(disk);
  const [one, two] = [await store.create({ id: plum }), await store.create({ id: kiwi })];
  for (const session of [one, two]) note(session, 'first');
  await Promise.all([store.flush(one), store.flush(two)]);
  await disk.fill(0);
  note(one, large);
  await assert.rejects(store.close(one), /plum closed without its events from 1 to 2/);
  assert.equal(await codeOf(store.close(two)), 'done');
  assert.equal(await outline(disk.driver(), plum), '0');
  await disk.free();
  // The places were given back, disk or no disk.
  const other = await storeOn(disk);
  for (const name of [plum, kiwi]) {
    const session = await other.store.open(name);
    note(session, 'second');
    await other.store.flush(session);
    assert.equal(await outline(disk.driver(), name), '0 1');
  }
  await other.store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
};

const repairing: Scenario = async (disk) => {
  const { store } = await storeOn(disk);
  const session = await store.create({ id: plum });
  for (let seq = 0; seq < 40; seq += 1) note(session, 'x'.repeat(1000));
  await store.close(session);
  await disk.damage(plum, 20);
  const before = await outline(disk.driver(), plum);
  assert.match(before, /19 x 21/);
  await disk.fill(8192);
  assert.notEqual(await codeOf(store.repair(plum)), 'done');
  assert.equal(await outline(disk.driver(), plum), before);
  await disk.free();
  await store.repair(plum);
  assert.match(await outline(disk.driver(), plum), /19 20 21 .* 39 40$/);
  await store[Symbol.asyncDispose]();
};

/** By who filled it, and by a process that begins now. */
const deleting: Scenario = async (disk) => {
  const { store } = await storeOn(disk);
  const ids = ['plum', 'kiwi', 'lime'].map(id);
  for (const name of ids) {
    const session = await store.create({ id: name });
    for (let seq = 0; seq < 30; seq += 1) note(session, 'x'.repeat(1000));
    await store.close(session);
  }
  await disk.fill(0);
  const list = async (): Promise<readonly string[]> =>
    (await entries(disk.driver())).map((entry) => entry.id).sort();
  assert.equal(await codeOf(store.delete(plum)), 'done');
  assert.deepEqual(await list(), ['kiwi', 'lime']);
  await store[Symbol.asyncDispose]();
  await disk.fill(0);
  const next = await storeOn(disk);
  const listed: string[] = [];
  for await (const entry of next.store.list()) listed.push(entry.id);
  assert.deepEqual(listed.sort(), ['kiwi', 'lime']);
  assert.equal(await codeOf(next.store.delete(kiwi)), 'done');
  assert.deepEqual(await list(), ['lime']);
  await disk.free();
  const session = await next.store.open(id('lime'));
  assert.equal(session.length, 30);
  await next.store[Symbol.asyncDispose]();
};

/** Each by what is done while the disk is full. They reject with an `AssertionError` for what is wrong. */
export const fullDiskScenarios: Readonly<Record<string, Scenario>> = {
  appending,
  creating,
  'creating the store': creatingTheStore,
  forking,
  'taking over': takingOver,
  closing,
  repairing,
  deleting,
};
