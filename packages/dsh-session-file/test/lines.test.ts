import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLine, encodeLines } from '../src/lines.ts';
import { createSequence } from '../src/sequence.ts';
import { event } from '@dsh-internal/driver-testing';

const lineOf = (seq: number, text?: string): Buffer => {
  const bytes = encodeLines([event(seq, text)]);
  return bytes.subarray(0, bytes.length - 1);
};

test('a line is JSON with the checksum as its first member', () => {
  expect(JSON.parse(lineOf(3).toString('utf8'))).toEqual({
    crc: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
    seq: 3,
    time: 1,
    type: 'fruit/note',
    data: { text: 'grape' },
  });
});

test('a line gives back the text that it was made from, byte for byte', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string({ unit: 'binary' }), (seq, text) => {
      expect(decodeLine(lineOf(seq, text))).toEqual(event(seq, text));
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('the seq is found wherever it stands in the text', () => {
  const json = '{ "type": "x/y", "data": {"seq": 9}, "time": 1, "seq": 4 }';
  const bytes = encodeLines([{ kind: 'event', seq: 4, json }]);
  expect(decodeLine(bytes.subarray(0, -1))).toEqual({ kind: 'event', seq: 4, json });
});

test('any changed byte of a line is noticed [S16]', () => {
  const line = lineOf(5, 'ü and more');
  for (let at = 0; at < line.length; at += 1) {
    for (const change of [0x01, 0x20, 0x80]) {
      const flipped = Buffer.from(line);
      flipped.writeUInt8(line.readUInt8(at) ^ change, at);
      expect(decodeLine(flipped).kind).toBe('damaged');
    }
  }
});

test.each([
  ['nothing', ''],
  ['other JSON', '{"seq":1}'],
  ['half a head', '{"crc":"00'],
  ['no text', '{"crc":"00000000",'],
])('%s is damage [S16]', (_, text) => {
  expect(decodeLine(Buffer.from(text)).kind).toBe('damaged');
});

const outline = (from: number, lines: readonly (number | 'x')[], to?: number): string => {
  const sequence = createSequence(from);
  const records = lines.flatMap((line) => sequence.take(line === 'x' ? Buffer.from('damage') : lineOf(line)));
  if (to !== undefined) records.push(...sequence.end(to, 7));
  return records.map((record) => `${record.kind === 'event' ? '' : 'x'}${record.seq}`).join(' ');
};

test.each([
  ['whole', 0, [0, 1, 2], undefined, '0 1 2'],
  ['one is damaged', 0, [0, 'x', 2], undefined, '0 x1 2'],
  ['one damaged line may be two events', 0, [0, 'x', 3], undefined, '0 x1 3'],
  ['two damaged lines may be one event', 0, [0, 'x', 'x', 2], undefined, '0 x1 x2 2'],
  ['one is missing', 4, [4, 6], undefined, '4 x5 6'],
  ['one comes twice', 0, [0, 1, 1, 2], undefined, '0 1 x2 2'],
  ['one of before', 3, [3, 0, 4], undefined, '3 x4 4'],
  ['the last ones are missing', 0, [0, 1], 4, '0 1 x2'],
  ['the last one is damaged', 0, [0, 'x'], 2, '0 x1'],
  ['all are there', 0, [0, 1], 2, '0 1'],
] as const)('records of lines: %s [S16]', (_, from, lines, to, expected) => {
  expect(outline(from, lines, to)).toBe(expected);
});
