/** The commands of `dsh` and their options. Every command has `--help`. */
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { terminalLine } from '../output/terminal-safe.ts';
import { exitCodes } from '../run/outcome.ts';
import { UsageError } from '../run/usage-error.ts';
import { chatHelp } from '../chat/slash-commands.ts';
import { chatCommand, type ChatCommandOptions } from './chat.ts';
import { addConfigCommand } from './config.ts';
import { demoCommand } from './demo.ts';
import { inspectHelp } from './inspect.ts';
import { runCommand, type RunCommandOptions } from './run.ts';
import { addServe } from './serve.ts';
import { addSessionsCommand } from './sessions.ts';
import { addStoreOptions } from './store-options.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line. Resolves to the exit code; never rejects. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCodes.completed;
  const program = buildProgram(terminal, (given) => {
    code = given;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const usage = error instanceof UsageError;
    terminal.err.write(`dsh: ${terminalLine(error instanceof Error ? error.message : String(error))}\n`);
    return usage ? exitCodes.usage : exitCodes.error;
  }
}

function buildProgram(terminal: Terminal, ended: (code: number) => void): Command {
  const program = new Command('dsh')
    .description('Agents that delegate to children which can be written to again.')
    .version(manifest.version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    });
  addDemo(program, terminal, ended);
  addRun(program, terminal, ended);
  addChat(program, terminal, ended);
  addServe(program, terminal, ended);
  addSessionsCommand(program, terminal);
  addConfigCommand(program, terminal);
  refuseEmptyOptions(program);
  return program;
}

/** An empty text is a variable of a shell that was not set: a folder of that name would be the current one. */
function refuseEmptyOptions(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const empty = command.options.find((option) => command.opts()[option.attributeName()] === '');
    if (empty !== undefined)
      throw new UsageError(`${empty.long ?? empty.flags} is empty: write what it is, or leave it out`);
  });
}

function addDemo(program: Command, terminal: Terminal, ended: (code: number) => void): void {
  program
    .command('demo')
    .description('Show children at work, without a key and without a network.')
    .option('--store <dir>', 'the folder of the Sessions', '.dsh/demo')
    .option('--second-act <root>', 'what the demo starts as a second process')
    .action(async (options: { readonly store: string; readonly secondAct?: string }) => {
      ended(await demoCommand(options, terminal));
    });
}

function addRun(program: Command, terminal: Terminal, ended: (code: number) => void): void {
  addStoreOptions(
    program
      .command('run')
      .description('Do one task, or play one scenario, and end when everybody is at rest.')
      .argument('[task]', 'what is to be done')
      .option('--scenario <file>', 'a script in place of a model (JSON or YAML)'),
  )
    .option('--config <file>', 'the config (default: dsh.config.yaml, where there is one)')
    .option('--resume <id>', 'go on with this Session')
    .option('--json', 'print one JSON object per line')
    .option('--model <provider/model>', 'deepseek, anthropic or openai-compatible, and the name of a model')
    .option('--base-url <url>', 'where the server of the model listens')
    .option('--allow-commands', 'let agents run shell commands, without asking')
    .option('--inspect [port]', inspectHelp)
    .addHelpText('after', exitCodeHelp)
    .action(async (task: string | undefined, options: RunCommandOptions) => {
      ended(await runCommand(task, options, terminal));
    });
}

function addChat(program: Command, terminal: Terminal, ended: (code: number) => void): void {
  addStoreOptions(
    program.command('chat').description('Talk with an agent, and with the children that it delegates to.'),
  )
    .option('--config <file>', 'the config (default: dsh.config.yaml, where there is one)')
    .option('--resume <id>', 'go on with this Session')
    .option('--model <provider/model>', 'deepseek, anthropic or openai-compatible, and the name of a model')
    .option('--base-url <url>', 'where the server of the model listens')
    .option('--allow-commands', 'let agents run shell commands, without asking each time')
    .option('--inspect [port]', inspectHelp)
    .addHelpText(
      'after',
      `\nIn the chat:\n${chatHelp}\n\nExit codes:\n  0  ended by /quit or Ctrl-D\n  2  a mistake in the command line or in the config, or no key\n  130, 143  ended by Ctrl-C twice, SIGTERM`,
    )
    .action(async (options: ChatCommandOptions) => {
      ended(await chatCommand(options, terminal));
    });
}

const exitCodeHelp = `
Exit codes:
  0  completed
  1  the last turn ended in an error
  2  a mistake in the command line, the config or the scenario, or no key
  3  refused, or stopped at a limit of tokens, steps or budget
  4  messages are parked: they wait until a person writes
  5  the last turn was aborted
  141  its output was closed
  130, 143  ended by SIGINT, SIGTERM`;
