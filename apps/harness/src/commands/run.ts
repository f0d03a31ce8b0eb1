/** The command `run`: one task, or one scenario, to its end. */
import { effective, type Flags } from '../config/effective.ts';
import { readConfig } from '../config/read-config.ts';
import { paintFor } from '../output/colours.ts';
import { jsonLines } from '../output/json-lines.ts';
import { liveTree } from '../output/live-tree.ts';
import { terminalLine, terminalSafe } from '../output/terminal-safe.ts';
import { runTask, type RunOptions } from '../run/run-task.ts';
import { UsageError } from '../run/usage-error.ts';
import { readScenario } from '../scenario/read-scenario.ts';
import type { Scenario } from '../scenario/schema.ts';
import { inspectOf } from './inspect.ts';
import type { Terminal } from './terminal.ts';

export interface RunCommandOptions extends Flags {
  readonly scenario?: string;
  readonly config?: string;
  readonly resume?: string;
  readonly json?: boolean;
  readonly allowCommands?: boolean;
  readonly inspect?: string | true;
}

/** Resolves to the exit code. */
export async function runCommand(
  task: string | undefined,
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.scenario !== undefined && task !== undefined) {
    throw new UsageError('give a task or a scenario, not both');
  }
  if (options.scenario === undefined && task === undefined && options.resume === undefined) {
    throw new UsageError('give a task, a scenario, or a Session to go on with');
  }
  if (task?.trim() === '') throw new UsageError('the task is empty: say what is to be done');
  const { resume } = options;
  const scenario =
    options.scenario === undefined ? undefined : await scenarioOf(options.scenario, resume, terminal);
  const config = await readConfig(options.config, terminal.cwd);
  const { store, driver, workspace, baseUrl, ...counts } = effective(options, config, terminal.cwd);
  // A scenario brings its own model: only one that is asked for here and now is too many.
  const model = scenario === undefined ? counts.model : options.model;
  const summary = await runTask({
    store,
    driver,
    plugins: config.plugins,
    more: config.more,
    configFiles: config.files,
    workspace,
    commands: options.allowCommands === true ? 'allow' : 'off',
    environment: terminal.environment,
    signals: terminal.signals,
    kill: terminal.kill,
    ...(terminal.random === undefined ? {} : { random: terminal.random }),
    ...(task === undefined ? {} : { task }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(resume === undefined ? {} : { resume }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...inspectOf(options.inspect, model, terminal),
    ...outputOf(options.json === true, terminal),
  });
  return summary.exitCode;
}

export function scenarioOf(
  file: string,
  resume: string | undefined,
  { err }: Pick<Terminal, 'err'>,
): Promise<Scenario> {
  return readScenario(file, {
    resumed: resume !== undefined,
    warn: (line) => {
      err.write(`dsh: warning: ${terminalLine(line)}\n`);
    },
  });
}

export function outputOf(json: boolean, { out, environment }: Terminal): Pick<RunOptions, 'tell' | 'piece'> {
  const write = (text: string): void => {
    out.write(text);
  };
  if (json) return { tell: jsonLines(write) };
  const paint = paintFor(out, environment);
  const tree = liveTree(write, paint);
  return {
    piece: tree.piece,
    tell(event) {
      tree.tell(event);
      if (event.type !== 'summary') return;
      const { outcome, root, store, parked } = event;
      const waits = parked.length === 0 ? '' : `, with messages that wait at ${parked.join(', ')}`;
      tree.note(
        terminalSafe(`\n${outcome}${waits}. The Sessions lie in ${store}; go on with --resume ${root}`),
      );
    },
  };
}
