import { describe, expect, it } from 'vitest';
import type { SessionDriver, SessionId, StoredRecord, WriterPlace } from '@deepseek-ai/dsh-session';
import type { ModelRequest, ToolContext, ToolDefinition } from '@deepseek-ai/dsh-agent';
import {
  scheduledClock,
  scheduledDriver,
  scheduledModel,
  scheduledTool,
  scriptedModel,
  seededScheduler,
  type DriverFault,
} from '@deepseek-ai/dsh-agent/testing';
import { collect } from './collect.ts';

const pear = 'pear' as SessionId;
const substitute = (seq: number) => ({ kind: 'event' as const, seq, json: '{}' });
const request: ModelRequest = { route: 'r', tools: [], messages: [] };
const place = (id: SessionId): WriterPlace => ({
  id,
  token: id,
  lost: new AbortController().signal,
  length: 0,
});

/** A driver that writes down what reached it. */
function recordingDriver() {
  const calls: string[] = [];
  async function* one<T>(call: string, ...items: readonly T[]) {
    calls.push(call);
    yield* items;
  }
  const record: StoredRecord = { kind: 'event', seq: 0, json: '{}' };
  const driver: SessionDriver = {
    protocol: { name: 'dsh-session/driver', version: 1 },
    manifest: { name: 'fake', outlivesProcess: false, sharesPrefix: true, fences: true },
    async take(id, intent) {
      calls.push(`take ${intent}`);
      return place(id);
    },
    async append(parts) {
      calls.push('append');
      return parts.map(() => ({ ok: true }));
    },
    release: async () => void calls.push('release'),
    async head() {
      calls.push('head');
      return { header: '{}', length: 0, start: [] };
    },
    read: () => one<readonly StoredRecord[]>('read', [record], [record]),
    list: () => one('list'),
    delete: async () => void calls.push('delete'),
    repair: async () => void calls.push('repair'),
    [Symbol.asyncDispose]: async () => void calls.push('dispose'),
  };
  return { calls, driver };
}

describe('scheduledDriver', () => {
  it('makes the effect and the answer of each call two steps', async () => {
    const { calls, driver } = recordingDriver();
    const scheduler = seededScheduler();
    let answered = false;
    const append = scheduledDriver(driver, scheduler).append([{ place: place(pear), base: 0, events: [] }]);
    const work = append.then(() => {
      answered = true;
    });
    expect(scheduler.pending).toEqual(['driver append pear']);
    expect(calls).toEqual([]);
    await scheduler.step();
    expect([calls, answered]).toEqual([['append'], false]);
    expect(scheduler.pending).toEqual(['driver append pear done']);
    await scheduler.step();
    expect(answered).toBe(true);
    await work;
  });

  it('passes every method on', async () => {
    const { calls, driver } = recordingDriver();
    const scheduler = seededScheduler();
    const scheduled = scheduledDriver(driver, scheduler, { label: 'store' });
    const work = (async () => {
      const held = await scheduled.take(pear, 'create', {});
      await scheduled.head(pear, {});
      const chunks = await collect(scheduled.read(pear, { from: 0 }));
      await collect(scheduled.list({}));
      await scheduled.repair(held, { substitute });
      await scheduled.release(held);
      await scheduled.delete(pear, {});
      await scheduled[Symbol.asyncDispose]();
      return chunks;
    })();
    await scheduler.run();
    expect((await work).length).toBe(2);
    expect(calls).toEqual(['take create', 'head', 'read', 'list', 'repair', 'release', 'delete', 'dispose']);
    expect(scheduler.trace.filter((label) => label.includes('read'))).toEqual([
      'store read pear',
      'store read pear more',
      'store read pear more',
    ]);
    expect(scheduled.manifest).toBe(driver.manifest);
  });

  it.each([
    { effect: 'none' as const, reached: [] },
    { effect: 'done' as const, reached: ['append'] },
  ])('fails by plan with effect $effect, in the second step', async ({ effect, reached }) => {
    const { calls, driver } = recordingDriver();
    const scheduler = seededScheduler();
    const fault: DriverFault = { error: new Error('disk full'), effect };
    const scheduled = scheduledDriver(driver, scheduler, {
      fault: ({ method, ids, index }) =>
        method === 'append' && ids[0] === pear && index === 1 ? fault : undefined,
    });
    const append = () => scheduled.append([{ place: place(pear), base: 0, events: [] }]);
    const first = append();
    await scheduler.run();
    await first;
    calls.length = 0;
    const failing = expect(append()).rejects.toThrow('disk full');
    await scheduler.run();
    await failing;
    expect(calls).toEqual(reached);
  });

  it('fails a read by plan, before its first chunk or after its last', async () => {
    for (const [effect, count] of [['none', 0] as const, ['done', 2] as const]) {
      const scheduler = seededScheduler();
      const fault = () => ({ error: new Error('bad sector'), effect });
      const scheduled = scheduledDriver(recordingDriver().driver, scheduler, { fault });
      const chunks: unknown[] = [];
      const work = (async () => {
        for await (const chunk of scheduled.read(pear, { from: 0 })) chunks.push(chunk);
      })();
      const failing = expect(work).rejects.toThrow('bad sector');
      await scheduler.run();
      await failing;
      expect(chunks.length).toBe(count);
    }
  });
});

