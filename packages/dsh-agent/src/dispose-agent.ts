/**
 * The end of one agent (A23, A24).
 * I1. Every stage runs whatever failed before it, and none waits longer than `graceMs`.
 * I2. An agent leaves once: in that span its inbox is settled, nobody finds it any more, and its Session is sealed.
 * I3. Abandoned, it leaves in the span of the call; a disposal under way then ends with the giving back of the place.
 */
import { deferred, memo } from '@dsh-internal/async';
import type { AgentHandle, DiscardReason, Pending } from './agent.ts';
import { settlesWithin } from './bounded-wait.ts';
import { messageOf } from './core.ts';
import type { LiveAgent } from './create-agent.ts';

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
    dispose: ({ pending } = {}) => ending.dispose(pending),
    abandon: () => {
      ending.abandon();
    },
    [Symbol.asyncDispose]: () => ending.dispose(undefined),
  };
}

interface Ending {
  dispose(pending: Pending | undefined): Promise<void>;
  abandon(): void;
}

function createEnding(live: LiveAgent, deps: DisposeDeps): Ending {
  const { core } = live;
  const { sessions } = core.services;
  const abandoned = deferred();
  let wanted: Pending | undefined;
  let givingBack: Promise<void> | undefined;
  let gone = false;
  const endSetup = memo(() => runDisposers(live, deps.disposers));

  /** I2. Resolves when the place was given back. */
  const leave = (pending: Pending): Promise<void> => {
    if (givingBack !== undefined) return givingBack;
    core.enter('dispose');
    if (pending === 'discard' || !core.inbox.view.durable) {
      core.inbox.discard(core.inbox.state.list(), 'disposed' satisfies DiscardReason);
    }
    deps.unlist();
    // A store seals in the span of the call.
    givingBack = bounded(live, 'closing the session', (async () => sessions.close(core.session))());
    return givingBack;
  };
  const tellGone = (): void => {
    if (gone) return;
    gone = true;
    deps.release();
    core.emit('agent/disposed', {});
    live.silence();
  };
  const end = async (pending: Pending): Promise<void> => {
    live.stop('disposed');
    // It needs no bound of its own: whatever it waits for ends with the turn's signal, or at the latest a grace time later.
    await live.rested();
    await endSetup();
    if (!core.session.sealed) await bounded(live, 'the last flush', sessions.flush(core.session));
    await leave(pending);
    tellGone();
  };
  const disposeOnce = memo(() => Promise.race([end(wanted ?? 'keep'), abandoned.promise]));

  return {
    dispose(pending) {
      wanted ??= pending ?? 'keep';
      return disposeOnce();
    },
    abandon() {
      if (gone) return;
      const { turn } = core;
      live.stop('disposed');
      const over = leave(wanted ?? 'keep');
      // The id is free although the place may not be: the store lets whoever opens the Session next wait for that.
      tellGone();
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
