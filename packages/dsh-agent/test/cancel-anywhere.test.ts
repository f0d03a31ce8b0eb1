/** A cancel between any two steps of the program: A20, A22, A23. */
import { expect, it } from 'vitest';
import { openWorld, say, tool } from './agent-world.ts';

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
    expect(seen.size).toBe(2);
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
