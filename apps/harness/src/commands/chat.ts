/** The command `chat`: an interactive session (H6). */
import { historyFile } from '../app/beside-store.ts';
import { createApp } from '../app/create-app.ts';
import { createApprovals } from '../chat/approvals.ts';
import { chat } from '../chat/chat.ts';
import { openLineInput, type LineInput } from '../chat/line-input.ts';
import type { TerminalStream } from '../chat/screen.ts';
import { effective, type Flags } from '../config/effective.ts';
import { readConfig } from '../config/read-config.ts';
import { realModelProblem } from '../models/real-models.ts';
import { isDumb, paintFor } from '../output/colours.ts';
import { terminalLine } from '../output/terminal-safe.ts';
import { storeFailure } from '../run/store-failure.ts';
import { UsageError } from '../run/usage-error.ts';
import { inspectOf } from './inspect.ts';
import type { Terminal } from './terminal.ts';

export interface ChatCommandOptions extends Flags {
  readonly config?: string;
  readonly resume?: string;
  readonly allowCommands?: boolean;
  readonly inspect?: string | true;
}

/** Resolves to the exit code. */
export async function chatCommand(options: ChatCommandOptions, terminal: Terminal): Promise<number> {
  const { environment, out, cwd, input: typed, signals } = terminal;
  const config = await readConfig(options.config, cwd);
  const { store, driver, workspace, model, baseUrl } = effective(options, config, cwd);
  if (model === undefined)
    throw new UsageError('name a model with --model provider/model, or in dsh.config.yaml');
  const problem = realModelProblem(
    model,
    { environment, ...(baseUrl === undefined ? {} : { baseUrl }) },
    config.more.length > 0,
  );
  if (problem !== undefined) throw new UsageError(problem);
  if (typed === undefined) throw new UsageError('a chat needs somebody who types');

  const paint = paintFor(out, environment);
  const labels = new Map<string, string>();
  let show: (text: string) => void = () => undefined;
  const approvals = createApprovals((question) => {
    show(question);
  });
  const app = await createApp({
    store,
    driver,
    model,
    baseUrl,
    environment,
    workspace,
    plugins: config.plugins,
    more: config.more,
    configFiles: config.files,
    ...inspectOf(options.inspect, model, terminal),
    commands: options.allowCommands === true ? 'allow' : 'ask',
    approve: ({ agent, call, signal }) => {
      const who = labels.get(agent.id) ?? 'root';
      const what = `${call.name} ${JSON.stringify(call.input)}`;
      return approvals.ask(`${terminalLine(who)} wants: ${terminalLine(what)}\nAllow it? y or n`, signal);
    },
  });
  try {
    app.ctx.subagents.on('subagent/start', ({ childId, label }) => labels.set(childId, label));
    // A terminal is a stream; what is no terminal, or a dumb one, is only written to.
    const moves = out.isTTY === true && typed.isTTY === true && !isDumb(environment);
    const tty = moves ? (out as TerminalStream) : undefined;
    const openInput = (): LineInput => {
      const input = openLineInput(typed, tty, historyFile(store), (text) => {
        out.write(text);
      });
      show = (question) => {
        input.screen.note(paint('yellow', question));
      };
      return input;
    };
    return await chat({ app, model, resume: options.resume, openInput, approvals, paint, signals });
  } catch (error) {
    throw storeFailure(error, store, 'the chat has ended');
  } finally {
    await app.stop();
  }
}