describe('scheduledModel', () => {
  it('makes the request and each event a step', async () => {
    const scheduler = seededScheduler();
    const model = scheduledModel(scriptedModel([{ text: 'ab' }], { pieces: 2 }), scheduler, { label: 'm' });
    const events = collect(model.stream(request, { signal: new AbortController().signal }));
    await scheduler.run();
    expect((await events).map(({ type }) => type)).toEqual(['text', 'text', 'finish']);
    expect(scheduler.trace).toEqual(['m request', 'm text', 'm text', 'm finish', 'm end']);
  });

  it('throws the reason of an abort in the place of the next event', async () => {
    const scheduler = seededScheduler();
    const controller = new AbortController();
    const model = scheduledModel(scriptedModel(['abc']), scheduler);
    const events: string[] = [];
    const work = (async () => {
      for await (const { type } of model.stream(request, { signal: controller.signal })) events.push(type);
    })();
    const failing = expect(work).rejects.toThrow('stop');
    await scheduler.step();
    await scheduler.step();
    controller.abort(new Error('stop'));
    await scheduler.run();
    await failing;
    expect(events).toEqual(['text']);
  });
});

describe('scheduledTool', () => {
  it('runs the body in one step and shows its answer, also a failure, in another', async () => {
    const scheduler = seededScheduler();
    const ran: string[] = [];
    const tool: ToolDefinition<string> = {
      name: 'echo',
      description: '',
      inputSchema: { json: {}, parse: (value) => ({ value: String(value) }) },
      execute(input) {
        ran.push(input);
        if (input === 'bad') throw new Error('no');
        return input;
      },
    };
    const context = { callId: 'c1' } as ToolContext;
    const scheduled = scheduledTool(tool, scheduler);
    const good = scheduled.execute('x', context);
    expect(ran).toEqual([]);
    await scheduler.step();
    expect(ran).toEqual(['x']);
    expect(scheduler.pending).toEqual(['echo c1 done']);
    await scheduler.step();
    expect(await good).toBe('x');
    const bad = expect(scheduled.execute('bad', context)).rejects.toThrow('no');
    await scheduler.run();
    await bad;
  });
});

describe('scheduledClock', () => {
  it('lets only the timer that is due first be picked, and moves time to it', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const scheduler = seededScheduler(seed);
      const clock = scheduledClock(scheduler, { start: 0 });
      const fired: number[] = [];
      for (const ms of [30, 10, 20, 10]) clock.timer(ms, () => fired.push(clock.now()));
      clock.timer(15, () => expect.unreachable()).dispose();
      await scheduler.run();
      expect(fired).toEqual([10, 10, 20, 30]);
    }
  });

  it('lets timers come before or after other steps, or with `idle` only after all of them', async () => {
    const orders = async (fire: 'any' | 'idle') => {
      const seen = new Set<string>();
      for (let seed = 0; seed < 20; seed++) {
        const scheduler = seededScheduler(seed);
        scheduledClock(scheduler, { fire }).timer(10, () => {});
        await Promise.all([scheduler.task('work'), scheduler.run()]);
        seen.add(scheduler.trace.join());
      }
      return [...seen].sort();
    };
    expect(await orders('any')).toEqual(['timer 10,work', 'work,timer 10']);
    expect(await orders('idle')).toEqual(['work,timer 10']);
  });
});
