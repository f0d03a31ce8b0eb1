/** Programs that live one after the other over one medium, for tests of the durable inbox. */
import {
  memoryDriver,
  openSessionStore,
  type MemoryDriver,
  type Session,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import type { AgentHandle } from '../src/agent.ts';
import type { AgentCreateSpec, AgentResumeSpec } from '../src/registry.ts';
import { id, openWorld, type World, type WorldOptions } from './agent-world.ts';

export interface Life extends World {
  readonly driver: MemoryDriver;
  readonly create: (spec?: AgentCreateSpec) => Promise<AgentHandle>;
  readonly resume: (spec?: Partial<AgentResumeSpec>) => Promise<AgentHandle>;
  /** The process dies in this instant; the next one finds what is on the medium. */
  readonly crash: (options?: WorldOptions) => Promise<Life>;
}

/** One process. Its agent is `s`, with a durable inbox. */
export async function openLife(options: WorldOptions = {}, before?: MemoryDriver): Promise<Life> {
  const driver = memoryDriver(before === undefined ? {} : { medium: before.medium });
  const sessions = options.sessions ?? (await openSessionStore({ driver }));
  const world = await openWorld({ ...options, sessions });
  return {
    ...world,
    driver,
    create: (spec) => world.registry.create({ id: id('s'), inbox: 'durable', ...spec }),
    resume: (spec) => world.registry.resume({ id: id('s'), ...spec }),
    crash(next = options) {
      driver.crash();
      return openLife(next, driver);
    },
  };
}

/** A store whose flushes fail while `failing` holds. */
export async function failingStore(): Promise<{ readonly sessions: SessionStore; failing: boolean }> {
  const real = await openSessionStore({ driver: memoryDriver() });
  const flush = (...args: Parameters<SessionStore['flush']>): Promise<boolean> =>
    disk.failing ? Promise.reject(new Error('disk')) : real.flush(...args);
  const sessions = Object.create(real, { flush: { value: flush } }) as SessionStore;
  const disk = { sessions, failing: true };
  return disk;
}

export const waiting = ({ agent }: AgentHandle): readonly string[] =>
  agent.inbox.list().map(({ message }) => message.id);

/** The log's own events of the inbox and of claims, in short. */
export function inboxLog(session: Session): readonly string[] {
  return session.events(session.header.seedLength ?? 0).flatMap((event) => {
    switch (event.type) {
      case 'inbox/accepted':
        return `accepted ${event.data.message.id}`;
      case 'inbox/discarded':
        return `discarded ${event.data.ids.join(' ')} ${event.data.reason}`;
      case 'user/message':
        return `claimed ${event.data.id}`;
      case 'inbox/durable':
      case 'inbox/parked':
      case 'inbox/unparked':
        return event.type.slice('inbox/'.length);
      default:
        return [];
    }
  });
}
