import { memoryMedium, parseSessionId, sessionError } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { all, bench, codeOf, kiwi, over, plum, turn } from './fixtures.ts';

/** A stored Session whose second event is damaged. */
async function damaged() {
  const medium = memoryMedium();
  const { store } = await bench({ medium });
  const session = await store.create({ id: plum });
  turn(session);
  await store.close(session);
  medium.damage(plum, 'flipped-byte', 1);
  return medium;
}

describe('a driver that does not do what it was asked', () => {
  it.each([
    ['no answer', 'NOT_DURABLE', []],
    ['a refusal', 'FENCED', [{ ok: false, error: sessionError('FENCED', "it is another's") }]],
  ] as const)(
    'a repair that gets %s for its note fails by it, and gives the place back [S16]',
    async (_, code, answer) => {
      const medium = await damaged();
      const { store } = await bench({
        medium,
        wrap: (driver) => over(driver, { append: () => Promise.resolve(answer) }),
      });
      expect(await codeOf(() => store.repair(plum))).toBe(code);
      await (await bench({ medium })).store.repair(plum);
    },
  );

  it('a place with another prefix than was asked for makes no fork, and is given back [S22]', async () => {
    const { store, medium } = await bench({
      wrap: (driver) =>
        over(driver, {
          take: async (...args) => ({ ...(await driver.take(...args)), length: 2 }),
        }),
    });
    const source = await (await bench({ medium })).store.create({ id: plum });
    await expect(store.create({ id: kiwi })).rejects.toMatchObject({
      code: 'INVALID_PREFIX',
      message: 'session kiwi not created: its place has 2 events, not 0',
    });
    await (await bench({ medium })).store.create({ id: kiwi });
    expect(source.length).toBe(0);
  });

  it('a code of its own reaches who waits as NOT_DURABLE, with the cause [S12]', async () => {
    const error = sessionError('DISK_FULL', 'no room is left');
    const { store } = await bench({
      wrap: (driver) =>
        over(driver, { append: (parts) => Promise.resolve(parts.map(() => ({ ok: false, error }))) }),
    });
    const session = await store.create({ id: plum });
    turn(session);
    await expect(store.flush(session)).rejects.toMatchObject({
      code: 'NOT_DURABLE',
      message: 'session plum not durable from event 0 to 3',
      cause: error,
    });
  });

  it('a flush of what will never be written says why: it is closed, or the place is lost [S11 S21]', async () => {
    let broken = false;
    const { store, medium } = await bench({
      wrap: (driver) =>
        over(driver, {
          append: (parts) => (broken ? Promise.reject(new Error('EIO')) : driver.append(parts)),
        }),
    });
    const [closed, lost] = [await store.create({ id: kiwi }), await store.create({ id: plum })];
    turn(lost);
    await store.flush(lost);
    broken = true;
    turn(closed);
    turn(lost);
    expect(await codeOf(() => store.close(closed))).toBe('NOT_DURABLE');
    await expect(store.flush(closed)).rejects.toMatchObject({
      code: 'SESSION_CLOSED',
      message: 'session kiwi not durable from event 0 on',
    });
    medium.expire(plum);
    await (await bench({ medium })).store.open(plum);
    await expect(store.flush(lost)).rejects.toMatchObject({
      code: 'FENCED',
      message: 'session plum not durable from event 3 on',
    });
  });

  it('damage in a place that nobody knows is told without a number, and stands in an export [S16]', async () => {
    const { store } = await bench({
      medium: await damaged(),
      wrap: (driver) =>
        over(driver, {
          async *read(id, range) {
            for await (const chunk of driver.read(id, range))
              yield chunk.map((record) =>
                record.kind === 'damaged' ? { kind: 'damaged', reason: 'noise', bytes: 7 } : record,
              );
          },
        }),
    });
    expect(await store.verify(plum)).toStrictEqual({
      id: plum,
      events: 2,
      damaged: [{ reason: 'noise', bytes: 7 }],
    });
    expect((await all(store.read(plum)))[1]).toStrictEqual({ kind: 'damaged', reason: 'noise', bytes: 7 });
    expect(JSON.parse((await all(store.export(plum)))[2] ?? '')).toMatchObject({
      damaged: { reason: 'noise' },
    });
  });

  it('an export of what is not there, or cannot be reached, is refused and is no damage [S18]', async () => {
    const cause = new Error('EIO');
    const { store } = await bench();
    expect(await codeOf(() => all(store.export(plum)))).toBe('SESSION_NOT_FOUND');
    const broken = await bench({ wrap: (driver) => over(driver, { head: () => Promise.reject(cause) }) });
    await expect(all(broken.store.export(parseSessionId('fig')))).rejects.toBe(cause);
  });
});
