import type { MemoryMedium } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { counted, written } from './counted.ts';
import { all, bench, codeOf, kiwi, plum, quiet, turn } from './fixtures.ts';

describe('a summary that does not fit', () => {
  /** Opens with a summary that a hand has changed, and looks whether all is as if there were none. */
  async function opensWhole(medium: MemoryMedium, summary: string, turns: number): Promise<void> {
    const { store, reads } = await counted(medium, (driver) => ({
      take: async (...args) => ({ ...(await driver.take(...args)), summary }),
    }));
    const session = await store.open(plum);
    expect(reads.at(-1)).toBe(session.length);
    expect(session.turns).toBe(turns);
    expect(session.history()).toHaveLength(turns);
    await store.close(session);
  }

  async function summaryOf(medium: MemoryMedium): Promise<string> {
    const { driver } = await bench({ medium });
    const { summary } = await driver.head(plum, {});
    return summary ?? '';
  }

  it('is ahead of the log that a crash cut: the whole log counts [S27]', async () => {
    const medium = await written(3);
    medium.damage(plum, 'torn-tail');
    const { store } = await counted(medium);
    const session = await store.open(plum);
    expect(session.length).toBe(10);
    expect(session.events(9)).toMatchObject([
      { type: 'turn/end', data: { reason: { kind: 'interrupted' } } },
    ]);
    expect(session.history()).toHaveLength(3);
  });

  it('was torn, emptied, or is of a later version [S27]', async () => {
    const medium = await written(3);
    const summary = await summaryOf(medium);
    for (const text of [summary.slice(0, -10), '', 'garbage', summary.replace('"version":1', '"version":2')])
      await opensWhole(medium, text, 3);
  });

  it('is of another log of the same length, or longer [S27]', async () => {
    const other = await summaryOf(await written(3, 'other', 2));
    await opensWhole(await written(3), other, 3);
    await opensWhole(await written(2), other, 2);
    await opensWhole(await written(5), other, 5);
  });

  it('is an old one: what follows it is read, and it counts [S27]', async () => {
    const medium = await written(3);
    const old = await summaryOf(medium);
    const first = await bench({ medium });
    const session = await first.store.open(plum);
    turn(session, 'more');
    await first.store.close(session);
    const { store, reads } = await counted(medium, (driver) => ({
      take: async (...args) => ({ ...(await driver.take(...args)), summary: old }),
    }));
    const reopened = await store.open(plum);
    expect(reads).toEqual([4, 1]);
    expect([reopened.length, reopened.turns]).toEqual([13, 4]);
    await reopened.ready();
    expect(reopened.history()).toHaveLength(4);
  });

  it('fits at its end alone: ready finds that, and a repair makes it anew [S27]', async () => {
    const [medium, records] = [await written(3), await written(3, 'other')];
    const end = await all((await bench({ medium })).driver.read(plum, { from: 9 }));
    const { store } = await counted(medium, () => ({
      async *read(id, range) {
        const others = (await bench({ medium: records })).driver;
        if (range.from === 9) yield* end;
        else yield* others.read(id, range);
      },
    }));
    const session = await store.open(plum);
    await expect(session.ready()).rejects.toMatchObject({
      code: 'DAMAGED_LOG',
      message: 'session plum not loaded: the summary that it was opened with was made of another log',
    });
    await store.close(session);
    await store.repair(plum);
    const again = await store.open(plum);
    await again.ready();
    expect(again.history()).toHaveLength(3);
  });

  it('is missing where the driver keeps none: the whole log is read [S27]', async () => {
    const medium = await written(3);
    const { store } = await counted(medium, (driver) => ({
      take: async (...args) => {
        const { id, token, lost, length } = await driver.take(...args);
        return { id, token, lost, length };
      },
    }));
    const session = await store.open(plum);
    expect(session.history()).toHaveLength(3);
  });
});

describe('forks by the summary', () => {
  it('of a stored Session read as little of a long one as of a short one [S23] [S24]', async () => {
    const counts = [];
    for (const turns of [3, 3_000]) {
      const { store, reads } = await counted(await written(turns));
      const fork = await store.fork(plum, { id: kiwi });
      expect([fork.length, fork.turns]).toEqual([turns * 3 + 1, turns]);
      turn(fork, 'own');
      await store.flush(fork);
      counts.push([...reads]);
      await fork.ready();
      expect(fork.history()).toHaveLength(turns + 1);
    }
    expect(counts).toEqual([[1], [1]]);
  });

  it('of a live Session that is not loaded start where they should, and load by themselves [S23]', async () => {
    const medium = await written(300);
    const { store } = await counted(medium);
    const source = await store.open(plum);
    turn(source, 'more');
    for (const [length, turns] of [
      [undefined, 301],
      [904, 301],
      [901, 300],
      [448, 149],
      [1, 0],
      [0, 0],
    ] as const) {
      const fork = await store.fork(plum, length === undefined ? {} : { length });
      expect([fork.length, fork.turns]).toEqual([length ?? 904, turns]);
      await fork.ready();
      expect(fork.history()).toHaveLength(turns);
      expect(fork.events().length).toBe(fork.length);
    }
    for (const length of [2, 3, 449, 902])
      expect(await codeOf(() => store.fork(plum, { length }))).toBe('OPEN_TURN');
    expect(await codeOf(() => store.fork(plum, { length: 905 }))).toBe('INVALID_PREFIX');
  });

  it('that are provisional load from their source, and forks of such forks do too [S4] [S23]', async () => {
    const { store } = await counted(await written(30));
    const fork = await store.fork(plum, { id: kiwi, provisional: true });
    await fork.ready();
    expect(fork.history()).toHaveLength(30);
    store.commit(fork);
    await store.flush(fork);
    const second = await store.fork(kiwi, { provisional: true });
    await second.ready();
    expect(second.events()).toEqual(fork.events());
  });

  it('open again by their own summary, which was kept with their header [S23] [S27]', async () => {
    const medium = await written(300);
    const first = await bench({ medium });
    const fork = await first.store.fork(plum, { id: kiwi });
    turn(fork, 'own');
    await first.store.flush(fork);
    await first.store.delete(plum);
    first.driver.crash();
    await quiet();
    const { store, reads } = await counted(medium);
    const reopened = await store.open(kiwi);
    expect(reads).toEqual([3]);
    await reopened.ready();
    expect(reopened.history()).toHaveLength(301);
  });
});
