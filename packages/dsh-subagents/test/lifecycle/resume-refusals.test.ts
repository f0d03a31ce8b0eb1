import { describe, expect, it } from 'vitest';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { heldDriver } from '../rig/held-driver.ts';
import { containing, id, openWorld, text, type WorldOptions } from '../rig/world.ts';

/** A program that stores a child and ends; the next one over the same medium has that child's parent live. */
async function nextProgram(options: WorldOptions = {}) {
  const first = await openWorld();
  const root = await first.root();
  await first.start(root.agent, 'kiwi');
  await first.runtime.whenQuiescent(id('root'));
  await first.agents[Symbol.asyncDispose]();
  await first.sessions[Symbol.asyncDispose]();
  const world = await openWorld({ ...options, medium: first.medium });
  const { agent } = await world.agents.resume({ id: id('root') });
  return { world, send: () => world.runtime.sendMessage(agent, id('kiwi'), text('again')) };
}

async function loggedTypes(medium: Awaited<ReturnType<typeof openWorld>>['medium']) {
  const store = await openSessionStore({ driver: memoryDriver({ medium }) });
  const types: string[] = [];
  for await (const record of store.read(id('kiwi')))
    if (record.kind !== 'damaged') types.push(record.event.type);
  return types;
}

describe('a child cannot be resumed', () => {
  it('with a model that this program does not have: the refusal has its route [M21]', async () => {
    const { world, send } = await nextProgram({ subagents: { overrideModel: () => 'gone/model' } });
    await expect(send()).rejects.toMatchObject({
      code: 'NOT_RESUMABLE',
      message: containing('"gone/model"'),
    });
    expect(await loggedTypes(world.medium)).not.toContain('subagent/model-overridden');
  });

  it('where its record is damaged, and says so [M21 S16]', async () => {
    const { world, send } = await nextProgram();
    world.medium.damage(id('kiwi'), 'flipped-byte', 3);
    await expect(send()).rejects.toMatchObject({ code: 'NOT_RESUMABLE', message: containing('DAMAGED_LOG') });
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
  });

  it('while somebody else in this program holds it [M20]', async () => {
    const { world, send } = await nextProgram();
    const session = await world.sessions.open(id('kiwi'));
    await expect(send()).rejects.toMatchObject({
      code: 'NOT_RESUMABLE',
      message: containing('held live outside'),
    });
    await world.sessions.close(session);
    const other = await world.agents.resume({ id: id('kiwi') });
    await expect(send()).rejects.toMatchObject({
      code: 'NOT_RESUMABLE',
      message: containing('held live outside'),
    });
    await other.dispose();
    await send();
  });

  it('for a reason of the store alone: the caller is told that one, and may ask again [M24]', async () => {
    const held = heldDriver();
    const { world, send } = await nextProgram({ wrapDriver: held.wrap });
    const mend = held.fail('take', new Error('the disk is gone'));
    await expect(send()).rejects.toThrow('the disk is gone');
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
    mend();
    await send();
  });
});

describe('the model of a resumed child', () => {
  it('is the one of its descriptor [M21 A29]', async () => {
    const { world, send } = await nextProgram();
    await send();
    expect(world.agents.get(id('kiwi'))?.options.model).toBe('scripted');
    await world.runtime.whenQuiescent(id('root'));
    expect(await loggedTypes(world.medium)).not.toContain('subagent/model-overridden');
  });

  it('is another one where the deployer says so, which is logged [M21]', async () => {
    const asked: unknown[] = [];
    const { world, send } = await nextProgram({
      subagents: {
        overrideModel(stored) {
          asked.push(stored);
          return asked.length === 1 ? 'other' : undefined;
        },
      },
      models: ['scripted', 'other'],
    });
    await send();
    expect(world.agents.get(id('kiwi'))?.options.model).toBe('other');
    await world.runtime.whenQuiescent(id('root'));
    await send();
    await world.runtime.whenQuiescent(id('root'));
    expect(asked).toEqual([
      { childId: 'kiwi', model: 'scripted' },
      { childId: 'kiwi', model: 'scripted' },
    ]);
    const types = await loggedTypes(world.medium);
    expect(types.filter((type) => type === 'subagent/model-overridden')).toHaveLength(1);
    expect(types.lastIndexOf('turn/start')).toBeGreaterThan(types.indexOf('subagent/model-overridden'));
  });

  it('cannot be found by an option that throws; the start is undone [M21 M24]', async () => {
    const { world, send } = await nextProgram({
      subagents: {
        overrideModel: () => {
          throw new Error('no table of models');
        },
      },
    });
    await expect(send()).rejects.toThrow('no table of models');
    await world.rest();
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
    await expect(world.runtime.drain()).resolves.toBeUndefined();
  });
});
