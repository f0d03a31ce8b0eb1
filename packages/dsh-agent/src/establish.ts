/**
 * From a spec to a published agent (A25).
 * I1. Until the publishing span nobody can find the agent; the span looks at everything again and waits for nothing.
 * I2. A failure before the handle is returned undoes everything: session, disposers, listeners, the id.
 */
import { freezeJson, type Session, type SessionId } from '@deepseek-ai/dsh-session';
import { linkAbort, untilAborted } from '@dsh-internal/async';
import type { AgentHandle, EffectiveOptions } from './agent.ts';
import type { RegistryServices } from './core.ts';
import { createAgent, type LiveAgent } from './create-agent.ts';
import { createHandle, runDisposers, type DisposeDeps, type Disposer } from './dispose-agent.ts';
import { hasDurableInbox } from './inbox-events.ts';
import { agentError } from './errors.ts';
import type { AgentHooks } from './hooks.ts';
import type { AgentRegistryOptions, AgentSpec } from './registry.ts';
import type { Residents } from './residents.ts';
import { messageOf } from './thrown.ts';

export interface EstablishDeps {
  readonly services: RegistryServices;
  readonly residents: Residents;
  readonly hooks: AgentHooks | undefined;
  readonly defaults: NonNullable<AgentRegistryOptions['defaults']>;
}

export interface SessionPlan {
  /** Known beforehand: reserved before the first await. */
  readonly id: SessionId | undefined;
  open(signal: AbortSignal): Promise<Session>;
  /** What its inbox is to be; without it, what the log says. */
  readonly inbox?: 'process' | 'durable';
  /** Gives back a session of which no agent came. */
  giveUp(session: Session): Promise<void>;
}

export async function establish(
  deps: EstablishDeps,
  spec: AgentSpec,
  plan: SessionPlan,
): Promise<AgentHandle> {
  const { residents } = deps;
  residents.assertOpen('no agent made');
  spec.signal?.throwIfAborted();
  const model = findRoute(deps, spec);
  const place = residents.reserve(plan.id);
  const abort = linkAbort(spec.signal, residents.closing);
  const work = build(deps, { spec, plan, model, signal: abort.signal, place });
  residents.follow(work);
  try {
    return await work;
  } finally {
    abort[Symbol.dispose]();
  }
}

interface Build {
  readonly spec: AgentSpec;
  readonly plan: SessionPlan;
  readonly model: string;
  readonly signal: AbortSignal;
  readonly place: { free(): void };
}

async function build(deps: EstablishDeps, task: Build): Promise<AgentHandle> {
  const { plan, signal } = task;
  let session: Session;
  try {
    session = await takeSession(deps, plan, signal);
  } catch (error) {
    task.place.free();
    throw error;
  }
  // An id that the store made is taken from here on (residents I1).
  const place = plan.id === undefined ? deps.residents.reserve(session.id) : task.place;
  const free = (): void => {
    place.free();
  };
  let live: LiveAgent | undefined;
  const disposers: Disposer[] = [];
  try {
    const options = await effectiveOptions(deps, task, session);
    const inbox = plan.inbox ?? (hasDurableInbox(session.opening) ? 'durable' : 'process');
    const hooks = [deps.hooks, task.spec.hooks];
    live = createAgent({ services: deps.services, session, options, hooks, inbox });
    if (inbox === 'durable') await openInbox(live, plan, signal);
    applyFilter(deps, live, options);
    await setUp(task, live, disposers);
    return publish(deps, task, live, { disposers, release: free });
  } catch (error) {
    if (live !== undefined) await unmake(live, plan, disposers);
    await giveUp(deps, plan, session);
    free();
    throw error;
  }
}

/** A31: what waited before is there before anything else can be accepted. */
async function openInbox(
  { core }: LiveAgent,
  { inbox: wanted }: SessionPlan,
  signal: AbortSignal,
): Promise<void> {
  const { session, history } = core;
  await untilAborted(session.ready(), signal);
  if (wanted === 'durable') session.append('inbox/durable', { version: 1 }, { essential: true });
  history.look();
}

