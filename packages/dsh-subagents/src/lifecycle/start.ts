/**
 * Starts a new child (M1 to M9).
 * I1. Everything that can be checked is checked, and everything that is needed later is copied, before the slot
 *     is reserved; the reservation is in the same synchronous span.
 */
import type { Agent, ToolFilter } from '@deepseek-ai/dsh-agent';
import {
  freezeJson,
  newMessageId,
  newSessionId,
  parseSessionId,
  type ContentBlock,
  type MessageId,
  type SeedPrefix,
  type SessionId,
} from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { PortHandle } from '../port.ts';
import { reserveSlot, type Slot } from '../activation/slot.ts';
import type { StartPlace } from '../admission/accounts.ts';
import { admit, assertAdmitting, assertHops, isExactLive, unauthorized } from '../admission/admit.ts';
import { effectiveDepthLimit, intersectFilters } from '../admission/rights.ts';
import { lineageOf, type Context } from '../context.ts';
import type { SubagentError } from '../errors.ts';
import { subagentError } from '../errors.ts';
import { SEND_MESSAGE_TOOL } from '../identity.ts';
import type { SubagentProvider } from '../provider.ts';
import { childDescriptor, type ChildDescriptor } from '../resume/descriptor.ts';
import { inheritedSystem } from '../resume/reconstruct.ts';
import type { StartContinuable } from '../subagents.ts';
import { depthExceededText, forkTaskText, guidanceText } from '../wording.ts';
import { materialize } from './materialize.ts';

const what = 'No child was started';

/** What is known of a start when its slot is reserved. Detached from whatever the caller holds. */
interface StartSnapshot {
  readonly provider: SubagentProvider;
  readonly prepare: NonNullable<SubagentProvider['prepareContinuable']>;
  readonly parent: Agent;
  readonly childId: SessionId;
  readonly messageId: MessageId;
  readonly prompt: readonly ContentBlock[];
  readonly depth: number;
  readonly descriptor: Omit<ChildDescriptor, 'system'>;
  readonly place: StartPlace;
  readonly signal: AbortSignal | undefined;
}

export async function startContinuable(
  context: Context,
  start: StartContinuable,
): Promise<{ readonly childId: SessionId; readonly messageId: MessageId }> {
  const snapshot = snapshotOf(context, start);
  const { childId, messageId, place, signal } = snapshot;
  try {
    signal?.throwIfAborted();
    const slot = reserve(context, snapshot);
    let seeded = false;
    await materialize(context, slot, {
      make: async (install) => {
        const sure = place.confirm();
        if (sure !== undefined) await untilAborted(sure, slot.starting.signal);
        const seed = await prepare(snapshot, slot);
        seeded = seed !== undefined;
        return create(context, snapshot, slot, seed, install);
      },
      first: () => {
        admitTask(context, snapshot, slot, seeded);
      },
      explain: (error) => error,
    });
    return { childId, messageId };
  } finally {
    place[Symbol.dispose]();
  }
}

function reserve(context: Context, { childId, parent, descriptor, signal }: StartSnapshot): Slot {
  const { provider, label, maxDepth } = descriptor;
  const slot = reserveSlot(
    {
      childId,
      parentId: parent.id,
      chain: lineageOf(context, parent),
      runId: context.newId(),
      provider,
      label,
      maxDepth,
      resumed: false,
      reservedAt: context.clock.now(),
    },
    signal,
  );
  context.slots.add(slot);
  return slot;
}

function admitTask(context: Context, snapshot: StartSnapshot, slot: Slot, seeded: boolean): void {
  const { parent, messageId, descriptor, place, signal } = snapshot;
  admit(context, { slot, parent, signal, what }, (agent) => {
    const accepted = agent.followup({
      id: messageId,
      content: taskContent(context, snapshot, agent, seeded),
      source: {
        kind: 'delegated-task',
        form: 'task',
        senderSessionId: parent.id,
        label: descriptor.label,
        hops: assertHops(context, parent),
      },
    });
    context.sessions.commit(agent.session);
    place.count();
    return accepted;
  });
}

function snapshotOf(
  context: Context,
  { provider: name, label, request, childId: wanted, messageId, signal }: StartContinuable,
): StartSnapshot {
  const { parent, persona } = request;
  const provider = context.providers.get(name);
  const prepare = continuableOf(context, name, provider, parent);
  if (!isExactLive(context, parent)) throw unauthorized();
  assertAdmitting(context, parent, what);
  assertHops(context, parent);
  if (provider === undefined)
    throw subagentError('NO_PROVIDER', `${what}: there is no provider ${JSON.stringify(name)}.`);
  if (persona !== undefined && !provider.capabilities.persona) throw unsupported(name, 'a persona');
  if (request.toolFilter !== undefined && !provider.capabilities.toolFilter)
    throw unsupported(name, 'a tool filter');
  const depth = (parent.session.header.delegationDepth ?? 0) + 1;
  const maxDepth = effectiveDepthLimit(
    context.policy.maxDepth,
    context.slots.of(parent)?.maxDepth,
    request.maxDepth,
  );
  if (depth > maxDepth) throw subagentError('DEPTH_EXCEEDED', depthExceededText(depth, maxDepth));
  const childId = wanted === undefined ? newSessionId() : parseSessionId(wanted);
  if (context.slots.get(childId) !== undefined || context.agents.get(childId) !== undefined)
    throw duplicateChild(childId);
  const prompt = promptOf(request.prompt);
  const { model } = parent.options;
  // An effort belongs to the model that it was chosen for.
  const effort = request.model === undefined ? parent.options.effort : undefined;
  const toolFilter = filterOf(context, parent, request.toolFilter);
  const descriptor = freezeJson({
    mode: 'continuable',
    provider: name,
    label,
    model: request.model ?? model,
    ...(effort === undefined ? {} : { effort }),
    ...(persona === undefined ? {} : { persona }),
    ...(toolFilter === undefined ? {} : { toolFilter }),
    inbox: context.policy.inbox,
    maxDepth,
  }) as unknown as StartSnapshot['descriptor'];
  return {
    provider,
    prepare,
    parent,
    childId,
    messageId: messageId ?? newMessageId(),
    prompt,
    depth,
    descriptor,
    // Last: nothing that is refused after it would give the place back.
    place: context.accounts.takePlace(parent, what),
    signal,
  };
}

