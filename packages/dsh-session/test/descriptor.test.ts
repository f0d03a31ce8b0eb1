import { defineDescriptor, type SchemaResult, type StandardSchema } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bench, codeOf, plum, turn } from './fixtures.ts';

const schema = z.object({ label: z.string(), depth: z.number().int() });
const descriptor = defineDescriptor({ type: 'test/descriptor', version: 2, schema });
const value = { label: 'kiwi', depth: 1 };

describe('a descriptor', () => {
  it('is read back from the head, and from the live Session [S25]', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum });
    expect(descriptor.read(session)).toEqual({ kind: 'none' });
    expect(descriptor.write(session, value)).toMatchObject({
      type: 'test/descriptor',
      data: { version: 2, value },
    });
    turn(session);
    expect(descriptor.read(session)).toEqual({ kind: 'ok', value });
    await store.flush(session);
    const other = (await bench({ medium })).store;
    expect(descriptor.read(await other.head(plum))).toEqual({ kind: 'ok', value });
  });

  it('is refused where a head would not show it, and shown up to that size [S25 S26]', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum });
    const refused = () => descriptor.write(session, { label: 'é'.repeat(40_000), depth: 1 });
    expect(await codeOf(refused)).toBe('INVALID_EVENT');
    expect(session.length).toBe(0);
    const large = { label: 'é'.repeat(32_600), depth: 1 };
    descriptor.write(session, large);
    await store.close(session);
    const other = (await bench({ medium })).store;
    expect(descriptor.read(await other.head(plum))).toEqual({ kind: 'ok', value: large });
    expect(descriptor.read(await other.open(plum))).toEqual({ kind: 'ok', value: large });
  });

  it('of an ancestor in an inherited prefix is not ours [S25]', async () => {
    const { store } = await bench();
    const session = await store.create();
    descriptor.write(session, value);
    turn(session);
    const fork = await store.fork(session.id);
    expect(descriptor.read(fork)).toEqual({ kind: 'none' });
    descriptor.write(fork, { label: 'lime', depth: 2 });
    expect(descriptor.read(await store.head(fork.id))).toEqual({
      kind: 'ok',
      value: { label: 'lime', depth: 2 },
    });
  });

  it.each([
    ['another version', { version: 3, value }, { kind: 'unsupported', version: 3 }],
    ['no version', { value }, { kind: 'malformed', issues: [{ message: 'its version is no integer' }] }],
    ['no object', 7, { kind: 'malformed', issues: [{ message: 'its version is no integer' }] }],
    [
      'a bad value',
      { version: 2, value: { label: 'x', depth: 'deep' } },
      { kind: 'malformed', issues: [{ path: ['depth'] }] },
    ],
  ])('with %s is told as such [S25]', async (_, data, reading) => {
    const { store } = await bench();
    const session = await store.create();
    session.appendAll([{ type: 'test/descriptor', data } as never]);
    expect(descriptor.read(session)).toMatchObject(reading);
  });

  it('that stands twice is malformed, and cannot be written twice [S25]', async () => {
    const { store } = await bench();
    const session = await store.create();
    descriptor.write(session, value);
    expect(await codeOf(() => descriptor.write(session, value))).toBe('INVALID_SEQUENCE');
    session.appendAll([{ type: 'test/descriptor', data: { version: 2, value } } as never]);
    expect(descriptor.read(session)).toEqual({
      kind: 'malformed',
      issues: [{ message: 'there is more than one' }],
    });
  });

  it('is written before the first own turn or not at all [S25]', async () => {
    const { store } = await bench();
    const session = await store.create();
    session.append('turn/start', { turn: 0 });
    expect(await codeOf(() => descriptor.write(session, value))).toBe('INVALID_SEQUENCE');
    expect(session.length).toBe(1);
  });

  it('that its schema refuses is not written, and the error says what is wrong [S25]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    expect(() => descriptor.write(session, { label: 'x', depth: 0.5 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_EVENT',
        message: expect.stringMatching(/plum not written: depth: /) as unknown,
      }),
    );
    expect(session.length).toBe(0);
  });

  it('may be written to a provisional Session, as its first event [S4] [S25]', async () => {
    const { store } = await bench();
    const session = await store.create({ provisional: true });
    expect(descriptor.write(session, value).seq).toBe(0);
  });

  it('takes any synchronous Standard Schema, and refuses an asynchronous one [S25]', async () => {
    const of = (
      validate: (input: unknown) => SchemaResult<string> | Promise<SchemaResult<string>>,
    ): StandardSchema<string> => ({
      '~standard': { version: 1, vendor: 'test', validate },
    });
    const { store } = await bench();
    const session = await store.create();
    const upper = defineDescriptor({
      type: 'a/b',
      version: 1,
      schema: of((input) => ({ value: String(input).toUpperCase() })),
    });
    upper.write(session, 'x');
    expect(upper.read(session)).toEqual({ kind: 'ok', value: 'X' });
    const slow = defineDescriptor({ type: 'a/c', version: 1, schema: of(async () => ({ value: 'x' })) });
    expect(await codeOf(() => slow.write(session, 'x'))).toBe('INVALID_EVENT');
    const wrong = defineDescriptor({
      type: 'a/d',
      version: 1,
      schema: of(() => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 'b'] }] })),
    });
    expect(() => wrong.write(session, 'x')).toThrow('not written: a.b: no');
  });
});
