import { memoryMedium } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { counted, written } from './counted.ts';
import { all, assistant, bench, codeOf, plum, result, turn, user } from './fixtures.ts';

describe('opening by the summary', () => {
  it('reads the same few records of a short and of a long log [S27]', async () => {
    const counts = [];
    for (const turns of [3, 3_000]) {
      const { store, reads } = await counted(await written(turns));
      const session = await store.open(plum);
      expect([session.length, session.turns, session.turnOpen]).toEqual([turns * 3 + 1, turns, false]);
      expect(session.opening).toMatchObject([{ type: 'app/descriptor', data: { name: 'plum' } }]);
      turn(session, 'next');
      await store.flush(session);
      counts.push(reads);
    }
    expect(counts).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('gives the history only after ready, and what is appended meanwhile with it [S27]', async () => {
    const { store } = await counted(await written(400));
    const session = await store.open(plum);
    expect(await codeOf(() => session.history())).toBe('NOT_READY');
    expect(await codeOf(() => session.events())).toBe('NOT_READY');
    expect(session.events(session.length)).toEqual([]);
    turn(session, 'before');
    const ready = Promise.all([session.ready(), session.ready()]);
    turn(session, 'during');
    expect(session.events(1201)).toHaveLength(6);
    await ready;
    expect(session.history()).toHaveLength(402);
    expect(session.events().map(({ seq }) => seq)).toEqual(Array.from({ length: 1207 }, (_, seq) => seq));
    await store.close(session);
    const again = await (await bench({ medium: await written(0) })).store.open(plum);
    await again.ready();
    expect(again.history()).toEqual([]);
  });

  it('a caller of ready who leaves gets the reason, and the others go on waiting [S27]', async () => {
    const { store } = await counted(await written(300));
    const session = await store.open(plum);
    const controller = new AbortController();
    const leaving = session.ready({ signal: controller.signal });
    const staying = session.ready();
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    await staying;
    expect(session.history()).toHaveLength(300);
  });

  it('read of a live Session shows what is not loaded, and what is not written [S27]', async () => {
    const { store } = await counted(await written(2));
    const session = await store.open(plum);
    turn(session, 'new');
    const seqs = async (range = {}): Promise<readonly number[]> =>
      (await all(store.read(plum, range))).map((record) =>
        record.kind === 'damaged' ? -1 : record.event.seq,
      );
    expect(await seqs()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await seqs({ from: 5, to: 9 })).toEqual([5, 6, 7, 8]);
    expect(await seqs({ from: 8 })).toEqual([8, 9]);
  });

  it('keeps what is known of an open turn, without reading it again [S17]', async () => {
    const medium = memoryMedium();
    const { store, driver } = await bench({ medium });
    const session = await store.create({ id: plum });
    session.append('turn/start', { turn: 0 });
    session.append('assistant/message', assistant('a'));
    session.append('tool/start', { callId: 'a', name: 'dig' });
    session.append('tool/progress', { callId: 'a', data: 'x'.repeat(1000) });
    for (let index = 0; index < 300; index += 1) session.append('user/message', user('y'.repeat(1000)));
    await store.flush(session);
    session.append('user/message', user('last'));
    await store.flush(session);
    driver.crash();
    const next = await counted(medium);
    const reopened = await next.store.open(plum);
    expect(next.reads).toEqual([2]);
    expect(reopened.events(305)).toMatchObject([
      { type: 'session/taken-over' },
      { type: 'tool/result', data: { outcome: 'unknown', structured: { kept: ['x'.repeat(1000)] } } },
      { type: 'turn/end' },
    ]);
  });

  it('knows a message that comes twice once the log that holds it is loaded [S10]', async () => {
    const medium = memoryMedium();
    const { store } = await bench({ medium });
    const session = await store.create({ id: plum });
    const message = user();
    session.append('user/message', message);
    await store.close(session);
    const reopened = await (await bench({ medium })).store.open(plum);
    await reopened.ready();
    expect(await codeOf(() => reopened.append('user/message', message))).toBe('INVALID_SEQUENCE');
  });

  it('an essential event that is not known here is an obstacle also where it is not read [S8]', async () => {
    const medium = memoryMedium();
    const first = await bench({ medium, vocabulary: ['app/lock'] });
    const session = await first.store.create({ id: plum });
    session.append('app/lock' as never, {} as never, { essential: true });
    turn(session);
    await first.store.close(session);
    const { store } = await counted(medium);
    await expect(store.open(plum)).rejects.toMatchObject({
      code: 'UNKNOWN_ESSENTIAL_EVENT',
      message: 'session plum not opened: event 0 is an essential app/lock, which is not known here',
    });
    expect(await codeOf(() => store.fork(plum))).toBe('UNKNOWN_ESSENTIAL_EVENT');
    store.learn(['app/lock']);
    expect((await store.open(plum)).length).toBe(4);
  });

  it('damage before the summary does not keep it from opening: ready finds it, each time [S16]', async () => {
    const medium = await written(3);
    medium.damage(plum, 'flipped-byte', 2);
    const { store } = await counted(medium);
    const session = await store.open(plum);
    turn(session, 'still works');
    for (let times = 0; times < 2; times += 1) {
      await expect(session.ready()).rejects.toMatchObject({
        code: 'DAMAGED_LOG',
        message: 'session plum not loaded: event 2 cannot be read: a byte was changed',
      });
    }
    expect(await codeOf(() => session.history())).toBe('NOT_READY');
    await store.close(session);
    await store.repair(plum);
    const mended = await store.open(plum);
    await mended.ready();
    expect(mended.history()).toHaveLength(3);
  });

  it('damage at the end of what the summary covers is found by opening [S16]', async () => {
    const medium = await written(3);
    medium.damage(plum, 'flipped-byte', 9);
    expect(await codeOf(async () => (await counted(medium)).store.open(plum))).toBe('DAMAGED_LOG');
  });
});

describe('when a summary is kept', () => {
  it('goes with a batch once enough was written without, between turns and inside of one [S27]', async () => {
    const given: boolean[] = [];
    const { store } = await counted(memoryMedium(), (driver) => ({
      append: (parts) => {
        given.push(...parts.map(({ summary }) => summary !== undefined));
        return driver.append(parts);
      },
    }));
    const session = await store.create({ id: plum });
    const flushed = async (text: string): Promise<boolean | undefined> => {
      session.append('user/message', user(text));
      await store.flush(session);
      return given.at(-1);
    };
    expect(await flushed('small')).toBe(false);
    expect(await flushed('x'.repeat(16 * 1024))).toBe(true);
    expect(await flushed('small')).toBe(false);
    session.append('turn/start', { turn: 0 });
    expect(await flushed('x'.repeat(16 * 1024))).toBe(false);
    expect(await flushed('x'.repeat(256 * 1024))).toBe(true);
    session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    await store.flush(session);
    expect(given.at(-1)).toBe(false);
  });

  it('is left out where it would be longer than what it saves, until it is short again [S27]', async () => {
    const given: (string | undefined)[] = [];
    const { store } = await counted(memoryMedium(), (driver) => ({
      append: (parts) => {
        given.push(...parts.map(({ summary }) => summary));
        return driver.append(parts);
      },
    }));
    const session = await store.create({ id: plum });
    session.append('turn/start', { turn: 0 });
    session.append('assistant/message', assistant('c'));
    for (let part = 0; part < 5; part += 1)
      session.append('tool/progress', { callId: 'c', data: 'x'.repeat(60 * 1024) });
    await store.flush(session);
    expect(given).toEqual([undefined]);
    session.append('tool/result', result('c'));
    session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    await store.flush(session);
    expect(given[1]?.length).toBeLessThan(1024);
  });

  it('is not given back with what could not be written [S27]', async () => {
    const kept: unknown[] = [];
    let broken = false;
    const { store } = await counted(memoryMedium(), (driver) => ({
      append: (parts) => (broken ? Promise.reject(new Error('EIO')) : driver.append(parts)),
      release: (place, options) => {
        kept.push(options);
        return driver.release(place, options);
      },
    }));
    const session = await store.create({ id: plum });
    turn(session);
    await store.flush(session);
    broken = true;
    turn(session);
    expect(await codeOf(() => store.close(session))).toBe('NOT_DURABLE');
    expect(kept).toEqual([{}]);
  });
});
