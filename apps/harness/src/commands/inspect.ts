/** `--inspect` of `run` and `chat`: the page beside the terminal. */
import type { AppOptions } from '../app/create-app.ts';
import { isLoopback } from '../inspector/access.ts';
import { terminalLine } from '../output/terminal-safe.ts';
import { UsageError } from '../run/usage-error.ts';
import type { Terminal } from './terminal.ts';

export const inspectHelp = 'show the tree on a page of this machine, on this port or on any that is free';

/** The link goes where it disturbs no output. */
export function inspectOf(
  given: string | true | undefined,
  model: string | undefined,
  { err }: Pick<Terminal, 'err'>,
): Pick<AppOptions, 'inspect'> {
  if (given === undefined) return {};
  const port = given === true ? undefined : portOf(given, '--inspect');
  return {
    inspect: {
      ...{ port, model },
      orAnyPort: given === true,
      opened: (url) => {
        err.write(`dsh: the inspector: ${terminalLine(url)}\n`);
      },
    },
  };
}

export function portOf(text: string, flag: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`${flag} ${JSON.stringify(text)} is no port: write a number up to 65535`);
}

/** What binding elsewhere means; nothing for loopback. Throws a {@link UsageError} where it was not asked for. */
export function remoteWarning(address: string, allowed: boolean): string | undefined {
  if (isLoopback(address)) return undefined;
  const means =
    `on ${address} other machines can reach the page; it goes over the network unencrypted, and whoever gets hold of ` +
    'the link or the cookie reads every Session and controls the agents with their tools';
  if (!allowed) throw new UsageError(`${means}. Nothing was started: say --allow-remote where that is meant`);
  return means;
}
