/** `--store` and `--driver`, which say where the Sessions lie and how. */
import { Option, type Command } from 'commander';
import { defaultStore } from '../config/effective.ts';
import { storeDrivers } from '../plugins/store-driver.ts';

export function addStoreOptions(command: Command): Command {
  return command
    .option('--store <dir>', `the folder of the Sessions (default: ${defaultStore})`)
    .addOption(
      new Option('--driver <name>', 'what keeps them (default: what has made the store, else file)').choices(
        storeDrivers,
      ),
    );
}
