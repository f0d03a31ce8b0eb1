import { describe, expect, it } from 'vitest';
import { memoryDriver, type SessionDriver, type SessionId } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';
import { heldDriver } from '../rig/held-driver.ts';
import { containing, id, openWorld, text, type WorldOptions } from '../rig/world.ts';

/** A root whose child has settled and is stored. */
async function stored(options: WorldOptions = {}) {
  const held = heldDriver();
  const world = await openWorld({ ...options, wrapDriver: held.wrap });
  const root = await world.root();
  await world.start(root.agent, 'kiwi');
  await world.runtime.whenQuiescent(id('root'));
  const send = (signal?: AbortSignal) =>
    world.runtime.sendMessage(root.agent, id('kiwi'), text('again'), { signal });
  return { held, world, root, send };
}

describe('cold resume', () => {
  it('needs no provider and reads the descriptor alone [M20]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const registration = world.runtime.registerProvider({
      ...world.runtime.getProvider('spawn')!,
      name: 'gone',
    });
    const request = { prompt: 'x', parent: root.agent, persona: 'You know kiwis.' };
    await world.start(root.agent, 'kiwi', { provider: 'gone', request });
    await world.runtime.whenQuiescent(id('root'));
    registration.dispose();
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('again'));
    await world.runtime.whenQuiescent(id('root'));
    const [first, second] = world.model('kiwi').requests;
    expect(second?.system).toBe(first?.system);
    expect(second?.system).toContain('You know kiwis.');
    expect(second?.messages.length).toBeGreaterThan(2);
  });

  it('shares one start among those who ask, and gives each its own id [M22]', async () => {
    const { held, world, send } = await stored();
    const release = held.hold('take');
    const sent = [send(), send()];
    await world.rest();
    release();
    const ids = await Promise.all(sent);
    expect(new Set(ids).size).toBe(2);
    expect(world.log.filter((line) => line === 'start kiwi again')).toHaveLength(1);
  });

  it('goes on for the second when the first has left, and is given up when both have [M22]', async () => {
    const { held, world, send } = await stored();
    const release = held.hold('take');
    const [first, second] = [new AbortController(), new AbortController()];
    const sent = [send(first.signal), send(second.signal)].map((promise) =>
      promise.catch((error: unknown) => error),
    );
    await world.rest();
    first.abort(new Error('left'));
    release();
    expect(await sent[0]).toMatchObject({ message: 'left' });
    expect(await sent[1]).toBeTypeOf('string');
    await world.runtime.whenQuiescent(id('root'));

    const again = held.hold('take');
    const both = [new AbortController(), new AbortController()];
    const lost = both.map(({ signal }) => send(signal).catch((error: unknown) => error));
    await world.rest();
    for (const caller of both) caller.abort(new Error('left'));
    again();
    await Promise.all(lost);
    await world.rest();
    expect(world.log.filter((line) => line === 'start kiwi again')).toHaveLength(1);
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
  });

  it('says who holds a child that another process has [M23]', async () => {
    const { world, send } = await stored();
    const other = memoryDriver({ medium: world.medium });
    const place = await other.take(id('kiwi'), 'open', {});
    await expect(send()).rejects.toMatchObject({
      code: 'BUSY_ELSEWHERE',
      message: containing('another process'),
    });
    await other.release(place);
    await send();
  });

  it('rolls back when the parent is replaced meanwhile; the stored Session stays as it was [M24]', async () => {
    const { held, world, root, send } = await stored();
    const before = await world.sessions.head(id('kiwi'));
    const release = held.hold('take');
    const sent = send();
    await world.rest();
    release();
    await root.dispose();
    await expect(sent).rejects.toMatchObject({ code: 'ACTIVATION_CLOSING' });
    await world.rest();
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
    expect((await world.sessions.head(id('kiwi'))).length).toBe(before.length);
    expect(world.model('kiwi').requests).toHaveLength(1);
  });

  it('looks again for who comes to a start that its only asker has given up [M14 M22]', async () => {
    const { held, world, send } = await stored();
    const release = held.hold('take');
    const first = new AbortController();
    const left = send(first.signal);
    await world.rest();
    first.abort(new Error('the caller has left'));
    const sent = send();
    await expect(left).rejects.toThrow('the caller has left');
    release();
    await expect(sent).resolves.toBeTypeOf('string');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('start kiwi'))).toEqual([
      'start kiwi',
      'start kiwi again',
    ]);
  });

  it('delivers what is sent to a new child while an earlier message still looks for it in the store [M13 M14]', async () => {
    const told = deferred();
    // What the store says is on its way for some time.
    const head = async (driver: SessionDriver, child: SessionId): Promise<unknown> => {
      const found = driver.head(child, {});
      await Promise.allSettled([found, told.promise]);
      return found;
    };
    const slow = (driver: SessionDriver): SessionDriver =>
      new Proxy(driver, {
        get(target, key) {
          if (key === 'head') return (child: SessionId) => head(target, child);
          const member: unknown = Reflect.get(target, key, target);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    const world = await openWorld({ wrapDriver: slow });
    const root = await world.root();
    const send = (name: string) => world.runtime.sendMessage(root.agent, id('kiwi'), text(name));
    const early = send('early');
    await world.rest();
    await world.start(root.agent, 'kiwi');
    const late = send('late');
    told.resolve();
    expect((await Promise.all([early, late])).map((sent) => typeof sent)).toEqual(['string', 'string']);
  });

  it('authorizes by the durable parent, also after the parent was resumed [M20]', async () => {
    const { world, root } = await stored();
    await root.dispose();
    const again = await world.agents.resume({ id: id('root') });
    await world.runtime.sendMessage(again.agent, id('kiwi'), text('hello'));
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('start kiwi again');
  });
});