async function unmake(live: LiveAgent, plan: SessionPlan, disposers: readonly Disposer[]): Promise<void> {
  live.stop('disposed');
  await live.rested();
  await runDisposers(live, disposers);
  live.core.enter('dispose');
  const { inbox } = live.core;
  // What a stored Session has kept stays kept.
  if (plan.inbox !== undefined || !inbox.view.durable) inbox.discard(inbox.state.list(), 'disposed');
  live.silence();
}

/** A store that does not heed the signal is left behind; what it opens later is given back. */
async function takeSession(deps: EstablishDeps, plan: SessionPlan, signal: AbortSignal): Promise<Session> {
  const opening = plan.open(signal);
  try {
    return await untilAborted(opening, signal);
  } catch (error) {
    if (signal.aborted) {
      opening.then(
        (session) => giveUp(deps, plan, session),
        () => undefined,
      );
    }
    throw error;
  }
}

async function giveUp(deps: EstablishDeps, plan: SessionPlan, session: Session): Promise<void> {
  try {
    await plan.giveUp(session);
  } catch (cause) {
    const message = `session ${session.id} of which no agent was made: ${messageOf(cause)}`;
    deps.services.report({
      code: 'rollback-failed',
      level: 'warning',
      message,
      sessionId: session.id,
      cause,
    });
  }
}

async function setUp({ spec, signal }: Build, live: LiveAgent, disposers: Disposer[]): Promise<void> {
  if (spec.setup === undefined) return;
  const scope = {
    defer(disposer: Disposer): void {
      disposers.push(disposer);
    },
  };
  const { setup } = spec;
  await untilAborted((async () => setup(live.agent, scope))(), signal);
}

/** I1: the span that makes the agent findable. */
function publish(
  deps: EstablishDeps,
  task: Build,
  live: LiveAgent,
  ending: Pick<DisposeDeps, 'disposers' | 'release'>,
): AgentHandle {
  const { residents } = deps;
  const { spec, signal } = task;
  signal.throwIfAborted();
  residents.assertOpen('no agent made');
  const unlist = residents.enter(live);
  const handle = createHandle(live, { ...ending, unlist });
  residents.keep(live, handle);
  try {
    spec.admit?.(handle);
  } catch (error) {
    unlist();
    throw error;
  }
  live.core.emit('agent/created', {});
  if (spec.start !== 'held') live.start();
  return handle;
}

function findRoute({ services, defaults }: EstablishDeps, spec: AgentSpec): string {
  const route = spec.model ?? defaults.model;
  if (route === undefined)
    throw agentError('NO_MODEL', 'no agent made: neither it nor the defaults name a model');
  if (services.models(route) === undefined) {
    throw agentError('NO_MODEL', `no agent made: there is no model ${JSON.stringify(route)}`);
  }
  return route;
}

async function effectiveOptions(
  { defaults }: EstablishDeps,
  { spec, model, signal }: Build,
  session: Session,
): Promise<EffectiveOptions> {
  const effort = spec.effort ?? defaults.effort;
  let system = spec.system ?? defaults.system;
  if (typeof system === 'function') {
    await untilAborted(session.ready(), signal);
    system = system(session);
  }
  if (spec.persona !== undefined)
    system = system === undefined ? spec.persona : `${system}\n\n${spec.persona}`;
  return freezeJson({
    model,
    ...(effort === undefined ? {} : { effort }),
    ...(system === undefined ? {} : { system }),
    ...(spec.toolFilter === undefined ? {} : { toolFilter: plainFilter(spec.toolFilter) }),
  });
}

function plainFilter({ allow, deny }: NonNullable<AgentSpec['toolFilter']>) {
  return { ...(allow === undefined ? {} : { allow }), ...(deny === undefined ? {} : { deny }) };
}

/** A29: a name that nobody registered is said, and allows nothing. */
function applyFilter({ services }: EstablishDeps, live: LiveAgent, options: EffectiveOptions): void {
  if (options.toolFilter === undefined) return;
  const unknown = services.tools.filter(live.agent, options.toolFilter);
  if (unknown.length === 0) return;
  const names = unknown.join(', ');
  live.core.report(
    'unknown-tool-in-filter',
    'warning',
    `the tool filter names tools that do not exist: ${names}`,
  );
}
