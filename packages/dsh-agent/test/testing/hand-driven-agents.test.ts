import { describe, expect, it } from 'vitest';
import { memoryDriver, openSessionStore, parseSessionId, type Session } from '@deepseek-ai/dsh-session';
import { handDrivenAgents } from '@deepseek-ai/dsh-agent/testing';

const pear = parseSessionId('pear');
const open = async () => {
  const sessions = await openSessionStore({ driver: memoryDriver() });
  return { sessions, agents: handDrivenAgents({ sessions }) };
};
const hello = { content: 'hello', source: { kind: 'user' } } as const;

describe('handDrivenAgents', () => {
  it('creates an agent over a real Session, and finds it by its exact object', async () => {
    const { agents } = await open();
    const told: string[] = [];
    agents.on('agent/created', ({ agent }) => told.push(`created ${agent.id}`));
    agents.on('agent/turn/end', ({ reason }) => told.push(reason.kind));
    const { agent } = await agents.create({
      id: pear,
      origin: 'subagent',
      model: 'm',
      system: () => 'be kind',
    });
    expect(agents.get(pear)).toBe(agent);
    expect(agents.list()).toEqual([agent]);
    expect(agent.session.header.origin).toBe('subagent');
    expect(agent.options).toEqual({ model: 'm', system: 'be kind' });
    agent.steer(hello);
    agents.driven(pear).claim();
    agents.driven(pear).finish();
    expect(told).toEqual(['created pear', 'completed']);
  });

  it('refuses a second one under the same id, also while the first is on its way', async () => {
    const { agents } = await open();
    const first = agents.create({ id: pear });
    await expect(agents.create({ id: pear })).rejects.toMatchObject({ code: 'AGENT_EXISTS' });
    await first;
    await expect(agents.resume({ id: pear })).rejects.toMatchObject({ code: 'AGENT_EXISTS' });
  });

  it('resumes what was disposed, and holds it where that is asked for', async () => {
    const { agents } = await open();
    const first = await agents.create({ id: pear });
    first.agent.steer(hello);
    agents.driven(pear).claim();
    await first.dispose();
    expect(agents.get(pear)).toBeUndefined();
    const again = await agents.resume({ id: pear, start: 'held' });
    expect(again.agent).not.toBe(first.agent);
    expect(agents.driven(pear).started).toBe(false);
    again.start();
    expect(agents.driven(pear).started).toBe(true);
    expect(agents.made).toHaveLength(2);
  });

  it('lets one be abandoned in the span of the call [A23]', async () => {
    const { agents, sessions } = await open();
    const { agent, ...handle } = await agents.create({ id: pear });
    const told: string[] = [];
    agents.on('agent/inbox/discard', ({ reason }) => told.push(reason));
    agents.on('agent/disposed', () => told.push('gone'));
    agent.steer(hello);
    handle.abandon();
    handle.abandon();
    expect(agents.get(pear)).toBeUndefined();
    expect(agent.session.sealed).toBe(true);
    await handle.dispose();
    expect(told).toEqual(['disposed', 'gone']);
    await expect(agent.accepted('m' as never)).rejects.toMatchObject({ code: 'INBOX_NOT_DURABLE' });
    expect(sessions.get(pear)).toBeUndefined();
  });

  it('publishes only when setup and admit have gone well, and leaves nothing behind otherwise', async () => {
    const { agents, sessions } = await open();
    const undone: string[] = [];
    const failing = agents.create({
      id: pear,
      provisional: true,
      setup: (agent, scope) => {
        expect(agents.get(agent.id)).toBeUndefined();
        scope.defer(() => void undone.push('setup'));
      },
      admit: ({ agent }) => {
        expect(agents.get(agent.id)).toBe(agent);
        throw new Error('not now');
      },
    });
    await expect(failing).rejects.toThrow('not now');
    expect([agents.get(pear), sessions.get(pear), undone]).toEqual([undefined, undefined, ['setup']]);
    await agents.create({ id: pear });
  });

  it('runs the disposers of setup in reverse order, and its own hooks before its agents end', async () => {
    const { agents } = await open();
    const log: string[] = [];
    await agents.create({
      id: pear,
      setup: (_agent, scope) => {
        scope.defer(() => void log.push('first'));
        scope.defer(() => void log.push('second'));
      },
    });
    agents.beforeDispose(async () => void log.push('hook one'));
    agents.beforeDispose(async () => void log.push('gone')).dispose();
    agents.beforeDispose(async () => void log.push('hook two'));
    await agents[Symbol.asyncDispose]();
    expect(log).toEqual(['hook two', 'hook one', 'second', 'first']);
    await expect(agents.create()).rejects.toMatchObject({ code: 'REGISTRY_CLOSED' });
    expect(() => agents.driven(pear)).toThrow('no agent pear lives');
  });

  it('keeps what a real agent keeps of its options', async () => {
    const { agents } = await open();
    const toolFilter = { allow: ['dig'] };
    const { agent } = await agents.create({ model: 'm', effort: 'high', toolFilter });
    expect(agent.options).toEqual({ model: 'm', effort: 'high', toolFilter });
  });

  it('closes the Session of one that failed, and what the store holds of it stays [A23]', async () => {
    const { agents, sessions } = await open();
    const setup = ({ session }: { session: Session }): never => {
      session.append('turn/start', { turn: 0 });
      throw new Error('not now');
    };
    await expect(agents.create({ id: pear, setup })).rejects.toThrow('not now');
    expect(sessions.get(pear)).toBeUndefined();
    expect((await agents.resume({ id: pear })).agent.session.turns).toBe(1);
  });

  it('throws what a listener throws, for that is a fault of the test', async () => {
    const { agents } = await open();
    agents.on('agent/created', () => {
      throw new Error('wrong expectation');
    });
    await expect(agents.create()).rejects.toThrow('wrong expectation');
  });

  it('gives the id back where the Session cannot be opened', async () => {
    const { agents } = await open();
    await expect(agents.resume({ id: pear })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await agents.create({ id: pear });
  });
});
