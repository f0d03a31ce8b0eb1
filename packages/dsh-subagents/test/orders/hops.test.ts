import { describe, expect, it } from 'vitest';
import { SubagentError } from '../../src/index.ts';
import { containing, id, openWorld, text, type WorldOptions } from '../rig/world.ts';
import { addTool, call } from './tools.ts';

/** A root that asks, and a child that answers: each turn of it is one call of `answer`. */
async function pair(options: WorldOptions) {
  const world = await openWorld(options);
  const root = await world.root();
  const refused: string[] = [];
  const send = async (from: typeof root.agent, to: string): Promise<string> => {
    try {
      await world.runtime.sendMessage(from, id(to), text('and?'));
      return 'sent';
    } catch (error) {
      if (!SubagentError.is(error)) throw error;
      refused.push(error.message);
      return error.message;
    }
  };
  addTool(world, 'answer', (agent) => send(agent, agent.id === 'root' ? 'kiwi' : 'root'));
  return { world, root, refused, send };
}

const messages = (log: readonly string[], who: string) =>
  log.filter((line) => line === `${who} accepts agent-message`);

describe('the distance from a person', () => {
  it('does not stop forty honest questions and answers in one long turn [O28 M47]', async () => {
    const { world, root, refused, send } = await pair({
      scripts: {
        kiwi: ['ready', ...Array.from({ length: 40 }, () => [call('answer'), 'ok']).flat()],
      },
    });
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    world.model('root').push(...Array.from({ length: 40 }, () => call('ask')), 'all answered');
    addTool(world, 'ask', async (agent) => {
      const answered = new Promise<void>((resolve) => {
        const heard = agent.on('agent/inbox/enqueue', ({ message }) => {
          if (message.source.kind !== 'agent-message') return;
          heard.dispose();
          resolve();
        });
      });
      await send(agent, 'kiwi');
      await answered;
      return 'answered';
    });
    root.agent.followup({ content: 'ask forty times', source: { kind: 'user' } });
    await world.runtime.whenQuiescent(id('root'));
    expect(refused).toEqual([]);
    expect(messages(world.log, 'kiwi')).toHaveLength(40);
    expect(messages(world.log, 'root')).toHaveLength(40);
  });

  it('stops two agents that answer everything for ever, visibly; a person’s message begins anew [O28 M47]', async () => {
    const ever = Array.from({ length: 100 }, () => [call('answer'), 'ok']).flat();
    const { world, root, refused } = await pair({
      subagents: { limits: { maxHops: 10 } },
      scripts: { root: ever, kiwi: ever },
    });
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    const first = messages(world.log, 'root').length + messages(world.log, 'kiwi').length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(10);
    expect(refused[0]).toContain('the limit is 10');
    expect(root.agent.status).toBe('idle');
    root.agent.followup({ content: 'go on', source: { kind: 'user' } });
    await world.runtime.whenQuiescent(id('root'));
    const second = messages(world.log, 'root').length + messages(world.log, 'kiwi').length;
    expect(second).toBeGreaterThan(first);
    expect(second - first).toBeLessThanOrEqual(10);
  });

  it('too great for a start says that no child was started [M12 M47]', async () => {
    const world = await openWorld({ subagents: { limits: { maxHops: 0 } } });
    const root = await world.root();
    await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: containing('No child was started: this message would be 1 steps away'),
    });
    expect(world.log).toEqual([]);
  });
});
