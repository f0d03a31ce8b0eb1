/**
 * Starts a one-shot child through its provider (M49).
 * I1. What a provider does before it asks for its agent may take time: the runs check admission again (run.ts).
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { assertAdmitting, isExactLive, unauthorized } from '../admission/admit.ts';
import type { Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import type { ContinuableCreateSpec, OneShotRequest, SubagentProvider, SubagentRun } from '../provider.ts';
import { missingCapability } from './capabilities.ts';
import type { OneShotRuns } from './run.ts';

const what = 'No child was started';

export async function startOneShot(
  context: Context,
  oneShots: OneShotRuns,
  name: string,
  request: OneShotRequest,
): Promise<SubagentRun> {
  const provider = providerFor(context, name, request);
  assertMayStart(context, request.parent);
  let refusal: unknown;
  const runAgent = async (spec: ContinuableCreateSpec): Promise<SubagentRun> => {
    try {
      return await oneShots.run({ ...request, provider: name }, spec);
    } catch (error) {
      refusal = error;
      throw error;
    }
  };
  try {
    return await provider.start({ ...request, runAgent });
  } catch (cause) {
    // What is not the provider's own failure is told as it is.
    if (cause === refusal || request.signal?.aborted === true) throw cause;
    throw subagentError('PROVIDER_FAILED', `${what}: the provider ${JSON.stringify(name)} failed.`, {
      cause,
    });
  }
}

function providerFor(context: Context, name: string, request: OneShotRequest): SubagentProvider {
  const provider = context.providers.get(name);
  if (provider === undefined)
    throw subagentError('NO_PROVIDER', `${what}: there is no provider ${JSON.stringify(name)}.`);
  const missing = missingCapability(provider.capabilities, request);
  if (missing === undefined) return provider;
  const text = `${what}: the provider ${JSON.stringify(name)} does not support ${missing}.`;
  throw subagentError('UNSUPPORTED_CAPABILITY', text);
}

/** Throws where `parent` is not the exact live agent, or nothing may begin under it. An agent of a one-shot may be one. */
export function assertMayStart(context: Context, parent: Agent): void {
  const live = context.isOneShot(parent)
    ? context.agents.get(parent.id) === parent
    : isExactLive(context, parent);
  if (!live) throw unauthorized();
  assertAdmitting(context, parent, what);
}
