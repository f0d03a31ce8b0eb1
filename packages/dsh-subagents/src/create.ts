/**
 * Puts a runtime together.
 * I1. Drain is registered with the agents' own disposal, so that no order of disposal by the host bypasses
 *     child-first (M41).
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { systemClock, type Diagnostic, type SessionId } from '@deepseek-ai/dsh-session';
import { createEmitter, memo } from '@dsh-internal/async';
import { idSource, protocolProblem } from '@dsh-internal/contract';
import { createSlots } from './activation/slots.ts';
import { endOf } from './admission/admit.ts';
import { createAccounts } from './admission/accounts.ts';
import { createGate } from './admission/gate.ts';
import { createHops } from './admission/hops.ts';
import { holdSlot, lineageOf, type Context } from './context.ts';
import { subagentError } from './errors.ts';
import type { SubagentEventMap } from './events.ts';
import { createHost } from './host.ts';
import { drainAll } from './lifecycle/drain.ts';
import { createLanes } from './lifecycle/lane.ts';
import { createQuiescence } from './lifecycle/quiescence.ts';
import { evaluate } from './lifecycle/settle.ts';
import { watchAgents } from './lifecycle/watch.ts';
import { createOneShotRuns } from './one-shot/run.ts';
import { assertMayStart } from './one-shot/start.ts';
import type { SubagentsOptions } from './options.ts';
import { policyOf } from './policy.ts';
import { subagentVocabulary } from './resume/descriptor.ts';
import { createRuntime, type RuntimeParts } from './runtime.ts';
import type { HostControls, SubagentRuntime } from './subagents.ts';
import { createProviders } from './providers/registry.ts';

/**
 * Makes the runtime for tools and plugins, and the controls for the host alone.
 * Throws `INCOMPATIBLE` where the agents, the store or the tools are of a version that does not fit.
 */
export function createSubagents(options: SubagentsOptions): {
  readonly runtime: SubagentRuntime;
  readonly host: HostControls;
} {
  assertCompatible(options);
  const { context, oneShots, providers, quiescence } = assemble(options);
  context.sessions.learn(subagentVocabulary);
  const registrations = watchAgents(context);
  const drain = memo(async () => {
    try {
      await drainAll(context, oneShots);
    } finally {
      for (const registration of registrations) registration.dispose();
    }
  });
  context.agents.beforeDispose(drain);
  const runtime = createRuntime({ context, oneShots, providers, quiescence, drain });
  return { runtime, host: createHost(context, oneShots) };
}

function assemble(options: SubagentsOptions): Omit<RuntimeParts, 'drain'> {
  const { agents, sessions, tools, clock = systemClock } = options;
  const newId = options.newId ?? idSource(() => clock.now(), options.random);
  const report = (diagnostic: Diagnostic): void => options.onDiagnostic?.(diagnostic);
  const events = createEmitter<SubagentEventMap>((cause, type) => {
    report({ code: 'listener-failed', level: 'error', message: `A listener of ${type} threw.`, cause });
  });
  const detach = (work: Promise<unknown>): void => {
    work.catch((cause: unknown) => {
      report({
        code: 'internal-failure',
        level: 'error',
        message: 'Work of the subagent runtime failed.',
        cause,
      });
    });
  };
  const slots = createSlots();
  const policy = policyOf(options);
  const lineage = (agent: Agent): readonly SessionId[] => lineageOf(context, agent);
  const accounts = createAccounts({
    sessions,
    limits: options.limits ?? {},
    liveBelow: (rootId) => slots.below(rootId).length + oneShots.countBelow(rootId),
  });
  const oneShots = createOneShotRuns({
    ...{ agents, sessions, tools, accounts, clock, newId, report },
    ...{ maxDepth: policy.maxDepth, disposalMs: policy.disposalMs },
    emit: (type, event) => {
      events.emit(type, event);
    },
    lineageOf: lineage,
    endOf: (chain) => endOf(context, chain, 'No child was started'),
    hold: (parent) => holdSlot(context, context.slots.of(parent)),
    assertAdmitting: (parent) => {
      assertMayStart(context, parent);
    },
  });
  const providers = createProviders(events);
  const quiescence = createQuiescence(() => context);
  const context: Context = {
    ...{ agents, sessions, tools, policy, clock, newId, report, detach, events, slots },
    gate: createGate(),
    lanes: createLanes(slots, detach),
    hops: createHops(),
    accounts,
    providers: providers.table,
    isOneShot: (agent) => oneShots.isOneShot(agent),
    stopOneShots: (id, cause) => {
      oneShots.stopAll((chain) => chain.includes(id), cause);
    },
    disposeOneShots: (id, deadline) => oneShots.disposeBelow(id, deadline),
    announcing: new Set(),
    changed(slot) {
      if (slot !== undefined) evaluate(context, slot);
      quiescence.changed();
    },
  };
  return { context, oneShots, providers, quiescence };
}

/** The agents may be a loop of the builder's own, which carries no mark. */
function assertCompatible({ agents, sessions, tools }: SubagentsOptions): void {
  const marked: readonly (readonly [object | undefined, string])[] = [
    [agents, 'dsh-agent/registry'],
    [sessions, 'dsh-session/store'],
    [tools, 'dsh-agent/tools'],
  ];
  for (const [object, name] of marked) {
    if (object === undefined || !('protocol' in object)) continue;
    const problem = protocolProblem(object, { name, version: 1 });
    if (problem !== undefined)
      throw subagentError('INCOMPATIBLE', `No subagent runtime was made: ${problem}.`);
  }
}
