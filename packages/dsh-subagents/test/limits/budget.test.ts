import { describe, expect, it } from 'vitest';
import { chain, live } from '../rig/tree.ts';
import { id, openWorld, text, type World } from '../rig/world.ts';

const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
});

function spentIn({ sessions }: World, name: string): number {
  const events = sessions.get(id(name))?.events() ?? [];
  return events.reduce((sum, event) => sum + (event.type === 'subagent/tally' ? event.data.tokens : 0), 0);
}

describe('the budget of a tree', () => {
  it('refuses the call that would cross it before it is sent; the child ends with budget and keeps its output [M46 M33]', async () => {
    const world = await openWorld({
      subagents: { limits: { budgetTokens: 10_000 } },
      scripts: {
        kiwi: [
          { text: 'half of it', usage: usage(5_900, 100, 5_000), calls: [{ tool: 'absent' }] },
          { text: 'the other half', usage: usage(6_100, 100, 6_000) },
        ],
      },
    });
    const root = await world.root();
    const ended: unknown[] = [];
    world.runtime.on('subagent/end', ({ outcome, output }) => ended.push([outcome, output]));
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests).toHaveLength(1);
    expect(ended).toEqual([['budget', 'half of it']]);
    expect(spentIn(world, 'root')).toBe(6_000);
  });

  it('counts each token once up the tree, those of one-shots included, and none of the root [M46]', async () => {
    const answer = { text: 'x', usage: usage(90, 10, 80) };
    const { world, root, release } = await chain(['a', 'b'], {
      subagents: { limits: { budgetTokens: 10_000, maxDepth: 4 } },
      scripts: {
        root: [answer, answer, answer],
        a: [{ ...answer, hold: 'end' }, answer],
        b: [{ ...answer, hold: 'end' }],
        once: [answer],
      },
    });
    const run = await world.runtime.start('spawn', { label: 'once', prompt: 'x', parent: live(world, 'b') });
    await run.result;
    await run.dispose();
    release('b', 'a');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('root').requests).toHaveLength(1);
    expect(spentIn(world, 'root')).toBe(400);
    await root.dispose();
  });

  it('of 10,000 with 9,000 spent lets three that ask at once overshoot by their answers in flight alone [O27 M46]', async () => {
    const names = ['x', 'y', 'z'];
    const world = await openWorld({
      subagents: { limits: { budgetTokens: 10_000 } },
      scripts: { first: [{ text: 'x', usage: usage(8_900, 100) }] },
    });
    const root = await world.root();
    await world.start(root.agent, 'first');
    await world.runtime.whenQuiescent(id('root'));
    for (const name of names) {
      world.model(name).push({ text: name, usage: usage(600, 100), hold: 'end' });
      await world.start(root.agent, name);
    }
    await world.rest();
    expect(names.map((name) => world.model(name).requests.length)).toEqual([1, 1, 1]);
    for (const name of names) world.model(name).release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(spentIn(world, 'root')).toBe(11_100);
    await world.start(root.agent, 'late');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('late').requests).toEqual([]);
    expect(world.log).toContain('end late budget');
  });

  it('holds back for requests in flight what the agents have needed so far [M46]', async () => {
    const big = { text: 'x', usage: usage(4_000, 0), calls: [{ tool: 'absent' }] };
    const world = await openWorld({
      subagents: { limits: { budgetTokens: 13_000 } },
      scripts: {
        x: [big, { text: 'end', usage: usage(4_000, 0), hold: 'end' }],
        y: [{ ...big, hold: 'end' }, 'never'],
      },
    });
    const root = await world.root();
    for (const name of ['x', 'y']) await world.start(root.agent, name);
    await world.rest();
    world.model('y').release('end');
    await world.rest();
    expect(world.model('y').requests).toHaveLength(1);
    expect(world.log).toContain('end y budget');
    world.model('x').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end x completed');
  });

  it('gets back what a request had reserved that was cancelled or failed before anything came, though its agent stays [M46]', async () => {
    const world = await openWorld({
      subagents: { limits: { budgetTokens: 1_000 }, keepWarmMs: 60_000 },
      scripts: {
        x: [{ text: 'x', hold: { until: 'end', at: 'start' } }],
        y: [{ error: { status: 400 } }],
        z: ['fine'],
      },
    });
    const root = await world.root();
    const bulk = { prompt: 'p'.repeat(2_400), parent: root.agent };
    await world.start(root.agent, 'x', { request: bulk });
    await world.rest();
    await world.runtime.interrupt(id('x'), root.agent);
    await world.rest();
    await world.start(root.agent, 'y', { request: bulk });
    await world.rest();
    await world.start(root.agent, 'z', { request: bulk });
    await world.rest();
    expect(['x', 'y', 'z'].map((name) => world.model(name).requests.length)).toEqual([1, 1, 1]);
    expect(world.agents.list()).toHaveLength(4);
  });

  it('gets back what was reserved by an agent that was left behind [M46 M31]', async () => {
    const world = await openWorld({
      subagents: { limits: { budgetTokens: 1_000 }, timeouts: { disposalMs: 5_000 } },
      scripts: { z: ['fine'] },
    });
    const root = await world.root();
    const bulk = { prompt: 'p'.repeat(2_400), parent: root.agent };
    await world.start(root.agent, 'x', { request: bulk });
    const child = live(world, 'x');
    // Its turn ends in no log.
    world.agents.on('agent/stream', ({ agent }) => {
      if (agent === child && !agent.session.sealed)
        world.sessions.close(agent.session).catch(() => undefined);
    });
    await world.rest();
    await world.host.stopChildren(id('root'), [id('x')]);
    await world.start(root.agent, 'z', { request: bulk });
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('z').requests).toHaveLength(1);
  });

  it('is what it was after a restart, for old children and new ones [M46]', async () => {
    const subagents = { limits: { budgetTokens: 1_000 } };
    const first = await openWorld({ subagents, scripts: { kiwi: [{ text: 'x', usage: usage(900, 99) }] } });
    const root = await first.root();
    await first.start(root.agent, 'kiwi');
    await first.runtime.whenQuiescent(id('root'));
    await first.sessions.flush(root.agent.session);
    first.crash();
    const second = await openWorld({ subagents, medium: first.medium });
    const again = await second.agents.resume({ id: id('root') });
    await second.runtime.sendMessage(again.agent, id('kiwi'), text('and now?'));
    await second.start(again.agent, 'pear');
    await second.runtime.whenQuiescent(id('root'));
    expect(second.model('kiwi').requests).toEqual([]);
    expect(second.model('pear').requests).toEqual([]);
    expect(second.log.filter((line) => line.startsWith('end')).sort()).toEqual([
      'end kiwi budget',
      'end pear budget',
    ]);
  });
});