function continuableOf(
  context: Context,
  name: string,
  provider: SubagentProvider | undefined,
  parent: Agent,
): StartSnapshot['prepare'] {
  if (context.isOneShot(parent)) {
    throw subagentError(
      'UNSUPPORTED_CAPABILITY',
      `${what}: a one-shot child cannot start continuable children.`,
    );
  }
  if (provider === undefined)
    throw subagentError('NO_PROVIDER', `${what}: there is no provider ${JSON.stringify(name)}.`);
  if (provider.prepareContinuable === undefined) throw unsupported(name, 'continuable children');
  return provider.prepareContinuable.bind(provider);
}

function unsupported(name: string, capability: string): SubagentError {
  return subagentError(
    'UNSUPPORTED_CAPABILITY',
    `${what}: the provider ${JSON.stringify(name)} does not support ${capability}.`,
  );
}

function duplicateChild(childId: SessionId, cause?: unknown): SubagentError {
  return subagentError('DUPLICATE_CHILD', `${what}: the id ${JSON.stringify(childId)} is taken.`, { cause });
}

function promptOf(prompt: string | readonly ContentBlock[]): readonly ContentBlock[] {
  const blocks = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt;
  if (blocks.length === 0) throw subagentError('INVALID_REQUEST', `${what}: the prompt is empty.`);
  return freezeJson(blocks);
}

function filterOf(
  context: Context,
  parent: Agent,
  requested: ToolFilter | undefined,
): ToolFilter | undefined {
  const held = intersectFilters(parent.options.toolFilter, context.tools?.filterOf(parent));
  return intersectFilters(held, requested);
}

async function prepare(
  { prepare: ask, parent, childId, provider }: StartSnapshot,
  slot: Slot,
): Promise<SeedPrefix | undefined> {
  const { signal } = slot.starting;
  try {
    const { seed } = await untilAborted(ask({ sessionId: childId, parent, signal }), signal);
    return seed === undefined ? undefined : { session: seed.session, length: seed.length };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw subagentError('PROVIDER_FAILED', `${what}: the provider ${JSON.stringify(provider.name)} failed.`, {
      cause,
    });
  }
}

async function create(
  context: Context,
  { parent, childId, depth, descriptor }: StartSnapshot,
  slot: Slot,
  seed: SeedPrefix | undefined,
  install: (handle: PortHandle) => void,
): Promise<PortHandle> {
  const { header } = parent.session;
  const { model, effort, persona, toolFilter, inbox } = descriptor;
  try {
    return await context.agents.create({
      id: childId,
      parentSession: parent.id,
      rootSession: header.rootSession ?? parent.id,
      origin: 'subagent',
      delegationDepth: depth,
      provisional: true,
      model,
      inbox,
      start: 'held',
      signal: slot.starting.signal,
      admit: install,
      ...context.accounts.hooks,
      ...(header.cwd === undefined ? {} : { cwd: header.cwd }),
      ...(effort === undefined ? {} : { effort }),
      ...(persona === undefined ? {} : { persona }),
      ...(toolFilter === undefined ? {} : { toolFilter }),
      ...(seed === undefined
        ? {}
        : { seed, system: (session) => inheritedSystem(session.events(), seed.length) }),
      setup: (agent) => {
        childDescriptor.write(agent.session, {
          ...descriptor,
          system: seed === undefined ? 'default' : 'inherited',
        });
        if (seed !== undefined) context.tools?.adopt(agent, parent);
      },
    });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'SESSION_EXISTS' || code === 'SESSION_LIVE' || code === 'AGENT_EXISTS')
      throw duplicateChild(childId, error);
    throw error;
  }
}

/** The task, and what the runtime says around it. A fork's history stands before it unchanged (M37, M38). */
function taskContent(
  context: Context,
  { prompt, parent }: StartSnapshot,
  child: Agent,
  seeded: boolean,
): readonly ContentBlock[] {
  const standard = context.tools?.resolve('send_message', child)?.identity === SEND_MESSAGE_TOOL;
  return [
    ...(seeded ? [{ type: 'text' as const, text: forkTaskText() }] : []),
    ...prompt,
    ...(standard ? [{ type: 'text' as const, text: guidanceText(parent.id) }] : []),
  ];
}
