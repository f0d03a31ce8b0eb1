import {
  memoryDriver,
  memoryMedium,
  parseSessionId,
  type MemoryDriver,
  type SessionDriver,
} from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { kiwi, plum, quiet } from './fixtures.ts';

const fig = parseSessionId('fig');
const header = JSON.stringify({ version: 1, id: plum, createdAt: 1 });
const event = { kind: 'event', seq: 0, json: '{"seq":0,"time":1,"type":"a/b","data":1}' } as const;
type Place = Awaited<ReturnType<SessionDriver['take']>>;

/** Everything that a medium holds, as text. */
function contents({ medium }: MemoryDriver): string {
  const { sessions, holdings } = (
    medium as never as { state: { sessions: Map<string, unknown>; holdings: Map<string, { token: string }> } }
  ).state;
  return JSON.stringify([[...sessions], [...holdings].map(([id, { token }]) => [id, token])]);
}

const works: Readonly<Record<string, (driver: SessionDriver, place: Place) => Promise<unknown>>> = {
  append: (driver, place) => driver.append([{ place, base: 1, events: [{ ...event, seq: 1 }] }]),
  release: (driver, place) => driver.release(place, { summary: '"left"' }),
  repair: (driver, place) => driver.repair(place, { substitute: () => event }),
  take: (driver) => driver.take(kiwi, 'create', {}),
  delete: (driver) => driver.delete(fig, {}),
};

/** A process that holds `plum`, of which something is stored, as of `fig`. */
async function holding(): Promise<{ readonly driver: MemoryDriver; readonly place: Place }> {
  const driver = memoryDriver({ medium: memoryMedium() });
  const places = [await driver.take(fig, 'create', {}), await driver.take(plum, 'create', {})] as const;
  for (const place of places) await driver.append([{ place, base: 0, events: [event], header }]);
  await driver.release(places[0]);
  driver.medium.damage(plum, 'flipped-byte', 0);
  return { driver, place: places[1] };
}

describe('a process over a memory medium that dies', () => {
  it.each(Object.entries(works))(
    'at any instant of %s changes nothing after that, and says nothing of what it has not done [S14]',
    async (_, work) => {
      const outcomes = new Set<string>();
      for (let instant = 0; instant < 8; instant += 1) {
        const { driver, place } = await holding();
        const [first, answers] = [contents(driver), new Set<unknown>()];
        work(driver, place).then(
          (answer) => answers.add(answer),
          () => undefined,
        );
        for (let step = 0; step < instant; step += 1) await Promise.resolve();
        driver.crash();
        const last = contents(driver);
        await quiet();
        expect(contents(driver)).toBe(last);
        if (last === first) expect(answers.size).toBe(0);
        outcomes.add(last === first ? 'undone' : 'done');
      }
      expect([...outcomes]).toEqual(['undone', 'done']);
    },
  );

  it('leaves its places to whoever takes them over, also where its driver is disposed afterwards [S14 S21]', async () => {
    const { driver } = await holding();
    driver.crash();
    const last = contents(driver);
    await driver[Symbol.asyncDispose]();
    expect(contents(driver)).toBe(last);
  });
});
