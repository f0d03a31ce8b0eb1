/** The commands of `dsh` and their options. Every command has `--help`. */
import { Command, CommanderError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { terminalLine } from '../output/terminal-safe.ts';
import { exitCodes } from '../run/outcome.ts';
import { UsageError } from '../run/usage-error.ts';
import { chatHelp } from '../chat/slash-commands.ts';
import { chatCommand, type ChatCommandOptions } from './chat.ts';
import { addCompletion } from './completion.ts';
import { addConfigCommand } from './config.ts';
import { demoCommand } from './demo.ts';
import { tellExitCodes } from './exit-codes.ts';
import { addHelp } from './help.ts';
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
      outputError: (text, write) => {
        write(
          `dsh: ${terminalLine(
            text
              .replace(/^error: /, '')
              .trim()
              .replaceAll('\n', ' '),
          )}\n`,
        );
      },
    })
    .addHelpText(
      'after',
      '\nEvery command has --help, which lists its exit codes: 2 is a mistake in the command line.',
    );
  addDemo(program, terminal, ended);
  addRun(program, terminal, ended);
  addChat(program, terminal, ended);
  addServe(program, terminal, ended);
  addSessionsCommand(program, terminal, ended);
  addConfigCommand(program, terminal);
  addCompletion(program, terminal);
  addHelp(program);
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
  const demo = program
    .command('demo')
    .description('Show children at work, without a key and without a network.')
    .option('--store <dir>', 'the folder of the Sessions', '.dsh/demo')
    .addOption(new Option('--second-act <root>', 'what the demo starts as a second process').hideHelp())
    .action(async (options: { readonly store: string; readonly secondAct?: string }) => {
      ended(await demoCommand(options, terminal));
    });
  tellExitCodes(demo, 'demo');
}

function addRun(program: Command, terminal: Terminal, ended: (code: number) => void): void {
  const run = addStoreOptions(
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
    .action(async (task: string | undefined, options: RunCommandOptions) => {
      ended(await runCommand(task, options, terminal));
    });
  tellExitCodes(run, 'run');
}

function addChat(program: Command, terminal: Terminal, ended: (code: number) => void): void {
  const chat = addStoreOptions(
    program.command('chat').description('Talk with an agent, and with the children that it delegates to.'),
  )
    .option('--config <file>', 'the config (default: dsh.config.yaml, where there is one)')
    .option('--resume <id>', 'go on with this Session')
    .option('--model <provider/model>', 'deepseek, anthropic or openai-compatible, and the name of a model')
    .option('--base-url <url>', 'where the server of the model listens')
    .option('--allow-commands', 'let agents run shell commands, without asking each time')
    .option('--inspect [port]', inspectHelp)
    .addHelpText('after', `\nIn the chat:\n${chatHelp}`)
    .action(async (options: ChatCommandOptions) => {
      ended(await chatCommand(options, terminal));
    });
  tellExitCodes(chat, 'chat');
}
