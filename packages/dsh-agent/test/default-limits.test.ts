/** The bounds that count where nobody says otherwise: A8, A14, A18, A21. */
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say, tool } from './agent-world.ts';

const full = expect.objectContaining({ code: 'INBOX_FULL' }) as Error;

it('a thousand messages wait, and one more is refused [A8]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create({ start: 'held' });
  for (let count = 0; count < 1_000; count += 1) agent.inject(relay(`m${count}`));
  expect(() => agent.inject(relay('one more'))).toThrow(full);
  agent.inbox.remove('m0' as never);
  agent.inject(relay('one more'));
  expect(agent.inbox.list()).toHaveLength(1_000);
});

it('eight mebibytes of messages wait, counted as JSON in UTF-8, and no byte more [A8]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create({ start: 'held' });
  const empty = { ...relay('m1'), content: '-' };
  agent.inject(empty);
  const frame = new TextEncoder().encode(JSON.stringify(agent.inbox.list()[0]?.message)).length - 1;
  agent.inbox.clear();
  const half = 4 * 2 ** 20 - frame;
  agent.inject({ ...relay('m2'), content: 'é'.repeat(half / 2) + 'x'.repeat(half % 2) });
  expect(() => agent.inject({ ...relay('m3'), content: 'x'.repeat(half + 1) })).toThrow(full);
  agent.inject({ ...relay('m4'), content: 'x'.repeat(half) });
  expect(() => agent.inject(relay('m5'))).toThrow(full);
});

it('eight tools run at once [A14]', async () => {
  const calls = Array.from({ length: 9 }, () => ({ tool: 't' }));
  const { registry, tools } = await openWorld({ script: [{ calls }] });
  let running = 0;
  tools.register(
    tool('t', () => {
      running += 1;
      return new Promise(() => {});
    }),
  );
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(running).toBe(8);
});

it('a turn takes two hundred steps [A18]', async () => {
  const { registry, tools, model } = await openWorld({ script: () => ({ calls: [{ tool: 't' }] }) });
  tools.register(tool('t', () => 'ran'));
  const { agent } = await registry.create({ id: id('s') });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(model.requests).toHaveLength(200);
  expect(logOf(agent.session).at(-1)).toBe('end 0 max-steps');
});

it('a tool that ignores the abort is waited for ten seconds [A21]', async () => {
  const { registry, tools, clock } = await openWorld({ script: [{ calls: [{ tool: 'deaf' }] }] });
  tools.register(tool('deaf', () => new Promise(() => {})));
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  agent.cancel('user');
  clock.advance(9_999);
  await drainMicrotasks();
  expect(agent.session.turnOpen).toBe(true);
  clock.advance(1);
  await drainMicrotasks();
  expect(logOf(agent.session).at(-1)).toBe('end 0 aborted');
});
