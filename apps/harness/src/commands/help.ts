/** The command `help`: what `--help` of another one prints. */
import type { Command } from 'commander';
import { UsageError } from '../run/usage-error.ts';

export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Explain a command.')
    .argument('[command...]', 'such as: sessions list')
    .action((path: readonly string[]) => {
      commandAt(program, path).outputHelp();
    });
}

function commandAt(program: Command, path: readonly string[]): Command {
  let command = program;
  for (const [at, name] of path.entries()) {
    const next = command.commands.find((one) => one.name() === name);
    if (next === undefined) {
      const above = ['dsh', ...path.slice(0, at)].join(' ');
      throw new UsageError(`there is no command ${JSON.stringify(name)}: ${above} --help lists them`);
    }
    command = next;
  }
  return command;
}
