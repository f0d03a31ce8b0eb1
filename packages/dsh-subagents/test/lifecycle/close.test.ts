import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { id, openWorld, text } from '../rig/world.ts';
import { chain, ends, live } from '../rig/tree.ts';

describe('the end of an Activation', () => {
  it('tells the parent before the edge is cut; a send from the listener finds a new epoch with its own edge [O10 M26 M29 M35]', async () => {
    const { world, release } = await chain(['parent', 'kiwi']);
    world.model('kiwi').push('again');
    const parent = live(world, 'parent');
    let sent: Promise<unknown> | undefined;
    parent.on('agent/inbox/enqueue', ({ message }) => {
      if (message.source.kind === 'subagent-settled' && sent === undefined) {
        sent = world.runtime.sendMessage(parent, id('kiwi'), text('once more'));
      }
    });
    release('kiwi');
    await world.rest();
    await sent;
    const order = world.log.filter((line) => line.includes('kiwi') && /^(start|end|gone)/.test(line));
    expect(order.slice(0, 4)).toEqual(['start kiwi', 'gone kiwi', 'end kiwi completed', 'start kiwi again']);
    release('parent');
    await world.runtime.whenQuiescent(id('root'));
    expect(ends(world).at(-1)).toBe('end parent completed');
  });

  it('gives each notice once, together, before the parent may settle [O39 M19 M33 M35]', async () => {
    const { world, root } = await chain(['parent']);
    const parent = live(world, 'parent');
    for (const name of ['x', 'y', 'z']) {
      world.model(name).push({ text: name, hold: 'end' });
      await world.start(parent, name);
    }
    await world.rest();
    for (const name of ['x', 'y', 'z', 'parent']) world.model(name).release('end');
    await world.runtime.whenQuiescent(id('root'));
    const notices = world.log.filter((line) => line.startsWith('parent reads subagent-settled'));
    expect(notices).toHaveLength(3);
    expect(world.model('parent').requests).toHaveLength(2);
    expect(world.log.filter((line) => line === 'root accepts subagent-settled')).toHaveLength(1);
    await root.dispose();
  });

  it('never lets a notice overtake what the child wrote before [M19]', async () => {
    const { world, root, release } = await chain(['kiwi']);
    await world.runtime.sendMessage(live(world, 'kiwi'), id('root'), text('my result'));
    release('kiwi');
    await world.runtime.whenQuiescent(id('root'));
    const accepted = world.log.filter((line) => line.startsWith('root accepts'));
    expect(accepted).toEqual(['root accepts agent-message', 'root accepts subagent-settled']);
    expect(root.agent.inbox.list()).toEqual([]);
  });

  it('ends aborted, with one notice, when a listener cancels the task at once [O37 M33 A9]', async () => {
    const world = await openWorld();
    const root = await world.root();
    world.agents.on('agent/inbox/enqueue', ({ agent, message }) => {
      if (message.source.kind === 'delegated-task') agent.cancel('user');
    });
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests).toEqual([]);
    expect(world.log).toContain('kiwi discards cancelled');
    expect(world.log).toContain('end kiwi aborted');
    expect(world.log.filter((line) => line === 'root accepts subagent-settled')).toHaveLength(1);
  });

  it('ends aborted where who hears first of the end of its turn cancels what has come since [M33]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'done' }] } });
    const root = await world.root();
    world.agents.on('agent/created', ({ agent }) => {
      // What is heard from the agent itself is heard before the runtime hears it.
      agent.on('agent/turn/end', () => {
        agent.followup({ content: 'and then', source: { kind: 'user' } });
        agent.cancel('user');
      });
    });
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('kiwi discards cancelled');
    expect(world.log).toContain('end kiwi aborted');
  });

  it.each([
    ['completed', [{ text: 'done' }]],
    ['max-tokens', [{ text: 'do', finish: 'max-tokens' as const }]],
    ['refused', [{ text: 'no', finish: 'refused' as const }]],
    ['error', [{ error: { status: 400 } }]],
  ])(
    'names the outcome %s, keeps it in the log of the child, and wakes the parent [M33]',
    async (outcome, script) => {
      const world = await openWorld({ scripts: { kiwi: script } });
      const root = await world.root();
      await world.start(root.agent, 'kiwi');
      await world.runtime.whenQuiescent(id('root'));
      expect(world.log).toContain(`end kiwi ${outcome}`);
      expect(world.log).toContain('root accepts subagent-settled');
      const records: unknown[] = [];
      for await (const record of world.sessions.read(id('kiwi'))) records.push(record);
      expect(records.at(-1)).toMatchObject({ event: { type: 'subagent/ended', data: { outcome } } });
      await root.dispose();
    },
  );

  it('names and describes one and the same child in each notice, whoever ends beside it [M36]', async () => {
    const world = await openWorld({
      scripts: { x: [{ text: 'text of x', hold: 'end' }], y: [{ error: { status: 400 }, hold: 'end' }] },
    });
    const root = await world.root();
    const runs = new Map<string, string>();
    world.runtime.on('subagent/end', ({ childId, runId }) => runs.set(childId, runId));
    for (const name of ['x', 'y']) await world.start(root.agent, name);
    await world.rest();
    for (const name of ['x', 'y']) world.model(name).release('end');
    await world.runtime.whenQuiescent(id('root'));
    const notices = root.agent.session
      .history()
      .flatMap((message) =>
        message.role === 'user' && message.source.kind === 'subagent-settled' ? [message] : [],
      );
    for (const [name, outcome] of [
      ['x', 'completed'],
      ['y', 'error'],
    ] as const) {
      const notice = notices.find(
        ({ source }) => 'childSessionId' in source && source.childSessionId === name,
      );
      expect(notice?.source).toMatchObject({ runId: runs.get(name), outcome });
      const shown = JSON.stringify(notice?.content);
      expect(shown).toContain(`child ${name}, labelled`);
      expect(shown.includes('text of x')).toBe(name === 'x');
    }
  });

  it('releases in spite of a flush that fails, and with the outcome that it had [M30]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    held.fail('append', new Error('disk full'));
    for (let round = 0; round < 20 && !world.log.includes('end kiwi completed'); round += 1) {
      await world.rest();
      world.clock.advance(10_000);
    }
    expect(world.log).toContain('end kiwi completed');
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
    expect(world.diagnostics.some(({ code }) => code === 'flush-failed')).toBe(true);
  });

  it('reports what could not be disposed, after every branch was tried [M29 M41]', async () => {
    const { world } = await chain(['a', 'b']);
    const broken = new Error('will not go');
    live(world, 'b').whenIdle = () => Promise.reject(broken);
    await expect(world.runtime.drain()).rejects.toMatchObject({
      code: 'ACTIVATION_TEARDOWN_FAILED',
      errors: [broken],
    });
    expect(world.agents.list().map((left) => left.id)).toEqual(['root']);
    expect(world.log).toContain('end b teardown-failed');
  });

  it('leaves nothing behind after the release [M29]', async () => {
    const { world, release } = await chain(['kiwi']);
    release('kiwi');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
    expect(world.sessions.get(id('kiwi'))).toBeUndefined();
    const opened = await world.sessions.open(id('kiwi'));
    await world.sessions.close(opened);
  });
});
