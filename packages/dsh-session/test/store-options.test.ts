import { describe, expect, it } from 'vitest';
import { memoryDriver, openSessionStore } from '../src/index.ts';

const invalid = { code: 'INVALID_OPTION' };

describe('a store', () => {
  it.each<[string, object]>([
    ['maxPendingBytes.session', { maxPendingBytes: { session: NaN } }],
    ['maxPendingBytes.store', { maxPendingBytes: { store: -1 } }],
    ['closeTimeoutMs', { closeTimeoutMs: '10' }],
    ['vocabulary', { vocabulary: 'my-app/event' }],
    ['vocabulary', { vocabulary: [7] }],
  ])('is not opened where %s is none, and the driver stays usable [S13]', async (name, odd) => {
    const driver = memoryDriver();
    const opened = openSessionStore({ driver, ...odd });
    await expect(opened).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining(`store not opened: ${name} is `) as string,
    });
    await using store = await openSessionStore({ driver });
    await store.create();
  });

  it('learns nothing of what is no list of types, and gives a listener that is none no events [S6 S8]', async () => {
    await using store = await openSessionStore({ driver: memoryDriver() });
    const session = await store.create();
    expect(() => {
      store.learn(['my-app/a', null] as unknown as readonly string[]);
    }).toThrow(/nothing learned: vocabulary is an object/);
    expect(() => session.append('my-app/a' as never, {} as never, { essential: true })).toThrow(
      expect.objectContaining({ code: 'INVALID_EVENT' }),
    );
    expect(() => session.subscribe(undefined as never)).toThrow(expect.objectContaining(invalid));
    session.append('turn/start', { turn: 0 });
  });

  it('takes no entry that is none, and nothing beside it [S6]', async () => {
    await using store = await openSessionStore({ driver: memoryDriver() });
    const session = await store.create();
    const start = { type: 'turn/start', data: { turn: 0 } } as const;
    for (const odd of [null, 'turn/start', undefined])
      expect(() => session.appendAll([start, odd as never])).toThrow(
        expect.objectContaining({ code: 'INVALID_EVENT' }),
      );
    expect(() => session.appendAll('turn/start' as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_EVENT' }),
    );
    expect(session.length).toBe(0);
  });
});
