import { describe, expect, it } from 'vitest';
import type { Agent, ModelRequest } from '@deepseek-ai/dsh-agent';
import { addTool } from '../orders/tools.ts';
import { chain, live } from '../rig/tree.ts';
import { id, openWorld, text, type World } from '../rig/world.ts';

/** What stands before the messages, as bytes. */
const headOf = ({ route, system, tools }: ModelRequest): string => JSON.stringify({ route, system, tools });
const bytesOf = ({ messages }: ModelRequest, count = messages.length): string =>
  JSON.stringify(messages.slice(0, count));

const last = (world: World, name: string): ModelRequest => {
  const request = world.model(name).requests.at(-1);
  if (request === undefined) throw new Error(`${name} asked nothing`);
  return request;
};

async function talk(world: World, agent: Agent, content: string): Promise<void> {
  agent.followup({ content, source: { kind: 'user' } });
  await world.runtime.whenQuiescent(agent.id);
}

describe('the requests of a parent and of its children', () => {
  it('a fork has the head of its parent and its messages up to the last completed turn, byte by byte, whatever children come and go, also in a later process [M38 M50]', async () => {
    const world = await openWorld({
      scripts: {
        root: ['Hello.', 'Yes.'],
        kiwi: [{ text: 'x', hold: 'end' }],
        plum: [{ text: 'x', hold: 'end' }],
      },
    });
    for (const name of ['zebra', 'apple', 'send_message']) addTool(world, name, () => name);
    // Not today's default: what a fork inherits has to come from its prefix.
    const root = await world.agents.create({ id: id('root'), system: 'You are a gardener.' });
    await talk(world, root.agent, 'Hi.');
    await talk(world, root.agent, 'Still there?');
    const inherited = root.agent.session.history();
    const before = last(world, 'root');

    await world.start(root.agent, 'kiwi', { provider: 'fork' });
    await world.start(root.agent, 'pear');
    await world.rest();
    expect(headOf(last(world, 'kiwi'))).toBe(headOf(before));
    expect(bytesOf(last(world, 'kiwi'), inherited.length)).toBe(JSON.stringify(inherited));
    expect(bytesOf(last(world, 'kiwi'), before.messages.length)).toBe(bytesOf(before));

    await world.start(root.agent, 'plum');
    await world.rest();
    root.agent.followup({ content: 'And now?', source: { kind: 'user' } });
    await world.rest();
    expect(headOf(last(world, 'root'))).toBe(headOf(before));
    for (const name of ['kiwi', 'plum']) world.model(name).release('end');
    await world.runtime.whenQuiescent(id('root'));
    await talk(world, root.agent, 'And after them?');
    expect(headOf(last(world, 'root'))).toBe(headOf(before));
    expect(bytesOf(last(world, 'root'), inherited.length)).toBe(JSON.stringify(inherited));

    const first = last(world, 'kiwi');
    await world[Symbol.asyncDispose]();
    const next = await openWorld({ medium: world.medium });
    for (const name of ['zebra', 'apple', 'send_message']) addTool(next, name, () => name);
    const again = await next.agents.resume({ id: id('root') });
    await next.runtime.sendMessage(again.agent, id('kiwi'), text('and once more'));
    await next.runtime.whenQuiescent(id('root'));
    expect(headOf(last(next, 'kiwi'))).toBe(headOf(first));
    expect(bytesOf(last(next, 'kiwi'), first.messages.length)).toBe(bytesOf(first));
  });

  it('a child without a prefix has the same tools in the same order, and its own head stays as it is [M38]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'x', hold: 'end' }, 'y'] } });
    for (const name of ['zebra', 'apple']) addTool(world, name, () => name);
    const root = await world.root();
    await talk(world, root.agent, 'Hi.');
    await world.start(root.agent, 'kiwi');
    await world.rest();
    const first = last(world, 'kiwi');
    expect(headOf(first)).toBe(headOf(last(world, 'root')));
    await world.start(live(world, 'kiwi'), 'pear', { provider: 'fork' });
    world.model('kiwi').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests.length).toBeGreaterThan(1);
    expect(headOf(last(world, 'kiwi'))).toBe(headOf(first));
    expect(bytesOf(last(world, 'kiwi'), first.messages.length)).toBe(bytesOf(first));
  });

  it('a fork of a fork goes on from what its parent has inherited [M38]', async () => {
    const { world } = await chain([]);
    const root = live(world, 'root');
    await talk(world, root, 'Hi.');
    world.model('kiwi').push('one', { text: 'two', hold: 'end' });
    await world.start(root, 'kiwi', { provider: 'fork' });
    await world.runtime.whenQuiescent(id('root'));
    await world.runtime.sendMessage(root, id('kiwi'), text('again'));
    await world.rest();
    const inherited = last(world, 'kiwi');
    await world.start(live(world, 'kiwi'), 'pear', { provider: 'fork' });
    await world.rest();
    expect(headOf(last(world, 'pear'))).toBe(headOf(inherited));
    expect(bytesOf(last(world, 'pear'), inherited.messages.length - 1)).toBe(
      bytesOf(inherited, inherited.messages.length - 1),
    );
    world.model('kiwi').release('end');
    await world.runtime.whenQuiescent(id('root'));
  });
});
