/**
 * Runs one-shot children: ordinary agents that end with their turn.
 * Owns: the live runs, from before their creation to their disposal. Does not own: who may start one.
 * I1. A run is in the table before its first await, so that a stop finds it in whatever state it is.
 * I2. Until its task is accepted a run leaves nothing: no agent, no stored Session, no event without its end.
 * I3. A run leaves the table when its agent is gone, or at the deadline of what ends it: then it is left behind (M31).
 * I4. A run ends after what its own agent has started: child-first.
 * I5. Every stage of an end is tried, and the run leaves the table after the last one.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { Clock, OnDiagnostic, SessionId } from '@deepseek-ai/dsh-session';
import { deferred, linkAbort, memo, untilAborted, type Emitter } from '@dsh-internal/async';
import type { Accounts } from '../admission/accounts.ts';
import { subagentError } from '../errors.ts';
import { startDeadline, type Deadline } from '../lifecycle/deadline.ts';
import { disposeAgent, leaveBehind } from '../lifecycle/dispose-agent.ts';
import type { ActivationStarted, SubagentEventMap } from '../events.ts';
import type { AgentsPort, SessionsPort, PortHandle } from '../port.ts';
import type { ContinuableCreateSpec, OneShotRequest, SubagentRun } from '../provider.ts';
import { childDescriptor } from '../resume/descriptor.ts';
import type { AskedStart } from './asked-starts.ts';
import { createCapture, type Capture } from './capture.ts';
import { oneShotCreation, type Creation, type CreationDeps } from './creation.ts';
import { driveRun, type DrivenRun } from './drive.ts';
import { createLiveRuns, type LiveRun, type LiveRuns } from './live-runs.ts';
import { taskContent, taskSource } from './task.ts';

export interface OneShotDeps extends CreationDeps {
  readonly agents: AgentsPort;
  readonly sessions: SessionsPort;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly emit: Emitter<SubagentEventMap>['emit'];
  /** The agent and its ancestors, by durable id. */
  readonly lineageOf: (agent: Agent) => readonly SessionId[];
  /** Why a run under those ids, its parent first, does not go on. */
  readonly endOf: (chain: LiveRun['chain']) => Error;
  /** Throws where no new work may begin under `parent`. Asked when a run begins, and again when its task is accepted. */
  readonly assertAdmitting?: (parent: Agent) => void;
  /** The limits of the host. */
  readonly accounts: Accounts;
  readonly report: OnDiagnostic;
  /** The one deadline of a drain, in milliseconds (M31). */
  readonly disposalMs: number;
  /** Keeps the Activation of a parent from settling before its run is gone. */
  readonly hold: (parent: Agent) => Disposable;
}

export type NamedRequest = OneShotRequest & { readonly provider: string; readonly hops: number };

export interface OneShotRuns extends Pick<LiveRuns, 'countBelow' | 'stopAll' | 'settled' | 'disposeBelow'> {
  /** A provider is asked to start a child of that parent. */
  ask(parent: Agent, signal: AbortSignal | undefined): AskedStart;
  /**
   * Resolves when the agent has accepted its task. Rejects `DEPTH_EXCEEDED`, `UNSUPPORTED_CAPABILITY`, what creating
   * an agent rejects, and with the signal's reason; nothing is left then.
   */
  run(request: NamedRequest, spec: ContinuableCreateSpec): Promise<SubagentRun>;
  isOneShot(agent: Agent): boolean;
}

export function createOneShotRuns(deps: OneShotDeps): OneShotRuns {
  const live = createLiveRuns(deps);
  // An agent stays a one-shot's for as long as somebody holds it.
  const agents = new WeakMap<Agent, LiveRun>();

  const chainOf = (parent: Agent): LiveRun['chain'] => {
    const own = agents.get(parent);
    return [parent.id, ...(own === undefined ? deps.lineageOf(parent).slice(1) : own.chain)];
  };
  const end: End = (run, driven, handle) => endRun(deps, live, run, { driven, handle });

  return {
    ...live,
    ask: (parent, signal) => live.ask(chainOf(parent), signal),
    async run(request, spec) {
      request.signal?.throwIfAborted();
      deps.assertAdmitting?.(request.parent);
      const capture = captureFor(deps, request);
      const creation = oneShotCreation(deps, request, spec);
      const run: LiveRun = {
        chain: chainOf(request.parent),
        starting: linkAbort(request.signal),
        place: deps.accounts.takePlace(request.parent, 'no child was started'),
        hold: deps.hold(request.parent),
        gone: deferred(),
        givenUp: deferred(),
        stopped: false,
      };
      // Nobody may be there to hear of it.
      run.givenUp.promise.catch(() => undefined);
      live.add(run);
      try {
        await untilConfirmed(run);
        const created = create(deps, run, { creation, capture, parent: request.parent }, (agent) =>
          agents.set(agent, run),
        );
        await Promise.race([created, run.givenUp.promise]);
        return accept(deps, run, request, capture, end);
      } catch (error) {
        await undo(deps, run);
        live.leave(run);
        throw error;
      }
    },
    isOneShot: (agent) => agents.has(agent),
  };
}

