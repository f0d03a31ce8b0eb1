/**
 * Starts a new child (M1 to M9).
 * I1. Everything that can be checked is checked, and everything that is needed later is copied, before the slot
 *     is reserved; the reservation is in the same synchronous span.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { ContentBlock, MessageId, SeedPrefix, SessionId } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { PortHandle } from '../port.ts';
import { reserveSlot, type Slot } from '../activation/slot.ts';
import { admit, assertHops } from '../admission/admit.ts';
import { lineageOf, type Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import { SEND_MESSAGE_TOOL } from '../identity.ts';
import { childDescriptor } from '../resume/descriptor.ts';
import { inheritedSystem } from '../resume/reconstruct.ts';
import type { ContinuableCreateSpec } from '../provider.ts';
import type { StartContinuable } from '../subagents.ts';
import { forkTaskText, guidanceText } from '../wording.ts';
import { materialize } from './materialize.ts';
import { duplicateChild, snapshotOf, type StartSnapshot } from './start-snapshot.ts';

const what = 'No child was started';

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
        hops: assertHops(context, parent, what),
      },
    });
    context.sessions.commit(agent.session);
    place.count();
    return accepted;
  });
}

async function prepare(
  { prepare: ask, parent, childId, provider }: StartSnapshot,
  slot: Slot,
): Promise<SeedPrefix | undefined> {
  const { signal } = slot.starting;
  try {
    const spec: unknown = await untilAborted(ask({ sessionId: childId, parent, signal }), signal);
    if (typeof spec !== 'object' || spec === null) throw new TypeError('what it gave is no creation spec');
    const { seed } = spec as ContinuableCreateSpec;
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
        const adopted = seed === undefined ? [] : (context.tools?.adopt(agent, parent) ?? []);
        childDescriptor.write(agent.session, {
          ...descriptor,
          ...(adopted.length === 0 ? {} : { adopted }),
          system: seed === undefined ? 'default' : 'inherited',
        });
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
