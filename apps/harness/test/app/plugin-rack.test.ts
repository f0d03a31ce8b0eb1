import { Context } from '@deepseek-ai/cordis';
import type { Diagnostic } from '@deepseek-ai/dsh-session';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tellContainerLog } from '../../src/app/container-log.ts';
import { createPluginRack, type Patience } from '../../src/app/plugin-rack.ts';
import { withinTime } from '../../src/app/within-time.ts';

interface Made {
  readonly name?: string;
  readonly inject?: string[];
  readonly provide?: string[];
  readonly apply?: (ctx: Context) => void | Promise<void>;
}

const provides =
  (service: string, value: object = {}) =>
  (ctx: Context): void => {
    ctx.effect(() => ctx.provide(service, value));
  };

/** A rack; `gone` are the plugins that have ended, `told` the messages of diagnostics. */
function openRack(patience: Patience = async (work) => Promise.resolve(work).then(() => true)) {
  const ctx = new Context();
  tellContainerLog(ctx);
  const gone: string[] = [];
  const told: Diagnostic[] = [];
  ctx.on('harness/diagnostic', (diagnostic) => told.push(diagnostic));
  const rack = createPluginRack(ctx, patience);
  const load = ({ name = 'pears', apply, ...rest }: Made = {}): Promise<void> =>
    rack.load(
      {
        name,
        ...rest,
        apply(inner: Context) {
          inner.effect(() => () => {
            gone.push(name);
          });
          return apply?.(inner);
        },
      },
      {},
    );
  return { ctx, rack, load, gone, told };
}

/** Gives up at once what has not ended by itself. */
const impatient: Patience = (work) =>
  Promise.race([
    Promise.resolve(work).then(() => true),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);

const never = (): Promise<void> => new Promise(() => undefined);

describe('a plugin that is refused', () => {
  it('has the name of another one, also of one that was unloaded and may come back [H3]', async () => {
    const { rack, load } = openRack();
    await load();
    const refusal = 'another plugin has the name pears: give it a name of its own';
    await expect(load()).rejects.toThrow(refusal);
    await rack.unload('pears');
    await expect(load()).rejects.toThrow(refusal);
    await rack.reload('pears');
    expect(rack.names).toEqual(['pears']);
  });

  it('provides what another one provides [H1]', async () => {
    const { rack, load } = openRack();
    await load({ provide: ['fruit'], apply: provides('fruit') });
    await expect(load({ name: 'plums', provide: ['fruit'], apply: provides('fruit') })).rejects.toThrow(
      'the plugin plums provides fruit, and so does the plugin pears',
    );
    expect(rack.names).toEqual(['pears']);
  });

  it('needs what no plugin before it provides, as each of a cycle does [H1]', async () => {
    const { rack, load } = openRack();
    for (const [name, needed, given] of [
      ['pears', 'plums', 'pears'],
      ['plums', 'pears', 'plums'],
    ] as const)
      await expect(
        load({ name, inject: [needed], provide: [given], apply: provides(given) }),
      ).rejects.toThrow(`the plugin ${name} needs ${needed}, which no plugin before it provides`);
    expect(rack.names).toEqual([]);
  });

  it('says that it provides something, and does not: it is unloaded, and its name is free [H1]', async () => {
    const { rack, load, gone } = openRack();
    await expect(load({ provide: ['fruit'] })).rejects.toThrow(
      'the plugin pears says that it provides fruit, and does not',
    );
    expect(gone).toEqual(['pears']);
    await load({ provide: ['fruit'], apply: provides('fruit') });
    expect(rack.names).toEqual(['pears']);
  });

  it('fails in the middle: what it had made is undone, and what was loaded stays [H3]', async () => {
    const { ctx, rack, load, gone } = openRack();
    await load({ name: 'plums' });
    const half = async (inner: Context): Promise<void> => {
      provides('fruit')(inner);
      await Promise.resolve();
      throw new Error('no pears');
    };
    await expect(load({ apply: half })).rejects.toThrow('no pears');
    expect(gone).toEqual(['pears']);
    expect(ctx.reflect.get('fruit')).toBeUndefined();
    expect(rack.names).toEqual(['plums']);
  });

  it('does not end its apply: it is given up, and the others can still go [H3]', async () => {
    const { rack, load, gone } = openRack(impatient);
    await load({ name: 'plums' });
    await expect(load({ apply: never })).rejects.toThrow('the plugin pears is not ready after a long time');
    await rack.stop();
    expect(gone).toContain('plums');
  });
});

describe('a plugin whose disposal goes wrong', () => {
  const disposals: readonly [what: string, dispose: () => void | Promise<void>][] = [
    [
      'throws',
      () => {
        throw new Error('no pears');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no pears'))],
  ];
  it.each(disposals)('%s: that is told, and the others go in order [H3]', async (_what, dispose) => {
    const { rack, load, gone, told } = openRack();
    await load({ name: 'figs' });
    await load({ apply: (ctx) => void ctx.effect(() => dispose) });
    await load({ name: 'plums' });
    await rack.stop();
    expect(gone).toEqual(['plums', 'pears', 'figs']);
    expect(told).toMatchObject([
      { code: 'plugin-failed', level: 'error', message: 'the plugin pears: no pears' },
    ]);
  });

  it('hangs: it is left behind, which is told, and the others go [H3]', async () => {
    const { rack, load, gone, told } = openRack(impatient);
    await load({ name: 'figs' });
    await load({ apply: (ctx) => void ctx.effect(() => never) });
    await load({ name: 'plums' });
    await rack.stop();
    expect(gone).toEqual(expect.arrayContaining(['plums', 'figs']));
    expect(told).toMatchObject([
      { code: 'plugin-left-behind', level: 'error', message: expect.stringContaining('pears') as string },
    ]);
  });

  it('and that is loaded again is the same as before [H3]', async () => {
    const { ctx, rack, load, told } = openRack();
    const failing = (inner: Context): void => {
      provides('fruit')(inner);
      inner.effect(() => () => {
        throw new Error('no pears');
      });
    };
    await load({ provide: ['fruit'], apply: failing });
    await load({ name: 'jam', inject: ['fruit'] });
    await rack.unload('pears');
    expect([rack.names, ctx.reflect.get('fruit')]).toEqual([[], undefined]);
    await rack.reload('pears');
    expect(rack.names).toEqual(['pears', 'jam']);
    expect(told).toHaveLength(1);
  });
});

describe('waiting within a time', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends with what is waited for, or with the time, and leaves no clock behind [H3]', async () => {
    vi.useFakeTimers();
    expect(await withinTime(Promise.resolve(3), 1_000)).toBe(true);
    await expect(withinTime(Promise.reject(new Error('no pears')), 1_000)).rejects.toThrow('no pears');
    expect(vi.getTimerCount()).toBe(0);
    const late = withinTime(never(), 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
