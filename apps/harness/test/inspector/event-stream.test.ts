import { virtualClock } from '@deepseek-ai/dsh-agent/testing';
import { describe, expect, it } from 'vitest';
import { createPartialAnswers } from '../../src/inspector/partial-answers.ts';
import { createReplay, type Replay } from '../../src/inspector/replay.ts';
import { eventStream } from '../../src/inspector/server/event-stream.ts';

const json = (n: number) => JSON.stringify({ type: 'gone', ids: [String(n)] });

describe('what was told', () => {
  it('is told again from where a reader was, in order and in parts [H12]', () => {
    const replay = createReplay();
    for (let n = 1; n <= 5; n += 1) replay.add(json(n), n % 2 === 0);
    expect(replay.after(0, 1e6)?.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
    expect(replay.after(3, 1e6)?.map(({ n }) => n)).toEqual([4, 5]);
    expect(replay.after(0, 2 * json(1).length)?.map(({ n }) => n)).toEqual([1, 2]);
    expect(replay.after(0, 0)?.map(({ n }) => n)).toEqual([1]);
    expect(replay.after(5, 1e6)).toEqual([]);
  });

  it('lets the oldest go, and tells nobody a part of what he has missed [H12]', () => {
    const replay = createReplay({ events: 3 });
    for (let n = 1; n <= 5_000; n += 1) replay.add(json(n));
    expect(replay.after(4_996, 1e6)).toBeUndefined();
    expect(replay.after(4_997, 1e6)?.map(({ n }) => n)).toEqual([4_998, 4_999, 5_000]);
  });

  it('is bounded in size too, and fleeting events push nothing out [H12]', () => {
    const replay = createReplay({ size: 100, fleetingSize: 100 });
    replay.add('x'.repeat(40));
    for (let n = 0; n < 100; n += 1) replay.add('y'.repeat(40), true);
    expect(replay.after(0, 1e6)?.map((told) => told.n)).toEqual([1, 100, 101]);
    replay.add('x'.repeat(200));
    expect(replay.after(0, 1e6)).toBeUndefined();
    expect(replay.after(replay.last, 1e6)).toEqual([]);
  });
});

describe('answers that are being written', () => {
  const piece = (delta: string, type: 'text' | 'reasoning' = 'text', step = 1) =>
    ({ id: 'a', turn: 1, step, event: { type, delta } }) as const;

  it('are told in joined pieces with their places, and can be read whole [H12]', () => {
    const answers = createPartialAnswers();
    for (const text of ['Now ', 'every ', 'sort']) answers.heard(piece(text));
    answers.heard(piece('Hm.', 'reasoning'));
    answers.heard(piece('.'));
    const common = { session: 'a', turn: 1, step: 1, attempt: 1 };
    expect(answers.takePieces()).toEqual([
      { ...common, part: 'text', at: 0, text: 'Now every sort' },
      { ...common, part: 'reasoning', at: 0, text: 'Hm.' },
      { ...common, part: 'text', at: 14, text: '.' },
    ]);
    expect(answers.takePieces()).toEqual([]);
    expect(answers.get('a')).toMatchObject({ text: 'Now every sort.', reasoning: 'Hm.' });
  });

  it('begin anew with another attempt or step, and end [H12]', () => {
    const answers = createPartialAnswers();
    answers.heard(piece('One'));
    answers.again('a');
    answers.heard(piece('Two'));
    expect(answers.takePieces()).toMatchObject([
      { attempt: 1, text: 'One' },
      { attempt: 2, at: 0, text: 'Two' },
    ]);
    answers.heard(piece('Three', 'text', 2));
    expect(answers.get('a')).toMatchObject({ step: 2, attempt: 1, text: 'Three' });
    answers.ended('a');
    expect(answers.get('a')).toBeUndefined();
  });

  it('are kept up to a bound [H12]', () => {
    const answers = createPartialAnswers();
    for (let n = 0; n < 40; n += 1) answers.heard(piece('x'.repeat(65_536)));
    expect(answers.get('a')?.text).toHaveLength(1_048_576);
  });
});

interface Reading {
  /** The texts of the next chunk. */
  next(): Promise<string>;
  readonly drops: number;
  readonly ends: number;
  readonly cancel: () => Promise<void>;
}

function reading(
  replay: Replay,
  from: string | undefined,
  { clock = virtualClock(), signal = new AbortController().signal } = {},
): Reading & { told(): void } {
  const listeners = new Set<() => void>();
  const seen = { drops: 0, ends: 0 };
  const stream = eventStream({
    ...{ replay, from, clock, signal },
    boot: 'b',
    feed: {
      onTold(listener) {
        listeners.add(listener);
        const dispose = () => void listeners.delete(listener);
        return { dispose, [Symbol.dispose]: dispose };
      },
    },
    drop: () => (seen.drops += 1),
    onEnd: () => (seen.ends += 1),
  });
  const reader = stream.getReader();
  return {
    async next() {
      const { value, done } = await reader.read();
      return done ? 'end' : new TextDecoder().decode(value);
    },
    get drops() {
      return seen.drops;
    },
    get ends() {
      return seen.ends;
    },
    told: () => {
      for (const listener of listeners) listener();
    },
    cancel: () => reader.cancel(),
  };
}

describe('a reader of events', () => {
  it.each([
    ['nothing', undefined, []],
    ['a cursor of this run', 'b.1', ['2', '3']],
    ['a cursor of another run', 'a.1', 'another-run'],
    ['a cursor of later than now', 'b.9', 'too-old'],
    ['no number', 'b.x', 'too-old'],
    ['no cursor', 'x', 'another-run'],
  ] as const)('who comes with %s is told where he stands [H12]', async (_what, from, then) => {
    const replay = createReplay();
    for (let n = 1; n <= 3; n += 1) replay.add(json(n));
    const reader = reading(replay, from);
    const hello = await reader.next();
    expect(hello).toContain('"type":"hello"');
    if (typeof then === 'string') {
      expect(hello).toContain(`id: b.3\ndata: {"type":"reset","reason":"${then}"}`);
      return;
    }
    expect(hello).not.toContain('reset');
    if (then.length > 0) {
      expect(await reader.next()).toBe(`id: b.2\ndata: ${json(2)}\n\nid: b.3\ndata: ${json(3)}\n\n`);
    }
    replay.add(json(4));
    reader.told();
    expect(await reader.next()).toBe(`id: b.4\ndata: ${json(4)}\n\n`);
  });

  it('who is too slow is told to load anew, and goes on from now [H12]', async () => {
    const replay = createReplay({ events: 10 });
    const reader = reading(replay, undefined);
    await reader.next();
    for (let n = 1; n <= 1_000; n += 1) replay.add(json(n));
    reader.told();
    expect(await reader.next()).toBe('id: b.1000\ndata: {"type":"reset","reason":"too-slow"}\n\n');
    replay.add(json(1_001));
    expect(await reader.next()).toContain('id: b.1001');
  });

  it('who takes nothing any more is dropped, and one who only waits hears signs of life [H12]', async () => {
    const clock = virtualClock();
    const replay = createReplay();
    const stuck = reading(replay, undefined, { clock });
    const waits = reading(replay, undefined, { clock });
    await stuck.next();
    await waits.next();
    for (let beats = 0; beats < 4; beats += 1) {
      const sign = waits.next();
      await Promise.resolve();
      clock.advance(15_000);
      expect(await sign).toBe(': \n\n');
    }
    expect(stuck.drops).toBeGreaterThan(0);
    expect(waits.drops).toBe(0);
  });

  it('hears the last news and a farewell when the server ends [H12]', async () => {
    const ending = new AbortController();
    const replay = createReplay();
    const reader = reading(replay, undefined, { signal: ending.signal });
    await reader.next();
    const last = reader.next();
    replay.add(json(1));
    ending.abort();
    expect(await last).toBe(`id: b.1\ndata: ${json(1)}\n\nid: b.1\ndata: {"type":"bye"}\n\n`);
    expect(await reader.next()).toBe('end');
    expect(reader.ends).toBe(1);
  });

  it('who goes away is let go, also while he waits [H12]', async () => {
    const reader = reading(createReplay(), undefined);
    await reader.next();
    const waiting = reader.next();
    await reader.cancel();
    expect(await waiting).toBe('end');
    expect(reader.ends).toBe(1);
  });
});
