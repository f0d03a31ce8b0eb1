/** From what a one-shot agent is created. Decides everything in one synchronous span, from the parent as it is then (M11). */
import type { AgentCreateSpec, ToolFilter, ToolRegistry } from '@deepseek-ai/dsh-agent';
import { effectiveDepthLimit, intersectFilters } from '../admission/rights.ts';
import { subagentError } from '../errors.ts';
import type { ContinuableCreateSpec, OneShotRequest } from '../provider.ts';
import { childDescriptor, type ChildDescriptor } from '../resume/descriptor.ts';
import { inheritedSystem } from '../resume/reconstruct.ts';
import { depthExceededText } from '../wording.ts';

export interface CreationDeps {
  readonly tools: ToolRegistry | undefined;
  /** The host's limit (M46). */
  readonly maxDepth: number;
}

export interface Creation {
  readonly descriptor: ChildDescriptor;
  readonly spec: AgentCreateSpec;
}

/** Throws `DEPTH_EXCEEDED`. */
export function oneShotCreation(
  { tools, maxDepth }: CreationDeps,
  request: OneShotRequest & { readonly provider: string },
  { seed }: ContinuableCreateSpec,
): Creation {
  const { parent, provider, label } = request;
  const { header } = parent.session;
  const known = childDescriptor.read(parent.session);
  const limit = effectiveDepthLimit(
    maxDepth,
    known.kind === 'ok' ? known.value.maxDepth : undefined,
    request.maxDepth,
  );
  const depth = (header.delegationDepth ?? 0) + 1;
  if (depth > limit) throw subagentError('DEPTH_EXCEEDED', depthExceededText(depth, limit));
  const toolFilter = effectiveFilter(tools, request);
  // An effort belongs to the model that it was chosen for.
  const effort = request.model === undefined ? parent.options.effort : undefined;
  const shared = {
    model: request.model ?? parent.options.model,
    ...(effort === undefined ? {} : { effort }),
    ...(request.persona === undefined ? {} : { persona: request.persona }),
    ...(toolFilter === undefined ? {} : { toolFilter }),
  };
  return {
    descriptor: {
      ...shared,
      mode: 'one-shot',
      provider,
      label,
      inbox: 'process',
      system: seed === undefined ? 'default' : 'inherited',
      maxDepth: limit,
    },
    spec: {
      ...shared,
      ...(header.cwd === undefined ? {} : { cwd: header.cwd }),
      parentSession: parent.id,
      rootSession: header.rootSession ?? parent.id,
      origin: 'subagent',
      delegationDepth: depth,
      provisional: true,
      start: 'held',
      ...(seed === undefined
        ? {}
        : { seed, system: (session) => inheritedSystem(session.events(), session.header.seedLength ?? 0) }),
    },
  };
}

function effectiveFilter(
  tools: ToolRegistry | undefined,
  { parent, toolFilter }: OneShotRequest,
): ToolFilter | undefined {
  return intersectFilters(intersectFilters(parent.options.toolFilter, tools?.filterOf(parent)), toolFilter);
}
