/** A durable inbox on both durable stores, in processes that are killed at any instant. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentRegistry, createToolRegistry, type Model } from '@deepseek-ai/dsh-agent';
import { checkedModel } from '@deepseek-ai/dsh-agent/testing';
import { openSessionStore, SessionError, type SessionEvent, type SessionId } from '@deepseek-ai/dsh-session';
import { seeded } from '@dsh-internal/driver-testing';
import { expect, it } from 'vitest';
import { driverNamed } from './durable-inbox/driver.ts';
import { killed, type Place } from './durable-inbox/killed.ts';

const id = 'kiwi' as SessionId;
const long = process.env['DSH_LONG_TESTS'] === '1';
/** Of each driver: so many stores, each of which sees so many kills one after the other. */
const [stores, each] = [long ? 40 : 10, 50];
const kills = stores * each;
/** How many stores of a driver are worked on at the same time. */
const atOnce = 2;

/** Nothing, where the first process was killed before anything was durable. */
async function stored(driver: string, root: string): Promise<readonly SessionEvent[]> {
  await using store = await openSessionStore({ driver: driverNamed(driver, root) });
  const events: SessionEvent[] = [];
  try {
    for await (const record of store.read(id)) {
      expect(record.kind).not.toBe('damaged');
      if (record.kind !== 'damaged') events.push(record.event as SessionEvent);
    }
  } catch (error) {
    if (!SessionError.is(error) || error.code !== 'SESSION_NOT_FOUND') throw error;
  }
  return events;
}

const acceptedIn = (events: readonly SessionEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'inbox/accepted' ? event.data.message.id : []));
const claimedIn = (events: readonly SessionEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user/message' ? event.data.id : []));

it.concurrent.each(['file', 'sqlite'])(
  `loses nothing on the %s store that was accepted durably and handles nothing twice, over ${String(kills)} kills [A31 S14]`,
  async (driver: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'dsh-durable-inbox-'));
    const seeds = Array.from({ length: stores }, (_, index) => driver.length * 1000 + index);
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
        await killAgainAndAgain({ driver, root: join(folder, String(seed)), compiled: folder }, seed);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await rm(folder, { recursive: true, force: true });
  },
  long ? 3_600_000 : 1_200_000,
);

/** One store that is killed `each` times, looked at after each kill, and worked off at its end. */
async function killAgainAndAgain(place: Place, seed: number): Promise<void> {
  const { driver, root } = place;
  const random = seeded(seed);
  const durable = new Set<string>();
  let next = 0;
  for (let kill = 0; kill < each; kill += 1) {
    const where = `kill ${String(kill)} of store ${String(seed)}`;
    const facts = Math.floor(random() * 24);
    const { accepted, shown } = await killed(place, { first: next, facts, afterMs: random() * 10 });
    const events = await stored(driver, root);
    const [all, claimed] = [acceptedIn(events), claimedIn(events)];
    for (const one of accepted) durable.add(one);
    const missing = [...durable].filter((one) => !all.includes(one));
    expect(missing, where).toEqual([]);
    // In the order of their acceptance, each once.
    expect(claimed, where).toEqual(all.slice(0, claimed.length));
    expect(new Set(all).size, where).toBe(all.length);
    // Whatever a model was shown was claimed durably before.
    for (const ids of shown) expect(claimed.slice(0, ids.length), where).toEqual(ids);
    next = Number(all.at(-1)?.slice(1) ?? -1) + 1;
  }
  await handleTheRest(driver, root);
  const events = await stored(driver, root);
  expect(claimedIn(events)).toEqual(acceptedIn(events));
  expect(durable.size).toBeGreaterThan(each);
}

/** What waits is handled without being asked for. */
async function handleTheRest(driver: string, root: string): Promise<void> {
  const model: Model = {
    id: 'parrot',
    async *stream() {
      yield { type: 'finish', reason: 'stop' };
    },
  };
  await using sessions = await openSessionStore({ driver: driverNamed(driver, root) });
  await using agents = createAgentRegistry({
    ...{ sessions, tools: createToolRegistry() },
    models: () => checkedModel(model, () => agents.list()),
    defaults: { model: 'parrot' },
  });
  const ends: string[] = [];
  agents.on('agent/turn/end', ({ reason }) => ends.push(reason.kind));
  const { agent } = await agents.resume({ id });
  await agent.whenIdle();
  expect(ends.filter((kind) => kind !== 'completed')).toEqual([]);
}
