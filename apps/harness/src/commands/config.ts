/** The command `config show`: what counts, from the command line, the file and the defaults (H2). */
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { effective, effectiveList, type Flags } from '../config/effective.ts';
import { configName, readConfig } from '../config/read-config.ts';
import { configJsonSchema } from '../config/schema.ts';
import { terminalSafe } from '../output/terminal-safe.ts';
import { tellExitCodes } from './exit-codes.ts';
import { addStoreOptions } from './store-options.ts';
import type { Terminal } from './terminal.ts';

interface ShowOptions extends Flags {
  readonly config?: string;
  readonly json?: boolean;
}

export function addConfigCommand(program: Command, terminal: Terminal): void {
  const config = program.command('config').description('Look at the config.').helpCommand(false);
  tellExitCodes(config, 'config');
  const show = addStoreOptions(
    config
      .command('show')
      .description('Print every plugin with the options that count, and load none of them.'),
  )
    .option('--config <file>', `the config (default: ${configName}, where there is one)`)
    .option('--model <provider/model>', 'the model of agents that name none')
    .option('--base-url <url>', 'where the server of the model listens')
    .option('--json', 'print one JSON object')
    .action(async (options: ShowOptions) => {
      const { cwd, out } = terminal;
      const read = await readConfig(options.config, cwd);
      const list = effectiveList(effective(options, read, cwd));
      const from = read.file ?? `no ${configName} here: these are the defaults`;
      out.write(
        options.json === true
          ? `${JSON.stringify(list)}\n`
          : terminalSafe(`# ${from}\n${stringify(list, { lineWidth: 0 })}`),
      );
    });
  tellExitCodes(show, 'config');
  const schema = config
    .command('schema')
    .description('Print the JSON Schema of the config, for editors.')
    .action(() => {
      terminal.out.write(`${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
    });
  tellExitCodes(schema, 'config');
}
