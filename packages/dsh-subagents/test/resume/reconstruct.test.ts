import type { SessionEvent, SessionHead, ToolSchema } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import type { ChildDescriptor } from '../../src/resume/descriptor.ts';
import { inheritedSystem, readDescriptor, reconstruct } from '../../src/resume/reconstruct.ts';
import { addTurn, descriptor, id, memoryStore, storeChild } from '../memory-store.ts';

function head(...data: readonly unknown[]): SessionHead {
  const opening = data.map(
    (each, seq) => ({ seq, time: 0, type: 'subagent/descriptor', data: each }) as SessionEvent,
  );
  return { header: { version: 1, id: id('kiwi'), createdAt: 0 }, length: opening.length, opening };
}
const versioned = (value: unknown): SessionHead => head({ version: 1, value });

describe('a stored child', () => {
  it.each<ChildDescriptor>([
    descriptor,
    {
      ...descriptor,
      effort: 'high',
      persona: 'A gardener.',
      toolFilter: { allow: ['a'], deny: [] },
      inbox: 'durable',
      system: 'inherited',
      maxDepth: 0,
    },
  ])('[M10] is reconstructed from its descriptor alone: %j', (value) => {
    expect(reconstruct(versioned(value))).toEqual({ kind: 'ok', descriptor: value });
  });

  it('[M10] keeps its descriptor in its log', async () => {
    const store = await memoryStore();
    const session = await storeChild(store, 'kiwi', 'root', { label: 'pears' });
    addTurn(session, 'Done.');
    await store.close(session);
    expect(reconstruct(await store.head(id('kiwi')))).toEqual({ kind: 'ok', descriptor });
  });

  it.each<[string, SessionHead, string | RegExp]>([
    ['none', head(), 'it has no descriptor'],
    [
      'a newer one',
      head({ version: 2, value: {} }),
      'its descriptor has version 2, which this program does not know',
    ],
    ['a one-shot', versioned({ ...descriptor, mode: 'one-shot' }), 'it was a one-shot child'],
    ['no data', head(null), /^its descriptor is malformed \(.+\)$/],
    ['two', head({ version: 1, value: descriptor }, { version: 1, value: descriptor }), /malformed/],
    ['an unknown member', versioned({ ...descriptor, grants: ['all'] }), /malformed.*grants/],
    [
      'an unknown member inside',
      versioned({ ...descriptor, toolFilter: { also: [] } }),
      /malformed.*toolFilter.*also/,
    ],
    ['a wrong mode', versioned({ ...descriptor, mode: 'both' }), /malformed.*mode/],
    ['a wrong depth', versioned({ ...descriptor, maxDepth: -1 }), /malformed.*maxDepth/],
    ['no label', versioned({ ...descriptor, label: undefined }), /malformed.*label/],
  ])('[M10 M11] is not resumable with %s', (_name, stored, reason) => {
    const expected: unknown = typeof reason === 'string' ? reason : expect.stringMatching(reason);
    expect(reconstruct(stored)).toEqual({ kind: 'not-resumable', reason: expected });
  });

  it('[M48] is described in either mode', () => {
    const oneShot: ChildDescriptor = { ...descriptor, mode: 'one-shot' };
    expect(readDescriptor(versioned(oneShot))).toEqual({ kind: 'ok', descriptor: oneShot });
  });

  it('[M10] is refused when it is written with what cannot be read back', async () => {
    const store = await memoryStore();
    const session = await storeChild(store, 'kiwi', 'root', { described: false });
    const { childDescriptor } = await import('../../src/resume/descriptor.ts');
    expect(() => childDescriptor.write(session, { ...descriptor, maxDepth: Infinity })).toThrow(
      expect.objectContaining({ code: 'INVALID_EVENT' }),
    );
    expect(session.length).toBe(1);
  });
});

describe('the inherited system prompt', () => {
  const tools: readonly ToolSchema[] = [];
  const header = (seq: number, hash: string, system?: string | null): SessionEvent => ({
    seq,
    time: 0,
    type: 'request/header',
    data:
      system === undefined ? { hash } : { hash, content: system === null ? { tools } : { system, tools } },
  });
  const other: SessionEvent = { seq: 0, time: 0, type: 'turn/start', data: { turn: 0 } };

  it.each<[string, readonly SessionEvent[], number, string | undefined]>([
    ['of the last request', [header(0, 'a', 'A'), header(1, 'b', 'B')], 2, 'B'],
    ['of the prefix alone', [header(0, 'a', 'A'), header(1, 'b', 'B')], 1, 'A'],
    ['that came back by its hash', [header(0, 'a', 'A'), header(1, 'b', 'B'), header(2, 'a')], 3, 'A'],
    ['that stands before other events', [header(0, 'a', 'A'), { ...other, seq: 1 }], 2, 'A'],
    ['where no request was made', [other], 1, undefined],
    ['where none was sent', [header(0, 'a', 'A'), header(1, 'b', null)], 2, undefined],
    ['whose bytes are not there', [header(0, 'a')], 1, undefined],
    ['of an empty prefix', [header(0, 'a', 'A')], 0, undefined],
  ])('[M10 M38] is the one %s', (_name, events, length, system) => {
    expect(inheritedSystem(events, length)).toBe(system);
  });
});
