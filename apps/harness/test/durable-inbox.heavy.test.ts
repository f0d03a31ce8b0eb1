/** A durable inbox on both durable stores, in processes that are killed at any instant. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentRegistry, createToolRegistry, type Model } from '@deepseek-ai/dsh-agent';
import { openSessionStore, SessionError, type SessionEvent, type SessionId } from '@deepseek-ai/dsh-session';
import { seeded } from '@dsh-internal/driver-testing';
import { expect, it } from 'vitest';
import { driverNamed } from './durable-inbox/driver.ts';
import { killed } from './durable-inbox/killed.ts';

const id = 'kiwi' as SessionId;
const long = process.env['DSH_LONG_TESTS'] === '1';
/** Of each driver. */
const kills = long ? 1000 : 250;

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
    const random = seeded(driver.length);
    const root = await mkdtemp(join(tmpdir(), 'dsh-durable-inbox-'));
    const durable = new Set<string>();
    let next = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { accepted, shown } = await killed({ driver, root, first: next, afterMs: random() * 60 });
      const events = await stored(driver, root);
      const [all, claimed] = [acceptedIn(events), claimedIn(events)];
      for (const one of accepted) durable.add(one);
      for (const one of durable) expect(all, `kill ${String(kill)}`).toContain(one);
      // In the order of their acceptance, each once.
      expect(claimed, `kill ${String(kill)}`).toEqual(all.slice(0, claimed.length));
      expect(new Set(all).size).toBe(all.length);
      // Whatever a model was shown was claimed durably before.
      for (const ids of shown) expect(claimed.slice(0, ids.length), `kill ${String(kill)}`).toEqual(ids);
      next = Number(all.at(-1)?.slice(1) ?? -1) + 1;
    }
    await handleTheRest(driver, root);
    const events = await stored(driver, root);
    expect(claimedIn(events)).toEqual(acceptedIn(events));
    expect(durable.size).toBeGreaterThan(kills);
    await rm(root, { recursive: true, force: true });
  },
  long ? 3_600_000 : 600_000,
);

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
    ...{ sessions, tools: createToolRegistry(), models: () => model },
    defaults: { model: 'parrot' },
  });
  const { agent } = await agents.resume({ id });
  await agent.whenIdle();
}
