import { describe, expect, it } from 'vitest';
import { deferred } from '@dsh-internal/async';
import { heldDriver } from '../rig/held-driver.ts';
import { live } from '../rig/tree.ts';
import { containing, id, messageId, openWorld, text } from '../rig/world.ts';

/** root > parent > (kiwi > grandchild), pear; all of them held in a model call. */
async function tree() {
  const held = [{ text: 'done', hold: 'end' }];
  const world = await openWorld({ scripts: { parent: held, kiwi: held, pear: held, grandchild: held } });
  const root = await world.root();
  await world.start(root.agent, 'parent');
  await world.start(live(world, 'parent'), 'kiwi');
  await world.start(live(world, 'parent'), 'pear');
  await world.start(live(world, 'kiwi'), 'grandchild');
  await world.rest();
  const settle = async () => {
    for (const name of ['parent', 'kiwi', 'pear', 'grandchild']) world.model(name).release('end');
    await world.runtime.whenQuiescent(id('root'));
  };
  return { world, root, settle };
}

describe('sendMessage', () => {
  it('reaches a direct child and the direct parent by steer, framed with the id of the sender [M12 M15 M16]', async () => {
    const { world, settle } = await tree();
    await world.runtime.sendMessage(live(world, 'parent'), id('kiwi'), text('count'));
    await world.runtime.sendMessage(live(world, 'kiwi'), id('parent'), text('counted'));
    const [down] = live(world, 'kiwi').inbox.list();
    expect(down).toMatchObject({ boundary: 'step', wake: true });
    expect(down?.message.content).toEqual([...text('Agent parent sent a message:'), ...text('count')]);
    const [up] = live(world, 'parent').inbox.list();
    expect(up).toMatchObject({
      boundary: 'step',
      message: { source: { kind: 'agent-message', form: 'relay', senderSessionId: 'kiwi' } },
    });
    await settle();
  });

  it.each([
    ['itself', 'kiwi', 'kiwi'],
    ['a sibling', 'kiwi', 'pear'],
    ['a grandparent', 'kiwi', 'root'],
    ['a grandchild', 'parent', 'grandchild'],
    ['nobody', 'kiwi', 'unknown'],
    ['its parent with a blank', 'kiwi', 'parent '],
    ['a foreign root', 'kiwi', 'other'],
  ])(
    'refuses %s with one code and one text, and leaves no trace [M12 M13]',
    async (_name, sender, target) => {
      const { world, settle } = await tree();
      await world.root('other');
      const before = world.log.length;
      const refused = await world.runtime
        .sendMessage(live(world, sender), id(target), text('x'))
        .catch((error: unknown) => error);
      const reachable = sender === 'kiwi' ? ['parent'] : ['root'];
      expect(refused).toMatchObject({
        code: 'UNAUTHORIZED',
        message: containing('Not delivered'),
      });
      expect((refused as { reachable: string[] }).reachable[0]).toBe(reachable[0]);
      expect(world.log.slice(before)).toEqual([]);
      expect(world.agents.get(id(target))?.inbox.list() ?? []).toEqual([]);
      await settle();
      expect(world.log.filter((line) => line.startsWith('end'))).toHaveLength(4);
    },
  );

  it('knows nobody by a stale object, not even its own children [M12]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'done', hold: 'end' }] } });
    const root = await world.root();
    root.agent.followup({ content: 'hello', source: { kind: 'user' } });
    await world.start(root.agent, 'kiwi');
    await root.agent.whenIdle();
    await root.dispose();
    const again = await world.agents.resume({ id: id('root') });
    await expect(world.runtime.sendMessage(root.agent, id('kiwi'), text('x'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      reachable: [],
    });
    await world.runtime.sendMessage(again.agent, id('kiwi'), text('x'));
    expect(world.log).toContain('kiwi accepts agent-message');
  });

  it('says of an own child why it cannot be resumed, and of a foreign one nothing [M11 M12]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const other = await world.root('other');
    const bare = await world.sessions.create({
      id: id('bare'),
      parentSession: id('root'),
      origin: 'subagent',
    });
    bare.append('turn/start', { turn: 0 });
    bare.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    await world.sessions.close(bare);
    await expect(world.runtime.sendMessage(root.agent, id('bare'), text('x'))).rejects.toMatchObject({
      code: 'NOT_RESUMABLE',
      message: containing('no descriptor'),
    });
    await expect(world.runtime.sendMessage(other.agent, id('bare'), text('x'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('never keeps anything for an absent parent [M15]', async () => {
    const { world, root } = await tree();
    await root.dispose();
    await expect(
      world.runtime.sendMessage(live(world, 'parent'), id('root'), text('x')),
    ).rejects.toMatchObject({ code: 'PARENT_UNAVAILABLE' });
  });

  it('accepts a repeated id once, live and after a cold resume [M17]', async () => {
    const world = await openWorld();
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    const again = { messageId: messageId('m9') };
    const send = () => world.runtime.sendMessage(root.agent, id('kiwi'), text('x'), again);
    expect(await Promise.all([send(), send()])).toEqual(['m9', 'm9']);
    await world.runtime.whenQuiescent(id('root'));
    expect(await send()).toBe('m9');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('kiwi reads agent-message'))).toHaveLength(1);
  });

  it('accepts un-awaited sends to a closing child in call order, in the new Activation [O16 M14 M28]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    const release = held.hold('release');
    await world.rest();
    const sent = [1, 2, 3].map((n) =>
      world.runtime.sendMessage(root.agent, id('kiwi'), text(String(n)), {
        messageId: messageId(`m${String(n)}`),
      }),
    );
    await world.rest();
    expect(world.log).not.toContain('start kiwi again');
    release();
    expect(await Promise.all(sent)).toEqual(['m1', 'm2', 'm3']);
    await world.runtime.whenQuiescent(id('root'));
    const read = world
      .model('kiwi')
      .requests[1]?.messages.filter(({ role }) => role === 'user')
      .slice(1);
    expect(read?.map((message) => 'id' in message && message.id)).toEqual(['m1', 'm2', 'm3']);
    expect(world.log.indexOf('end kiwi completed')).toBeLessThan(world.log.indexOf('start kiwi again'));
  });

  it('waits for a start of the same id, and looks again after a rollback [M14]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const gate = deferred<object>();
    world.runtime.registerProvider({
      ...world.runtime.getProvider('spawn')!,
      name: 'slow',
      prepareContinuable: () => gate.promise,
    });
    const started = world.start(root.agent, 'kiwi', { provider: 'slow' });
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('and this'));
    await world.rest();
    gate.reject(new Error('no'));
    await expect(started).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    await expect(sent).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('puts messages that wait together into one step, in acceptance order [M19]', async () => {
    const { world, settle } = await tree();
    for (const n of [1, 2, 3])
      await world.runtime.sendMessage(live(world, 'parent'), id('kiwi'), text(String(n)));
    world.model('kiwi').release('end');
    await world.rest();
    const second = world.model('kiwi').requests[1]?.messages.filter(({ role }) => role === 'user');
    expect(second?.slice(1).map(({ content }) => content[1])).toEqual([
      ...text('1'),
      ...text('2'),
      ...text('3'),
    ]);
    expect(world.model('kiwi').requests).toHaveLength(2);
    await settle();
  });

  it('ends the wait with the signal before acceptance, and has no say after it [M17]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    const release = held.hold('head');
    const caller = new AbortController();
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('x'), { signal: caller.signal });
    await world.rest();
    caller.abort(new Error('never mind'));
    await expect(sent).rejects.toThrow('never mind');
    release();
    await world.rest();
    expect(world.log).not.toContain('start kiwi again');
    const late = new AbortController();
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('y'), { signal: late.signal });
    late.abort();
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.at(-1)).toMatch(/^root reads subagent-settled/);
  });

  it('keeps its own sender resident through a slow look at a stored child; a refusal owns nothing [O13 M13]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    await world.start(root.agent, 'parent');
    const parent = live(world, 'parent');
    const release = held.hold('head');
    const sent = world.runtime.sendMessage(parent, id('stranger'), text('x'));
    await world.rest();
    expect(world.agents.get(id('parent'))).toBe(parent);
    release();
    await expect(sent).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end parent completed');
  });

  it('stops two agents that answer every message at the hop limit, and a human message begins anew [M47]', async () => {
    const world = await openWorld({
      subagents: { limits: { maxHops: 4 } },
      scripts: { kiwi: [{ text: 'done', hold: 'end' }] },
    });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    const step = async () => {
      await world.runtime.sendMessage(root.agent, id('kiwi'), text('ping'));
      world.model('kiwi').push({ text: 'more', hold: 'end' });
      await world.rest();
    };
    root.agent.followup({
      content: 'notice',
      source: { kind: 'agent-message', form: 'relay', senderSessionId: id('kiwi'), hops: 4 },
    });
    await root.agent.whenIdle();
    await expect(step()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    root.agent.followup({ content: 'go on', source: { kind: 'user' } });
    await root.agent.whenIdle();
    await step();
  });
});
