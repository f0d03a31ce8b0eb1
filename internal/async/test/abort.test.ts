import { deferred, linkAbort, untilAborted } from '@dsh-internal/async';
import { describe, expect, it } from 'vitest';

const reason = new Error('enough');

describe('linkAbort', () => {
  it('follows each of its signals, with the reason of the first', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const linked = linkAbort(one.signal, undefined, two.signal);
    expect(linked.signal.aborted).toBe(false);
    two.abort(reason);
    one.abort(new Error('too late'));
    expect(linked.signal.reason).toBe(reason);
  });

  it('is aborted at once where a signal is already', () => {
    expect(linkAbort(AbortSignal.abort(reason)).signal.reason).toBe(reason);
  });

  it('can be aborted itself, which its sources do not hear', () => {
    const source = new AbortController();
    const linked = linkAbort(source.signal);
    linked.abort(reason);
    expect(linked.signal.reason).toBe(reason);
    expect(source.signal.aborted).toBe(false);
  });

  it('hears nothing once it is disposed, and leaves no listener behind', () => {
    const source = new AbortController();
    const counts = { added: 0, removed: 0 };
    const { signal } = source;
    const original = {
      add: signal.addEventListener.bind(signal),
      remove: signal.removeEventListener.bind(signal),
    };
    signal.addEventListener = (...args: Parameters<AbortSignal['addEventListener']>): void => {
      counts.added += 1;
      original.add(...args);
    };
    signal.removeEventListener = (...args: Parameters<AbortSignal['removeEventListener']>): void => {
      counts.removed += 1;
      original.remove(...args);
    };
    const linked = linkAbort(signal);
    linked[Symbol.dispose]();
    source.abort(reason);
    expect(linked.signal.aborted).toBe(false);
    expect(counts).toEqual({ added: 1, removed: 1 });
  });
});

describe('untilAborted', () => {
  it('settles like the work without a signal, and with one that does not abort', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1);
    expect(await untilAborted(Promise.resolve(2), signal)).toBe(2);
    await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  });

  it('rejects with the reason as soon as the signal aborts; the work goes on', async () => {
    const controller = new AbortController();
    let ended = false;
    let end = (): void => {};
    const work = new Promise<void>((resolve) => (end = resolve)).then(() => {
      ended = true;
    });
    const waiting = untilAborted(work, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(ended).toBe(false);
    end();
    await work;
    expect(ended).toBe(true);
  });

  it('rejects at once for a signal that is aborted already, and swallows what the work then says', async () => {
    const work = Promise.reject(new Error('nobody waits for this'));
    await expect(untilAborted(work, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('what the work says after the abort is nobody’s unhandled rejection', async () => {
    const controller = new AbortController();
    const work = deferred();
    const waiting = untilAborted(work.promise, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    work.reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
