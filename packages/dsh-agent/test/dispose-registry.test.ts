/** The end of a registry: A32. */
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, openWorld } from './agent-world.ts';

const never = new Promise<never>(() => {});

it('ends with the hooks in reverse order, then what is left, newest first [A32]', async () => {
  const { registry } = await openWorld();
  const order: string[] = [];
  await registry.create({ id: id('old') });
  await registry.create({ id: id('new') });
  registry.on('agent/disposed', ({ agent }) => order.push(agent.id));
  const hook = (name: string) => async (): Promise<void> => {
    await Promise.resolve();
    order.push(`${name} ${registry.list().length}`);
  };
  registry.beforeDispose(hook('one'));
  registry.beforeDispose(hook('gone')).dispose();
  registry.beforeDispose(hook('two'));
  const disposing = registry[Symbol.asyncDispose]();
  await expect(registry.create()).rejects.toMatchObject({ code: 'REGISTRY_CLOSED' });
  await expect(registry.resume({ id: id('old') })).rejects.toMatchObject({ code: 'REGISTRY_CLOSED' });
  await disposing;
  expect(order).toEqual(['two 2', 'one 2', 'new', 'old']);
  expect(registry.list()).toEqual([]);
  expect(registry[Symbol.asyncDispose]()).toBe(registry[Symbol.asyncDispose]());
});

it('disposes everything although a hook fails, and says so at the end [A32]', async () => {
  const { registry } = await openWorld();
  await registry.create();
  registry.beforeDispose(() => Promise.reject(new Error('hook')));
  await expect(registry[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: [{ message: 'hook' }] });
  expect(registry.list()).toEqual([]);
});

it('ends a creation that is under way [A32][A25]', async () => {
  const { registry, sessions } = await openWorld();
  const creating = registry.create({ id: id('s'), setup: () => never });
  const rejected = expect(creating).rejects.toMatchObject({ code: 'REGISTRY_CLOSED' });
  await drainMicrotasks();
  await registry[Symbol.asyncDispose]();
  await rejected;
  expect(sessions.get(id('s'))).toBeUndefined();
});
