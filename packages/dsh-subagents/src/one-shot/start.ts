/**
 * Starts a one-shot child through its provider (M49).
 * I1. What is asked for is checked and copied before the provider hears of it.
 * I2. What a provider does before it asks for its agent may take time: the runs check admission again (run.ts).
 * I3. Runs of a provider that then fails are disposed: their ids are known to nobody.
 * I4. Until a run is accepted, the wait for a provider ends with the caller's signal and with what stops its parent's
 *     runs. A run that it gives later is disposed.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { settleAll, untilAborted } from '@dsh-internal/async';
import { assertAdmitting, isAgent, isExactLive, unauthorized } from '../admission/admit.ts';
import { invalid, readRequest } from '../admission/start-request.ts';
import type { Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import type {
  ContinuableCreateSpec,
  OneShotRequest,
  ProviderRunRequest,
  SubagentProvider,
  SubagentRun,
} from '../provider.ts';
import { announceEnd, disposed } from './announce.ts';
import { missingCapability } from './capabilities.ts';
import type { OneShotRuns } from './run.ts';

const what = 'No child was started';

type AskedRequest = ProviderRunRequest & { readonly signal: AbortSignal };

export async function startOneShot(
  context: Context,
  oneShots: OneShotRuns,
  name: string,
  asked: OneShotRequest,
): Promise<SubagentRun> {
  if (!isAgent(asked.parent)) throw unauthorized();
  const request = checkedRequest(name, asked);
  const { parent, label } = request;
  const provider = providerFor(context, name, request);
  assertMayStart(context, parent);
  const hops = context.hops.next(parent);
  const start = oneShots.ask(parent, request.signal);
  const { signal } = start;
  const begun: Promise<SubagentRun>[] = [];
  const runAgent = (spec: ContinuableCreateSpec): Promise<SubagentRun> => {
    const run = oneShots.run({ ...request, provider: name, hops }, spec);
    begun.push(run);
    return run;
  };
  try {
    const run = await answerOf(context, provider, { ...request, signal, runAgent }, begun);
    start.answered();
    if (request.announce === true)
      context.detach(announceEnd(context, run, { parent, label, hops: hops + 1 }));
    context.detach(
      settleAll([run.result]).finally(() => {
        start[Symbol.dispose]();
      }),
    );
    return run;
  } catch (cause) {
    const refusals = await settleAll(begun.map(async (run) => (await run).dispose()));
    start[Symbol.dispose]();
    // What is not the provider's own failure is told as it is.
    if (refusals.includes(cause) || signal.aborted) throw cause;
    throw subagentError('PROVIDER_FAILED', `${what}: the provider ${JSON.stringify(name)} failed.`, {
      cause,
    });
  }
}

/** I4. `begun`: the runs that it has asked for. */
async function answerOf(
  context: Context,
  provider: SubagentProvider,
  request: AskedRequest,
  begun: readonly Promise<SubagentRun>[],
): Promise<SubagentRun> {
  const answer = (async () => checkedRun(await provider.start(request)))();
  try {
    return await untilAborted(answer, request.signal);
  } catch (error) {
    if (!request.signal.aborted) throw error;
    const runs = await Promise.allSettled(begun);
    // Its task was accepted: it ends by the same signal, and its result says so.
    if (runs.some(({ status }) => status === 'fulfilled')) return answer;
    answer.then(
      (late) => disposed(context, late),
      () => undefined,
    );
    throw error;
  }
}

function checkedRequest(provider: string, request: OneShotRequest): OneShotRequest {
  const { label, model, persona, maxDepth, toolFilter, prompt, outputSchema } = request;
  const checked = readRequest({ provider, label, model, persona, maxDepth, toolFilter }, what);
  if (typeof prompt !== 'string' || prompt.trim() === '')
    throw invalid(what, 'its prompt is no text, or blank');
  const isSchema =
    typeof outputSchema === 'boolean' || (typeof outputSchema === 'object' && outputSchema !== null);
  if (outputSchema !== undefined && !isSchema) throw invalid(what, 'outputSchema is no JSON Schema');
  return { ...request, ...checked } as OneShotRequest;
}

/** A provider of another program's making may give anything. */
function checkedRun(run: SubagentRun): SubagentRun {
  const { id, result, dispose } = run as Partial<SubagentRun>;
  if (typeof id === 'string' && result instanceof Promise && typeof dispose === 'function') return run;
  throw new TypeError('what it gave is no run: that has an id, a result and dispose');
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
