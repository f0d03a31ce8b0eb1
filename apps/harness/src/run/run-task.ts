/**
 * One run: opens the program, does one task or one scenario, and ends by itself when the tree is at rest.
 * I1. The program is stopped on every way out. The summary says how things stood before that, and is told last.
 * I2. A run holds the process open until it has ended: the clocks of the packages do not.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { deferred } from '@dsh-internal/async';
import { createApp, type App, type AppOptions } from '../app/create-app.ts';
import { stopOnSignals, type SignalTarget, type StopSignal } from '../app/stop-on-signals.ts';
import { baseUrlProblem, realModelProblem, type Environment } from '../models/real-models.ts';
import { createDirectory, type Directory } from '../scenario/directory.ts';
import { perform } from '../scenario/perform.ts';
import { scenarioModel, scenarioRoute } from '../scenario/scenario-model.ts';
import type { Scenario } from '../scenario/schema.ts';
import { createStage, type Stage } from '../scenario/stage.ts';
import { openRoot } from './open-root.ts';
import type { RunEvent, RunSummary } from './run-event.ts';
import { createRunLog, type RunLog } from './run-log.ts';
import { storeFailure } from './store-failure.ts';
import { summarize, type Ending } from './summarize.ts';
import { UsageError } from './usage-error.ts';
import { watchRun, watchText, type OnPiece } from './watch-run.ts';

export interface RunOptions extends Pick<
  AppOptions,
  'driver' | 'plugins' | 'more' | 'configFiles' | 'workspace' | 'commands' | 'inspect'
> {
  /** The folder of the Sessions. */
  readonly store: string;
  readonly task?: string;
  readonly scenario?: Scenario;
  /** The id of a Session that is gone on with. */
  readonly resume?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly environment: Environment;
  readonly random?: () => number;
  readonly tell: (event: RunEvent) => void;
  /** A piece of the root's text, while it comes. */
  readonly piece?: OnPiece;
  /** Where signals come from. */
  readonly signals: SignalTarget;
  /** Ends this process as if from outside: the prompt `{ kill: true }`. */
  readonly kill: () => void;
  /** Called before the program is stopped, while the tree can still be read. */
  readonly atRest?: (app: App, root: Agent) => Promise<void>;
  /** It goes on until a signal, also when everybody is at rest. */
  readonly stay?: boolean;
}

/** Resolves to the summary. Rejects with a {@link UsageError} for a mistake of the caller. */
export async function runTask(options: RunOptions): Promise<RunSummary> {
  const model = modelOf(options);
  const cast: Cast = { stage: createStage() };
  const app = await openApp(model, cast, options);
  const open = setInterval(() => undefined, 2 ** 30);
  const signalled = deferred<StopSignal>();
  const signals = stopOnSignals(options.signals, signalled.resolve);
  let played: Played;
  try {
    played = await play(app, cast, { ...options, model, signalled: signalled.promise });
  } finally {
    await app.stop();
    signals.dispose();
    clearInterval(open);
  }
  options.tell(played.summary);
  if ('error' in played.ending) throw played.ending.error;
  return played.summary;
}

/** Who takes part. What a scenario refers to exists only after the program is open. */
interface Cast {
  readonly stage: Stage;
  root?: Agent;
  directory?: Directory;
}

function openApp(model: string, cast: Cast, options: RunOptions): Promise<App> {
  const { store, driver, environment, baseUrl, scenario, random, plugins = {}, more = [] } = options;
  const { workspace, commands, inspect, configFiles = [] } = options;
  const directory = (): Directory => {
    if (cast.directory === undefined) throw new Error('the scenario was asked before the program was open');
    return cast.directory;
  };
  return createApp({
    store,
    driver,
    model,
    environment,
    baseUrl,
    random,
    plugins,
    more,
    configFiles,
    workspace,
    commands,
    inspect,
    ...(scenario === undefined
      ? {}
      : { extraModels: { [scenarioRoute]: scenarioModel(scenario, cast.stage, directory) } }),
  });
}

/** The route of the root. Throws a {@link UsageError} in one line. */
function modelOf({ scenario, model, environment, baseUrl, more = [] }: RunOptions): string {
  const wrongUrl = baseUrlProblem(baseUrl);
  if (wrongUrl !== undefined) throw new UsageError(wrongUrl);
  if (scenario !== undefined) {
    if (model !== undefined) throw new UsageError('a scenario brings its own model: leave --model out');
    return scenarioRoute;
  }
  if (model === undefined)
    throw new UsageError('name a model with --model provider/model, or a script with --scenario FILE');
  const problem = realModelProblem(
    model,
    { environment, ...(baseUrl === undefined ? {} : { baseUrl }) },
    more.length > 0,
  );
  if (problem !== undefined) throw new UsageError(problem);
  return model;
}

interface Played {
  readonly summary: RunSummary;
  readonly ending: Ending;
}

type OpenRun = RunOptions & { readonly model: string; readonly signalled: Promise<StopSignal> };

async function play(app: App, cast: Cast, options: OpenRun): Promise<Played> {
  const { agents, subagents } = app.ctx;
  const { store, resume, model, tell } = options;
  const log = createRunLog(() => cast.root?.id);
  cast.directory = createDirectory({ agents, subagents, stage: cast.stage, root: () => cast.root?.id });
  watch(app, cast.stage, log, options);
  const { agent: root } = await openRoot(app, resume, model).catch((error: unknown) => {
    throw storeFailure(error, store, 'nothing was run');
  });
  cast.root = root;
  tell({ type: 'run/start', root: root.id, store, model, resumed: resume !== undefined });
  const signalled = options.signalled.then((signal): Ending => ({ signal }));
  let ending = await Promise.race([work(app, cast, root, options), signalled]);
  if (options.stay === true && !('signal' in ending)) {
    if ('error' in ending)
      tell({ type: 'diagnostic', code: 'work-failed', level: 'error', message: told(ending) });
    ending = await signalled;
  }
  const summary = await summarize(app, root, log, { store, ending });
  if (Object.keys(ending).length === 0) await options.atRest?.(app, root);
  return { summary, ending };
}

function told({ error }: { readonly error: unknown }): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is watched ends with the program. */
function watch({ ctx }: App, stage: Stage, log: RunLog, { tell, piece }: RunOptions): void {
  watchRun(ctx, (event) => {
    log.tell(event);
    tell(event);
  });
  ctx.subagents.on('subagent/start', ({ childId: id, parentId, label }) => {
    stage.childStarted({ id, parentId, label });
  });
  ctx.subagents.on('subagent/end', ({ childId }) => {
    stage.childEnded(childId);
  });
  if (piece !== undefined) watchText(ctx, piece);
}

/** Never rejects: what goes wrong is how the work ended. */
async function work(app: App, cast: Cast, root: Agent, options: RunOptions): Promise<Ending> {
  const { host } = app;
  const { subagents } = app.ctx;
  const { stage, directory } = cast;
  try {
    if (options.task !== undefined) root.followup({ content: options.task, source: { kind: 'user' } });
    if (options.scenario !== undefined && directory !== undefined) {
      const performance = { root, subagents, host, stage, directory, kill: options.kill };
      await perform(options.scenario.prompts, performance);
    }
    await subagents.whenQuiescent(root.id);
    return {};
  } catch (error) {
    return { error };
  }
}
