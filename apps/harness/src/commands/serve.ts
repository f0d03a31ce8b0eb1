/** The command `serve`: the page over a store, until a signal (H12). */
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { deferred } from '@dsh-internal/async';
import { createApp, type AppOptions, type Inspect } from '../app/create-app.ts';
import { stopOnSignals } from '../app/stop-on-signals.ts';
import { effective, type Flags } from '../config/effective.ts';
import { readConfig } from '../config/read-config.ts';
import { realModelProblem } from '../models/real-models.ts';
import { terminalLine } from '../output/terminal-safe.ts';
import { runTask } from '../run/run-task.ts';
import { storeFailure } from '../run/store-failure.ts';
import { UsageError } from '../run/usage-error.ts';
import { tellExitCodes } from './exit-codes.ts';
import { portOf, remoteWarning } from './inspect.ts';
import { outputOf, scenarioOf } from './run.ts';
import { addStoreOptions } from './store-options.ts';
import type { Terminal } from './terminal.ts';

interface ServeOptions extends Flags {
  readonly config?: string;
  readonly scenario?: string;
  readonly resume?: string;
  readonly port?: string;
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly allowCommands?: boolean;
}

export function addServe(program: Command, terminal: Terminal, ended: (code: number) => void): void {
  const serve = addStoreOptions(
    program
      .command('serve')
      .description('Show what is stored and what is at work on a page of this machine, until Ctrl-C.'),
  )
    .option('--config <file>', 'the config (default: dsh.config.yaml, where there is one)')
    .option('--port <port>', 'where the page is (default: 7333); 0 is any port that is free')
    .option('--model <provider/model>', 'what answers roots that are begun or woken from the page')
    .option('--base-url <url>', 'where the server of the model listens')
    .option('--scenario <file>', 'play this script, and stay')
    .option('--resume <id>', 'with --scenario: go on with this Session')
    .option('--allow-commands', 'let agents run shell commands, without asking')
    .option('--host <address>', 'listen on another address than 127.0.0.1; needs --allow-remote')
    .option('--allow-remote', 'let other machines in: whoever has the link controls the agents')
    .action(async (options: ServeOptions) => {
      ended(await serveCommand(options, terminal));
    });
  tellExitCodes(serve, 'serve');
}

/** Resolves to the exit code: to end it by a signal is how it is meant to end. */
async function serveCommand(options: ServeOptions, terminal: Terminal): Promise<number> {
  const { scenario, resume } = options;
  if (resume !== undefined && scenario === undefined)
    throw new UsageError('--resume goes with --scenario: on the page every Session can be gone on with');
  const config = await readConfig(options.config, terminal.cwd);
  const { store, driver, workspace, model, baseUrl } = effective(options, config, terminal.cwd);
  const shared = {
    store,
    driver,
    workspace,
    plugins: config.plugins,
    more: config.more,
    configFiles: config.files,
    commands: options.allowCommands === true ? 'allow' : 'off',
    environment: terminal.environment,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(terminal.random === undefined ? {} : { random: terminal.random }),
  } as const;
  const inspect = inspectFrom(options, terminal);
  if (scenario === undefined) {
    await serveStore({ ...shared, model, inspect: { ...inspect, model } }, terminal);
    return 0;
  }
  await runTask({
    ...shared,
    inspect,
    stay: true,
    scenario: await scenarioOf(scenario, resume, terminal),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(resume === undefined ? {} : { resume }),
    signals: terminal.signals,
    kill: terminal.kill,
    ...outputOf(false, terminal),
  });
  return 0;
}

function inspectFrom({ port, host, allowRemote }: ServeOptions, { out, err }: Terminal): Inspect {
  const warning = host === undefined ? undefined : remoteWarning(host, allowRemote === true);
  if (warning !== undefined) err.write(`dsh: warning: ${terminalLine(warning)}\n`);
  return {
    ...(port === undefined ? {} : { port: portOf(port, '--port') }),
    ...(host === undefined ? {} : { address: host, names: [hostname().toLowerCase()] }),
    opened: (url) => {
      out.write(
        `The inspector is at ${terminalLine(url)}\nThe link lets its owner in: keep it. Ctrl-C ends it.\n`,
      );
    },
  };
}

type StoreOptions = Omit<AppOptions, 'model'> & { readonly model: string | undefined };

/** Without work of its own. */
async function serveStore({ model, ...options }: StoreOptions, { signals }: Terminal): Promise<void> {
  const { environment, baseUrl, store, more = [] } = options;
  const problem =
    model === undefined
      ? undefined
      : realModelProblem(
          model,
          { environment, ...(baseUrl === undefined ? {} : { baseUrl }) },
          more.length > 0,
        );
  if (problem !== undefined) throw new UsageError(problem);
  const signalled = deferred();
  const registration = stopOnSignals(signals, () => {
    signalled.resolve();
  });
  try {
    const app = await createApp({ ...options, model: model ?? 'none' }).catch((error: unknown) => {
      throw storeFailure(error, store, 'nothing is served');
    });
    await signalled.promise;
    await app.stop();
  } finally {
    registration.dispose();
  }
}