type End = (run: LiveRun, driven: DrivenRun, handle: PortHandle) => Promise<void>;

/** One deadline for the run and what its agent has started (M31). */
async function endRun(
  deps: OneShotDeps,
  live: LiveRuns,
  run: LiveRun,
  { driven, handle }: { readonly driven: DrivenRun; readonly handle: PortHandle },
): Promise<void> {
  const deadline = startDeadline(deps.clock, deps.disposalMs);
  const failures = await settleInTurn([
    async () => {
      driven.stop('disposed');
    },
    () => live.disposeBelow(handle.agent.id, deadline),
    () => endAgent(deps, handle, deadline),
  ]);
  deadline[Symbol.dispose]();
  driven.conclude();
  live.leave(run);
  if (failures.length > 0)
    throw failures.length === 1
      ? failures[0]
      : new AggregateError(failures, 'a one-shot child was not disposed cleanly');
}

/** Each of them, whatever became of the one before (I5). Gives what failed. */
async function settleInTurn(stages: readonly (() => Promise<unknown>)[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const stage of stages) {
    try {
      await stage();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

function captureFor({ tools }: OneShotDeps, { outputSchema }: NamedRequest): Capture | undefined {
  if (outputSchema === undefined) return undefined;
  if (tools !== undefined) return createCapture(tools, outputSchema);
  throw subagentError(
    'UNSUPPORTED_CAPABILITY',
    'no child was started: a structured result needs the option `tools`',
  );
}

async function create(
  { agents, tools, accounts }: OneShotDeps,
  run: LiveRun,
  { creation, capture, parent }: { creation: Creation; capture: Capture | undefined; parent: Agent },
  published: (agent: Agent) => void,
): Promise<void> {
  const { spec, descriptor } = creation;
  await agents.create({
    ...spec,
    ...accounts.hooks,
    signal: run.starting.signal,
    setup(agent, scope) {
      childDescriptor.write(agent.session, descriptor);
      // The schemas of a fork's requests are its parent's, those of the parent's own tools included (M38).
      if (spec.seed !== undefined) tools?.adopt(agent, parent);
      capture?.register(agent, scope);
    },
    admit(handle) {
      run.starting.signal.throwIfAborted();
      run.handle = handle;
      published(handle.agent);
    },
  });
}

async function untilConfirmed({ place, starting }: LiveRun): Promise<void> {
  const sure = place.confirm();
  if (sure !== undefined) await untilAborted(sure, starting.signal);
}

/** One synchronous span: from here on the run is the caller's. */
function accept(
  deps: OneShotDeps,
  run: LiveRun,
  request: NamedRequest,
  capture: Capture | undefined,
  end: End,
): SubagentRun {
  const handle = run.handle;
  if (handle === undefined)
    throw subagentError('PROVIDER_FAILED', 'no child was started: its agent was not published');
  run.starting.signal.throwIfAborted();
  deps.assertAdmitting?.(request.parent);
  const { agent } = handle;
  const told: ActivationStarted = {
    runId: deps.newId(),
    childId: agent.id,
    parentId: request.parent.id,
    provider: request.provider,
    label: request.label,
    mode: 'one-shot',
    resumed: false,
  };
  const driven = driveRun(deps, { handle, told, capture, signal: request.signal });
  run.driven = driven;
  deps.emit('subagent/start', told);
  run.starting.signal.throwIfAborted();
  agent.followup({
    content: taskContent(request, agent.session.header.seedLength !== undefined),
    source: taskSource(request),
  });
  deps.sessions.commit(agent.session);
  run.place.count();
  handle.start();
  run.dispose = memo(() => end(run, driven, handle));
  const { dispose } = run;
  return { id: agent.id, result: driven.result, dispose, [Symbol.asyncDispose]: dispose };
}

/** Never rejects: why the run could not begin is what its caller has to hear. */
async function undo(deps: OneShotDeps, { handle, driven }: LiveRun): Promise<void> {
  if (handle === undefined) return;
  const { sessions, report } = deps;
  const deadline = startDeadline(deps.clock, deps.disposalMs);
  try {
    handle.stop('parent');
    driven?.conclude();
    sessions.discard(handle.agent.session);
    await endAgent(deps, handle, deadline);
  } catch (cause) {
    const sessionId = handle.agent.id;
    report({
      code: 'rollback-failed',
      level: 'error',
      message: `one-shot child ${sessionId} not undone`,
      sessionId,
      cause,
    });
  } finally {
    deadline[Symbol.dispose]();
  }
}

async function endAgent({ agents }: OneShotDeps, handle: PortHandle, deadline: Deadline): Promise<void> {
  const inTime = await disposeAgent(agents, handle, deadline);
  if (inTime) {
    leaveBehind(agents, handle);
    return;
  }
  // Also where nobody finds it any more: that it is gone is told now, and not when its place is given back.
  handle.abandon?.();
  throw subagentError(
    'ACTIVATION_TEARDOWN_FAILED',
    `the one-shot child ${handle.agent.id} was released, but its agent did not end in time`,
  );
}
