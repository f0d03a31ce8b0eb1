import type { JsonValue, StoredRecord } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeEvent } from '../../src/log/codec.ts';
import { user } from '../fixtures.ts';

const knows = (type: string): boolean => type !== 'new/type';
const record = (json: string, seq = 3): StoredRecord => ({ kind: 'event', seq, json });

describe('the codec', () => {
  it('gives back what it was given, on one line of well-formed text [S8]', () => {
    const data = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(fc.nat(), fc.integer(), fc.boolean(), data, (seq, time, essential, value) => {
        const clean = JSON.parse(JSON.stringify(value)) as JsonValue;
        const event = {
          seq,
          time,
          type: 'some/type',
          data: { value: clean },
          ...(essential ? { essential } : {}),
        };
        const stored = encodeEvent(event);
        expect(stored.json).not.toMatch(/[\n\r]/);
        expect(/\p{Surrogate}/u.test(stored.json)).toBe(false);
        expect(decodeRecord(stored, knows)).toEqual({ kind: 'event', event });
        expect(encodeEvent(event as never)).toEqual(stored);
      }),
      { seed: 31 },
    );
  });

  it('keeps lone surrogates [S5]', () => {
    const stored = encodeEvent({ seq: 0, time: 0, type: 'user/message', data: user('\ud800 \udfff') });
    expect(stored.json).toContain(String.raw`\ud800 \udfff`);
    expect(decodeRecord(stored, knows)).toMatchObject({
      event: { data: { content: [{ text: '\ud800 \udfff' }] } },
    });
  });

  it('tells an unknown type, and freezes what it reads [S8]', () => {
    const decoded = decodeRecord(
      record('{"seq":3,"time":1,"type":"new/type","data":{"a":[{}]},"essential":true}'),
      knows,
    );
    expect(decoded).toEqual({
      kind: 'unknown',
      event: { seq: 3, time: 1, type: 'new/type', data: { a: [{}] }, essential: true },
    });
    if (decoded.kind !== 'unknown') throw new Error('told wrongly');
    const { data } = decoded.event as unknown as { data: { a: object[] } };
    for (const part of [decoded.event, data, data.a, data.a[0]]) expect(Object.isFrozen(part)).toBe(true);
  });

  it.each([
    ['no JSON', '{"seq":3,"time":1,"type":"a/b","data":', 'it is no JSON that can be read'],
    ['no object', '[3]', 'it is no object'],
    ['another seq', '{"seq":4,"time":1,"type":"a/b","data":{}}', 'its seq is not 3'],
    ['no time', '{"seq":3,"type":"a/b","data":{}}', 'its time is no number'],
    ['no type', '{"seq":3,"time":1,"data":{}}', 'its type is no string'],
    ['no data', '{"seq":3,"time":1,"type":"a/b"}', 'it has no data'],
    [
      'a core event with other data',
      '{"seq":3,"time":1,"type":"turn/start","data":{}}',
      'its data is not that of turn/start: turn is no count',
    ],
    [
      'nested without end',
      `{"seq":3,"time":1,"type":"a/b","data":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      'no JSON that can be read',
    ],
  ])('gives a damaged record for %s, and never throws [S16]', (_, json, reason) => {
    const decoded = decodeRecord(record(json), knows);
    expect(decoded).toMatchObject({ kind: 'damaged', seq: 3, bytes: json.length });
    expect(decoded).toHaveProperty('reason', expect.stringContaining(reason));
  });

  it('never throws, whatever the text [S16]', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeRecord(record(text), knows).kind).toBe('damaged');
      }),
      { seed: 32 },
    );
  });
});
