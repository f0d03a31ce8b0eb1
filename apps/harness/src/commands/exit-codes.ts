/** [pure] The exit codes of each command: the end of its `--help`, and what the README says. */
import type { Command } from 'commander';

type Codes = readonly (readonly [code: string, meaning: string])[];

const usage = '2';
const closed = ['141', 'its output was closed; it has unwound in order'] as const;
const signals = ['130, 143', 'ended by SIGINT or SIGTERM; a second signal ends at once'] as const;

export const exitCodesOf = {
  demo: [
    ['0', 'completed'],
    ['1', 'a turn ended in an error, or the store cannot be used'],
    [usage, 'a mistake in the command line'],
    closed,
    signals,
  ],
  run: [
    ['0', 'completed'],
    ['1', 'the last turn of the root ended in an error, or the store cannot be used'],
    [usage, 'a mistake in the command line, the config or the scenario, or no key'],
    ['3', 'refused, or stopped at a limit of tokens, steps or budget'],
    ['4', 'messages are parked: they wait until a person writes'],
    ['5', 'the last turn of the root was aborted'],
    closed,
    signals,
  ],
  chat: [
    ['0', 'ended by /quit, by Ctrl-D or with the pipe that it reads'],
    ['1', 'the store cannot be used'],
    [usage, 'a mistake in the command line or the config, or no key'],
    closed,
    ['130, 143', 'ended by Ctrl-C twice, or by SIGTERM'],
  ],
  serve: [
    ['0', 'ended by Ctrl-C or SIGTERM, as it is meant to'],
    ['1', 'the store cannot be used'],
    [usage, 'a mistake in the command line, the config or the scenario, no key, or the port is in use'],
    closed,
    ['130, 143', 'ended at once by a second signal'],
  ],
  sessions: [
    ['0', 'done; verify has found nothing damaged'],
    ['1', 'verify has found damage, or the store refused'],
    [usage, 'a mistake in the command line or the config, or no Session has that id'],
    closed,
  ],
  config: [['0', 'printed'], [usage, 'a mistake in the command line or the config'], closed],
  completion: [['0', 'printed'], [usage, 'a mistake in the command line'], closed],
} as const satisfies Readonly<Record<string, Codes>>;

/** Ends the help of a command with its exit codes. */
export function tellExitCodes(command: Command, name: keyof typeof exitCodesOf): Command {
  const lines = exitCodesOf[name].map(([code, meaning]) => `  ${code}  ${meaning}`);
  return command.addHelpText('after', `\nExit codes:\n${lines.join('\n')}`);
}
