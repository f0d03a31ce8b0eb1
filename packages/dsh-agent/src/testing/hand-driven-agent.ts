/**
 * An agent without a loop: a test claims, answers and ends turns by hand.
 * Owns: inbox, status and turns of one agent, over a real Session.  Does not own: its place in a registry.
 * I1. The inbox is that of a real agent (A2, A4, A20); what is claimed is in the log before anyone hears of it (A3).
 * I2. Nothing happens but by a call: no claim, no end of a turn, and with `disposal: 'held'` no end of a disposal.
 * I3. `stop` and `dispose` are final and idempotent, as with a real agent (A23).
 */
import {
  type AssistantMessage,
  type ContentBlock,
  type Session,
  type TurnEndReason,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import { deferred, memo } from '@dsh-internal/async';
import type { Agent, AgentHandle, CancelCause, EffectiveOptions } from '../agent.ts';
import type { AgentEventMap } from '../events.ts';
import { readCause } from '../thrown.ts';
import { createHandDrivenCore, type HandDrivenCore } from './hand-driven-core.ts';
import { agentByHand } from './hand-driven-port.ts';
import { answerTurn, claimTurn, finishTurn } from './hand-driven-turn.ts';

export interface HandDrivenOptions {
  /** Real, from any store, and not used by another agent. */
  readonly session: Session;
  /** Default: the model route `by-hand`. */
  readonly options?: EffectiveOptions;
  /** `held`: `dispose` resolves only after `letGo`. Default `auto`. */
  readonly disposal?: 'auto' | 'held';
  /** Hears every event, after the agent's own listeners. */
  readonly publish?: <K extends keyof AgentEventMap>(type: K, event: AgentEventMap[K]) => void;
  /** The last thing of a disposal but its event: leaves a registry, gives the writer's place back. */
  readonly release?: () => Promise<void>;
  /** In place of `release` where the agent is abandoned: in the span of that call. */
  readonly abandon?: () => void;
}

/** An agent, its handle, and the hand. */
export interface HandDrivenAgent {
  /** What the program under test sees. */
  readonly agent: Agent;
  /** What its creator holds. */
  readonly handle: AgentHandle;
  /** `handle.start` was called. */
  readonly started: boolean;
  /** The causes of `agent.cancel`, the oldest first. */
  readonly cancels: readonly CancelCause[];
  /** The cause of `handle.stop`. */
  readonly stopped: CancelCause | undefined;
  /**
   * Does what a driver does next: begins a turn, or a step of the open one, with what A4 lets it claim.
   * Throws where nothing can be claimed, or the agent was not started or is stopped.
   */
  claim(): readonly UserMessage[];
  /** Logs an answer of the open turn; a string is one text. */
  answer(content: string | readonly ContentBlock[]): AssistantMessage;
  /** Ends the open turn. Default: `aborted` where it was cancelled or stopped, else `completed`. */
  finish(reason?: TurnEndReason): void;
  /** Lets a held disposal end. */
  letGo(): void;
}

/** Makes an agent that does nothing by itself. Its driver is held until `handle.start()`. */
export function handDrivenAgent(options: HandDrivenOptions): HandDrivenAgent {
  const gate = deferred();
  if (options.disposal !== 'held') gate.resolve();
  const core = createHandDrivenCore(options, () => agent);
  const agent = agentByHand(core);
  const handle = handleOf(
    core,
    agent,
    async () => {
      await gate.promise;
      if (core.turn !== undefined && !core.session.sealed) finishTurn(core);
      core.turn = undefined;
      core.life = 'disposed';
    },
    options,
  );
  return {
    agent,
    handle,
    get started() {
      return core.life === 'open';
    },
    cancels: core.cancels,
    get stopped() {
      return core.stopped;
    },
    claim: () => claimTurn(core),
    answer: (content) => answerTurn(core, content),
    finish: (reason) => {
      finishTurn(core, reason);
    },
    letGo: () => {
      gate.resolve();
    },
  };
}

function handleOf(
  core: HandDrivenCore,
  agent: Agent,
  rest: () => Promise<void>,
  leaving: Pick<HandDrivenOptions, 'release' | 'abandon'>,
): AgentHandle {
  const stop: AgentHandle['stop'] = (given) => {
    const cause = readCause(given);
    const { turn } = core;
    const aborts = core.stopped === undefined && turn?.abort === undefined ? turn : undefined;
    core.stopped ??= cause;
    if (turn !== undefined) turn.abort ??= cause;
    if (core.life !== 'disposed') core.life = 'stopped';
    const pending = core.inbox.list().map(({ message }) => message.id);
    core.tell();
    return aborts === undefined ? { pending } : { turn: aborts.ordinal, pending };
  };
  const { dispose, abandon } = endingOf(core, stop, rest, leaving);
  return {
    agent,
    start() {
      if (core.life === 'held') core.life = 'open';
      core.tell();
    },
    stop,
    dispose,
    abandon,
    [Symbol.asyncDispose]: () => dispose(),
  };
}

function endingOf(
  core: HandDrivenCore,
  stop: AgentHandle['stop'],
  rest: () => Promise<void>,
  { release, abandon }: Pick<HandDrivenOptions, 'release' | 'abandon'>,
) {
  let pending: 'discard' | 'keep' = 'discard';
  let gone = false;
  const isGone = (): boolean => gone;
  const abandoned = deferred();
  const empty = (): void => {
    const left = pending === 'keep' ? [] : core.inbox.list();
    for (const { message } of left) core.inbox.discard(message.id, 'disposed');
    for (const entry of left) core.emit('agent/inbox/discard', { ...entry, reason: 'disposed' });
  };
  const tellGone = (): void => {
    gone = true;
    core.emit('agent/disposed', {});
    core.emitter.clear();
  };
  const end = async (): Promise<void> => {
    stop('disposed');
    await rest();
    if (isGone()) return;
    empty();
    await release?.();
    if (!isGone()) tellGone();
  };
  const disposed = memo(() => Promise.race([end(), abandoned.promise]));
  return {
    dispose: (options?: Parameters<AgentHandle['dispose']>[0]): Promise<void> => {
      pending = options?.pending ?? pending;
      return disposed();
    },
    abandon: (): void => {
      if (gone) return;
      stop('disposed');
      core.turn = undefined;
      core.life = 'disposed';
      empty();
      abandon?.();
      tellGone();
      abandoned.resolve();
    },
  };
}
