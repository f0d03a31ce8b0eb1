/** The command `completion`: a script for a shell, which completes commands, options, files and folders (H10). */
import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from './completion-scripts.ts';
import { tellExitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export function addCompletion(program: Command, { out }: Terminal): void {
  const completion = program
    .command('completion')
    .description('Print a script that completes command lines, for a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
In ~/.bashrc:                    eval "$(dsh completion bash)"
In ~/.zshrc, after compinit:     eval "$(dsh completion zsh)"
In ~/.config/fish/config.fish:   dsh completion fish | source`,
    )
    .action((shell: Shell) => {
      out.write(completionScript(shell, program));
    });
  tellExitCodes(completion, 'completion');
}
