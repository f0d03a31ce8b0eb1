/**
 * What is known of a start when its slot is reserved (M1).
 * I1. Everything that can be checked is checked here, in one synchronous span with the reservation; everything
 *     that is needed later is copied.
 */
import type { Agent, ToolFilter } from '@deepseek-ai/dsh-agent';
import {
  freezeJson,
  parseSessionId,
  type ContentBlock,
  type MessageId,
  type SessionId,
} from '@deepseek-ai/dsh-session';
import type { StartPlace } from '../admission/accounts.ts';
import { assertAdmitting, assertHops, isAgent, isExactLive, unauthorized } from '../admission/admit.ts';
import { effectiveDepthLimit, intersectFilters } from '../admission/rights.ts';
import { readContent, readRequest, type CheckedRequest } from '../admission/start-request.ts';
import { newMessageId, type Context } from '../context.ts';
import { subagentError, type SubagentError } from '../errors.ts';
import type { SubagentProvider } from '../provider.ts';
import type { ChildDescriptor } from '../resume/descriptor.ts';
import type { StartContinuable } from '../subagents.ts';
import { depthExceededText } from '../wording.ts';

const what = 'No child was started';

/** Detached from whatever the caller holds. */
export interface StartSnapshot {
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

export function snapshotOf(context: Context, start: StartContinuable): StartSnapshot {
  const { request, childId: wanted, messageId, signal } = start;
  const { parent } = request;
  if (!isAgent(parent)) throw unauthorized();
  const checked = checkedRequest(start);
  const { prepare, provider } = continuableProvider(context, checked, parent);
  if (!isExactLive(context, parent)) throw unauthorized();
  assertAdmitting(context, parent, what);
  assertHops(context, parent, what);
  const { depth, maxDepth } = depthOf(context, parent, checked.maxDepth);
  const childId = parseSessionId(wanted ?? context.newId());
  if (context.slots.get(childId) !== undefined || context.agents.get(childId) !== undefined)
    throw duplicateChild(childId);
  return {
    ...{ provider, prepare, parent, childId, depth, signal },
    messageId: messageId ?? newMessageId(context),
    prompt: readContent(request.prompt, what),
    descriptor: descriptorOf(context, parent, checked, maxDepth),
    // Last: nothing that is refused after it would give the place back.
    place: context.accounts.takePlace(parent, what),
  };
}

function checkedRequest({ provider, label, request }: StartContinuable): CheckedRequest {
  const { model, persona, maxDepth, toolFilter } = request;
  return readRequest({ provider, label, model, persona, maxDepth, toolFilter }, what);
}

function depthOf(context: Context, parent: Agent, asked: number | undefined) {
  const depth = (parent.session.header.delegationDepth ?? 0) + 1;
  const maxDepth = effectiveDepthLimit(context.policy.maxDepth, context.slots.of(parent)?.maxDepth, asked);
  if (depth > maxDepth) throw subagentError('DEPTH_EXCEEDED', depthExceededText(depth, maxDepth));
  return { depth, maxDepth };
}

function descriptorOf(
  context: Context,
  parent: Agent,
  { provider, label, model, persona, toolFilter: requested }: CheckedRequest,
  maxDepth: number,
): StartSnapshot['descriptor'] {
  // An effort belongs to the model that it was chosen for.
  const effort = model === undefined ? parent.options.effort : undefined;
  const toolFilter = filterOf(context, parent, requested);
  return freezeJson({
    mode: 'continuable' as const,
    ...{ provider, label, maxDepth },
    model: model ?? parent.options.model,
    inbox: context.policy.inbox,
    ...(effort === undefined ? {} : { effort }),
    ...(persona === undefined ? {} : { persona }),
    ...(toolFilter === undefined ? {} : { toolFilter }),
  });
}

function continuableProvider(
  context: Context,
  { provider: name, persona, toolFilter }: CheckedRequest,
  parent: Agent,
) {
  if (context.isOneShot(parent)) {
    throw subagentError(
      'UNSUPPORTED_CAPABILITY',
      `${what}: a one-shot child cannot start continuable children.`,
    );
  }
  const provider = context.providers.get(name);
  if (provider === undefined)
    throw subagentError('NO_PROVIDER', `${what}: there is no provider ${JSON.stringify(name)}.`);
  if (provider.prepareContinuable === undefined) throw unsupported(name, 'continuable children');
  if (persona !== undefined && !provider.capabilities.persona) throw unsupported(name, 'a persona');
  if (toolFilter !== undefined && !provider.capabilities.toolFilter) throw unsupported(name, 'a tool filter');
  return { provider, prepare: provider.prepareContinuable.bind(provider) };
}

function unsupported(name: string, capability: string): SubagentError {
  return subagentError(
    'UNSUPPORTED_CAPABILITY',
    `${what}: the provider ${JSON.stringify(name)} does not support ${capability}.`,
  );
}

export function duplicateChild(childId: SessionId, cause?: unknown): SubagentError {
  return subagentError('DUPLICATE_CHILD', `${what}: the id ${JSON.stringify(childId)} is taken.`, { cause });
}

function filterOf(
  context: Context,
  parent: Agent,
  requested: ToolFilter | undefined,
): ToolFilter | undefined {
  const held = intersectFilters(parent.options.toolFilter, context.tools?.filterOf(parent));
  return intersectFilters(held, requested);
}
