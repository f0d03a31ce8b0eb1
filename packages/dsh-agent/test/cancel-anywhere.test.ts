/** A cancel between any two steps of the program: A20, A22, A23. */
import { expect, it } from 'vitest';
import type { CancelReceipt } from '../src/agent.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { logOf, openWorld, say, tool } from './agent-world.ts';

async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await Promise.resolve();
}

it.each(['cancel', 'stop'] as const)(
  'after a %s at any microtask, no model is asked and no tool begins [A20 A22 A23]',
  async (how) => {
    const seen = new Set<string>();
    for (let at = 0; at < 160; at += 1) {
      let over = false;
      const begun: string[] = [];
      const { registry, tools } = await openWorld({
        hooks: { beforeRequest: () => undefined, beforeToolCall: () => undefined },
        script: (_, index) => {
          if (over) begun.push('model');
          return index === 0 ? { calls: [{ tool: 'a' }, { tool: 'a' }] } : 'done';
        },
      });
      tools.register(
        tool('a', () => {
          if (over) begun.push('tool');
          return 'A';
        }),
      );
      const handle = await registry.create();
      const { agent } = handle;
      agent.followup(say('m1'));
      await microtasks(at);
      const receipt = how === 'cancel' ? agent.cancel('user') : handle.stop('user');
      over = true;
      await agent.whenIdle();
      expect(begun, `microtask ${at}`).toEqual([]);
      expect(agent.session.turnOpen).toBe(false);
      const end = agent.session.events().at(-1);
      if (receipt.turn !== undefined) expect(end?.data).toMatchObject({ reason: { kind: 'aborted' } });
      seen.add(end === undefined ? 'nothing' : JSON.stringify(end.data));
    }
    // Before the turn, in it, and after it.
    expect(seen.size).toBe(3);
  },
);

it('in the instant of a turn end finds no turn to abort [A20 A5]', async () => {
  const { registry } = await openWorld({ script: ['one'] });
  const { agent } = await registry.create();
  const receipts: unknown[] = [];
  agent.session.subscribe(({ type }) => {
    if (type === 'turn/end') receipts.push(agent.cancel('user'));
  });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(receipts).toEqual([{ kept: [], discarded: [] }]);
});

it('at any microtask after a hook has let a claim pass, what it kept is not claimed [A19 A20 A22]', async () => {
  const seen = new Set<string>();
  for (let at = 0; at < 16; at += 1) {
    let receipt: CancelReceipt | undefined;
    let cancelling: Promise<unknown> | undefined;
    const { registry } = await openWorld({
      hooks: {
        beforeStep: ({ agent }) => {
          cancelling = microtasks(at).then(() => (receipt ??= agent.cancel('parent', { keepInbox: true })));
          return undefined;
        },
      },
    });
    const { agent } = await registry.create();
    agent.followup(say('m1'));
    await drainMicrotasks();
    await cancelling;
    await agent.whenIdle();
    const kept = receipt?.kept.length === 1;
    expect(logOf(agent.session).includes('user m1'), `microtask ${at}`).toBe(!kept);
    expect(agent.inbox.list(), `microtask ${at}`).toHaveLength(kept ? 1 : 0);
    seen.add(kept ? 'kept' : 'claimed');
  }
  expect(seen.size).toBe(2);
});
