/** Ways in which one agent of a tree does not let go. */
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { live } from '../rig/tree.ts';
import type { World } from '../rig/world.ts';

/** A driver that, once it is silenced, never answers a write in which a Session of that name has a part. */
export function silentFor(name: string) {
  const places = new Set<unknown>();
  let silent = false;
  const wrap = (driver: SessionDriver): SessionDriver =>
    new Proxy(driver, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== 'function') return member;
        if (key === 'take')
          return async (...args: Parameters<SessionDriver['take']>) => {
            const place = await target.take(...args);
            if (args[0] === name) places.add(place);
            return place;
          };
        if (key === 'append')
          return (parts: Parameters<SessionDriver['append']>[0]) =>
            silent && parts.some(({ place }) => places.has(place))
              ? new Promise(() => undefined)
              : target.append(parts);
        return (...args: unknown[]): unknown => Reflect.apply(member, target, args) as unknown;
      },
    });
  return {
    wrap,
    silence: () => {
      silent = true;
    },
  };
}

/** A model that neither ends nor heeds its signal. */
export function deafModel(world: World, name: string): void {
  const never: AsyncIterator<never> = { next: () => new Promise(() => undefined) };
  Object.assign(world.model(name), { stream: () => ({ [Symbol.asyncIterator]: () => never }) });
}

/** An agent of which nobody can learn that it has stopped. */
export function brokenEnd(world: World, name: string, error: Error): void {
  live(world, name).whenIdle = () => Promise.reject(error);
}
