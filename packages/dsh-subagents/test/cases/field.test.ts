/** Cases that users of agent harnesses have reported. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@deepseek-ai/dsh-agent/testing';
import { heldDriver } from '../rig/held-driver.ts';
import { addDeafTool, addTool, call } from '../orders/tools.ts';
import { chain, conditions, live } from '../rig/tree.ts';
import { id, openWorld, text } from '../rig/world.ts';

describe('what users have met', () => {
  it('a message after the last token of a child is in its log once and in a later request [M14 M18 A5]', async () => {
    const { world, root, release } = await chain(['kiwi']);
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('also count pears'));
    release('kiwi');
    const message = await sent;
    await world.runtime.whenQuiescent(id('root'));
    const ids: string[] = [];
    for await (const record of world.sessions.read(id('kiwi')))
      if (record.kind === 'event' && record.event.type === 'user/message') ids.push(record.event.data.id);
    expect(ids.filter((each) => each === message)).toHaveLength(1);
    expect(JSON.stringify(world.model('kiwi').requests.at(-1)?.messages)).toContain('also count pears');
  });

  it('an interrupt keeps three prompts and a message in order, says so, and leaves grandchildren alone [M40 A20]', async () => {
    const { world, root } = await chain(['kiwi', 'pit']);
    const parentSessionId = id('root');
    const ids: string[] = [];
    for (const content of ['t1', 't2', 't3'])
      ids.push(await world.host.prompt(id('kiwi'), { parentSessionId, content }));
    ids.push(await world.runtime.sendMessage(root.agent, id('kiwi'), text('s1')));
    const receipt = await world.host.interrupt(id('kiwi'), { parentSessionId });
    expect(receipt).toMatchObject({ turn: 0, kept: ids, discarded: [], descendantsRunning: 1 });
    await world.rest();
    expect(
      live(world, 'kiwi')
        .inbox.list()
        .map(({ message }) => message.id),
    ).toEqual(ids);
    expect(live(world, 'pit').status).toBe('running');
    await world.host.prompt(id('kiwi'), { parentSessionId, content: 't4' });
    await world.rest();
    const reads = world.log.filter((line) => line.startsWith('kiwi reads')).slice(1);
    expect(reads).toEqual([
      ...['kiwi reads user 1.0', 'kiwi reads agent-message 1.0'],
      ...['kiwi reads user 2.0', 'kiwi reads user 3.0', 'kiwi reads user 4.0'],
    ]);
  });

  it('three children settle while their parent is busy: each is told once, its own words first, at one boundary [M19 M33 M35]', async () => {
    const world = await openWorld({
      scripts: {
        root: [{ text: 'busy', hold: 'end' }, 'noted', 'never asked'],
        x: ['x'],
        y: [{ text: 'half', calls: [{ tool: 'absent' }] }, { error: { status: 400 } }],
        z: [call('tell'), 'z'],
      },
    });
    addTool(world, 'tell', async (agent) => {
      await world.runtime.sendMessage(agent, id('root'), text('my result'));
      return 'sent';
    });
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await world.rest();
    for (const name of ['x', 'y', 'z']) await world.start(root.agent, name);
    await world.rest();
    expect(await conditions(world, 'root')).toEqual(['x absent', 'y absent', 'z absent']);
    world.model('root').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('root').requests).toHaveLength(2);
    const sources = root.agent.session
      .history()
      .flatMap((message) => (message.role === 'user' ? [message.source] : []));
    const told = sources.map((source) => ('childSessionId' in source ? source.childSessionId : source.kind));
    expect(told.filter((each) => each === 'agent-message')).toHaveLength(1);
    expect([...told].sort()).toEqual(['agent-message', 'user', 'x', 'y', 'z']);
    expect(told.indexOf('agent-message')).toBeLessThan(told.indexOf(id('z')));
    expect(sources).toContainEqual(expect.objectContaining({ childSessionId: 'y', outcome: 'error' }));
    expect(JSON.stringify(root.agent.session.history())).toContain('half');
  });

  it('a grandchild that its parent resumes after a restart tells that parent alone [M33 M20]', async () => {
    const { world, release } = await chain(['kiwi', 'pit']);
    release('kiwi', 'pit');
    await world.runtime.whenQuiescent(id('root'));
    await world[Symbol.asyncDispose]();
    const next = await openWorld({
      medium: world.medium,
      scripts: { kiwi: [call('write'), 'sent', 'noted'] },
    });
    addTool(next, 'write', async (agent) => next.runtime.sendMessage(agent, id('pit'), text('again')));
    const root = await next.agents.resume({ id: id('root') });
    await next.runtime.sendMessage(root.agent, id('kiwi'), text('ask the pit'));
    await next.runtime.whenQuiescent(id('root'));
    const notices = next.log.filter((line) => line.endsWith('accepts subagent-settled'));
    expect(notices).toEqual(['kiwi accepts subagent-settled', 'root accepts subagent-settled']);
  });

  it('a tree of 3, 3 and 2 whose parents all wait never asks more than two models at once [M9 A33]', async () => {
    let [running, peak] = [0, 0];
    const names = (above: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${above}${index}`);
    const tops = names('t', 3);
    const middles = tops.flatMap((name) => names(name, 3));
    const leaves = middles.flatMap((name) => names(name, 2));
    const parents = [...tops, ...middles];
    const scripts = Object.fromEntries<readonly ScriptedTurn[]>([
      ...parents.map((name) => [name, [call('delegate'), 'waited']] as const),
      ...leaves.map((name) => [name, ['leaf']] as const),
    ]);
    const world = await openWorld({
      limits: { modelCalls: 2 },
      scripts: { root: [call('delegate'), 'all done'], ...scripts },
    });
    const labels = new Map<string, string>();
    addTool(world, 'delegate', async (agent) => {
      const own = labels.get(agent.id) ?? '';
      const below = own === '' ? tops : names(own, tops.includes(own) ? 3 : 2);
      const runs = await Promise.all(
        below.map(async (label) => {
          const run = await world.runtime.start('spawn', { label, prompt: 'x', parent: agent });
          labels.set(run.id, label);
          return run;
        }),
      );
      const results = await Promise.all(runs.map((run) => run.result));
      await Promise.all(runs.map((run) => run.dispose()));
      return results.map(({ stopReason }) => stopReason).join(' ');
    });
    const seen = new Set<string>();
    world.agents.on('agent/stream', ({ agent, event }) => {
      if (event.type === 'finish') seen.delete(agent.id);
      else seen.add(agent.id);
      running = seen.size;
      peak = Math.max(peak, running);
    });
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await world.runtime.whenQuiescent(id('root'));
    expect(root.agent.session.history().at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ text: 'all done' }],
    });
    expect(leaves.map((name) => world.model(name).requests.length)).toEqual(leaves.map(() => 1));
    expect(peak).toBe(2);
  });

  it('a drain of one root, with one child in creation, one in cold resume and one that refuses to stop, touches no other root [M31 M41 M42]', async () => {
    const held = heldDriver();
    const world = await openWorld({
      wrapDriver: held.wrap,
      subagents: { timeouts: { disposalMs: 5_000 } },
      scripts: {
        deaf: [call('deaf')],
        inner: [{ text: 'x', hold: 'end' }],
        free: [{ text: 'x', hold: 'end' }],
      },
    });
    const tool = addDeafTool(world);
    const [a, b] = [await world.root('a'), await world.root('b')];
    await world.start(b.agent, 'free');
    await world.start(a.agent, 'cold');
    await world.runtime.whenQuiescent(id('a'));
    await world.start(a.agent, 'deaf');
    await world.start(live(world, 'deaf'), 'inner');
    await world.rest();
    const release = held.hold('take');
    const late = [
      world.start(a.agent, 'made'),
      world.runtime.sendMessage(a.agent, id('cold'), text('again')),
    ].map((asked) => asked.catch((error: unknown) => error));
    await world.rest();
    const drains = [1, 2].map(() =>
      world.runtime.drainContinuableDescendants([a.agent]).catch((error: unknown) => error),
    );
    await expect(world.start(a.agent, 'more')).rejects.toMatchObject({ code: 'DRAINING' });
    await expect(world.runtime.sendMessage(a.agent, id('deaf'), text('x'))).rejects.toMatchObject({
      code: 'DRAINING',
    });
    release();
    for (const asked of late) expect(await asked).toMatchObject({ code: 'DRAINING' });
    await world.rest();
    world.clock.advance(5_000);
    const failures = await Promise.all(drains);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'ACTIVATION_TEARDOWN_FAILED' });
    tool.late('late');
    const gone = world.log.filter((line) => /^gone (inner|deaf)$/.test(line));
    expect(gone).toEqual(['gone inner', 'gone deaf']);
    expect(
      world.agents
        .list()
        .map((agent) => agent.id)
        .sort(),
    ).toEqual(['a', 'b', 'free']);
    expect(live(world, 'free').status).toBe('running');
    await world.runtime.sendMessage(b.agent, id('free'), text('still here'));
    world.model('free').release('end');
    await world.runtime.whenQuiescent(id('b'));
  });
});
