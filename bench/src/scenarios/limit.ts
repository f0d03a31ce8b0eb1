/** The machine's own limit: the same bytes without a store. */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { numberOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { since } from '../store.ts';

const shapes: readonly (readonly [bytes: number, every: number, events: number])[] = [
  [200, 1, 1_000],
  [200, 10, 5_000],
  [200, 100, 30_000],
  [20_000, 1, 500],
  [20_000, 100, 3_000],
];

const cases = (): readonly Case[] =>
  shapes.map(([bytes, every, events]) => ({
    title: `${bytes} B, ${every} per barrier`,
    params: { bytes, every, events },
  }));

/** What a store makes of one message. */
const record = (seq: number, text: string) => ({
  seq,
  time: Date.now(),
  type: 'user/message',
  data: { id: randomUUID(), role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } },
});

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const [bytes, every, events] = [
    numberOf(params, 'bytes'),
    numberOf(params, 'every'),
    numberOf(params, 'events'),
  ];
  const text = 'x'.repeat(bytes);
  const lines = Array.from({ length: events }, (_, seq) => record(seq, text));
  const coding = performance.now();
  const encoded = lines.map((line) => JSON.stringify(line));
  const encodeSeconds = since(coding) / 1000;
  const decoding = performance.now();
  for (const line of encoded) JSON.parse(line);
  const decodeSeconds = since(decoding) / 1000;
  const seconds = await writeBatches(join(folder, 'raw'), encoded, every);
  const size = encoded.reduce((sum, line) => sum + line.length, 0) / 1e6;
  return [
    { name: 'append and fdatasync', unit: '/s', value: events / seconds, better: 'more' },
    { name: 'the same, payload', unit: 'MB/s', value: (events * bytes) / seconds / 1e6, better: 'more' },
    { name: 'JSON.stringify', unit: 'MB/s', value: size / encodeSeconds, better: 'more' },
    { name: 'JSON.parse', unit: 'MB/s', value: size / decodeSeconds, better: 'more' },
  ];
}

async function writeBatches(path: string, lines: readonly string[], every: number): Promise<number> {
  const file = await open(path, 'w');
  const start = performance.now();
  for (let at = 0; at < lines.length; at += every) {
    await file.write(`${lines.slice(at, at + every).join('\n')}\n`);
    await file.datasync();
  }
  const seconds = since(start) / 1000;
  await file.close();
  return seconds;
}

export const limit: Scenario = { name: 'limit', cases, run };
