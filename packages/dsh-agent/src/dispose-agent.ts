/**
 * The end of one agent (A23, A24).
 * I1. Every stage runs whatever failed before it, and none waits longer than `graceMs`.
 * I2. Nothing is accepted after the span in which the inbox is emptied, and that span leaves the registry.
 */
import { memo } from '@dsh-internal/async';
import type { AgentHandle, DiscardReason } from './agent.ts';
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
  // Kinds of ending differ only once a durable inbox can keep what waits: until then it is discarded.
  const dispose = memo(() => disposeAgent(live, deps));
  return {
    agent: live.agent,
    start: () => {
      live.start();
    },
    stop: (cause) => live.stop(cause),
    dispose: () => dispose(),
    [Symbol.asyncDispose]: () => dispose(),
  };
}

async function disposeAgent(live: LiveAgent, deps: DisposeDeps): Promise<void> {
  const { core } = live;
  const { sessions } = core.services;
  live.stop('disposed');
  // It needs no bound of its own: whatever it waits for ends with the turn's signal, or at the latest a grace time later.
  await live.rested();
  await runDisposers(live, deps.disposers);
  if (!core.session.sealed) await bounded(live, 'the last flush', sessions.flush(core.session));
  core.enter('dispose');
  core.inbox.discard(core.inbox.state.list(), 'disposed' satisfies DiscardReason);
  deps.unlist();
  await bounded(live, 'closing the session', sessions.close(core.session));
  deps.release();
  core.emit('agent/disposed', {});
  live.silence();
}

/** In reverse order; each of them, whatever the others do. */
export async function runDisposers(live: LiveAgent, disposers: readonly Disposer[]): Promise<void> {
  for (const disposer of disposers.toReversed()) {
    await bounded(live, 'a disposer of setup', (async () => disposer())());
  }
}

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
