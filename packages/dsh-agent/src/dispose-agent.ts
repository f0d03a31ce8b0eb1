/**
 * The end of one agent (A23, A24).
 * I1. Every stage runs whatever failed before it, and none waits longer than `graceMs`.
 * I2. An agent leaves once: in that span its inbox is settled, nobody finds it any more, and its Session is sealed.
 * I3. Abandoned, it leaves in the span of the call; a disposal under way then ends with the giving back of the place.
 */
import { deferred, memo } from '@dsh-internal/async';
import type { AgentHandle, DiscardReason, Pending } from './agent.ts';
import { settlesWithin } from './bounded-wait.ts';
import type { LiveAgent } from './create-agent.ts';
import { checkObject, checkPending } from './options.ts';
import { asError, messageOf } from './thrown.ts';

export type Disposer = () => void | Promise<void>;

export interface DisposeDeps {
  /** In the order in which `setup` left them. */
  readonly disposers: readonly Disposer[];
  /** Nobody finds the agent any more. */
  unlist(): void;
  /** The id is free again. */
  release(): void;
}

export function createHandle(live: LiveAgent, deps: DisposeDeps): AgentHandle {
  const ending = createEnding(live, deps);
  return {
    agent: live.agent,
    start: () => {
      live.start();
    },
    stop: (cause) => live.stop(cause),
    dispose(options = {}) {
      try {
        checkObject('agent not disposed', 'options', options);
        checkPending(options.pending);
      } catch (error) {
        return Promise.reject(asError(error));
      }
      return ending.dispose(options.pending);
    },
    abandon: () => {
      ending.abandon();
    },
    [Symbol.asyncDispose]: () => ending.dispose(undefined),
  };
}

interface Exit {
  /** Settles the inbox and goes (I2). Resolves when the place was given back. */
  leave(pending: Pending): Promise<void>;
  /** Frees the id and tells of it, once, and not before it has left. */
  tellGone(): void;
  /** From now on leaving and telling of it are one. `false` where that was said before, or all is over. */
  hurry(): boolean;
}

function createExit(live: LiveAgent, deps: DisposeDeps): Exit {
  const { core } = live;
  const { sessions } = core.services;
  const givingBack = deferred();
  let stage: 'here' | 'leaving' | 'left' | 'gone' = 'here';
  let hurried = false;
  const tellGone = (): void => {
    if (stage !== 'left') return;
    stage = 'gone';
    deps.release();
    core.emit('agent/disposed', {});
    live.silence();
  };
  return {
    tellGone,
    leave(pending) {
      if (stage !== 'here') return givingBack.promise;
      stage = 'leaving';
      core.inbox.announce();
      core.enter('dispose');
      if (pending === 'discard' || !core.inbox.view.durable) {
        core.inbox.discard(core.inbox.state.list(), 'disposed' satisfies DiscardReason);
      }
      deps.unlist();
      // A store seals in the span of the call.
      givingBack.resolve(bounded(live, 'closing the session', (async () => sessions.close(core.session))()));
      stage = 'left';
      if (hurried) tellGone();
      return givingBack.promise;
    },
    hurry() {
      const first = !hurried && stage !== 'gone';
      hurried = true;
      return first;
    },
  };
}

interface Ending {
  dispose(pending: Pending | undefined): Promise<void>;
  abandon(): void;
}

function createEnding(live: LiveAgent, deps: DisposeDeps): Ending {
  const { core } = live;
  const exit = createExit(live, deps);
  const abandoned = deferred();
  let wanted: Pending | undefined;
  const endSetup = memo(() => runDisposers(live, deps.disposers));
  const end = async (pending: Pending): Promise<void> => {
    live.stop('disposed');
    // It needs no bound of its own: whatever it waits for ends with the turn's signal, or at the latest a grace time later.
    await live.rested();
    await endSetup();
    const { session, services } = core;
    if (!session.sealed) await bounded(live, 'the last flush', services.sessions.flush(session));
    await exit.leave(pending);
    exit.tellGone();
  };
  const disposeOnce = memo(() => Promise.race([end(wanted ?? 'keep'), abandoned.promise]));

  return {
    dispose(pending) {
      wanted ??= pending ?? 'keep';
      return disposeOnce();
    },
    abandon() {
      if (!exit.hurry()) return;
      const { turn } = core;
      live.stop('disposed');
      const over = exit.leave(wanted ?? 'keep');
      // The id is free although the place may not be: the store lets whoever opens the Session next wait for that.
      // Called by a listener of what a leaving agent tells, it comes right after that.
      exit.tellGone();
      if (turn !== undefined) {
        const message = `turn ${turn.ordinal} of agent ${core.agent.id} had not ended and is left behind`;
        core.report('abandoned', 'error', message);
      }
      abandoned.resolve(Promise.all([over, endSetup()]).then(() => undefined));
    },
  };
}

/** In reverse order; each of them, whatever the others do. */
export async function runDisposers(live: LiveAgent, disposers: readonly Disposer[]): Promise<void> {
  for (const disposer of disposers.toReversed()) {
    await bounded(live, 'a disposer of setup', (async () => disposer())());
  }
}

/** Never rejects. */
async function bounded(live: LiveAgent, what: string, work: Promise<unknown>): Promise<void> {
  const { core } = live;
  const { clock, limits } = core.services;
  const settled = await settlesWithin(clock, limits.graceMs, work, (error) => {
    core.report(
      'disposal-failed',
      'warning',
      `${what} of agent ${core.agent.id} failed: ${messageOf(error)}`,
      error,
    );
  });
  if (settled) return;
  core.report(
    'disposal-late',
    'error',
    `${what} of agent ${core.agent.id} did not end in time and is left behind`,
  );
}
