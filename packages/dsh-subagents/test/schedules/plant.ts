/** Preloaded into a process: plants the mutant that the environment names into the sources as they are loaded. */
import { registerHooks } from 'node:module';
import { mutants } from './mutants.ts';

const name = process.env['DSH_MUTANT'];
const mutant = mutants.find((one) => one.name === name);
if (name !== undefined && mutant === undefined) throw new Error(`there is no mutant ${JSON.stringify(name)}`);

if (mutant !== undefined) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/${mutant.file}`)) return loaded;
      const source =
        loaded.source instanceof Uint8Array
          ? Buffer.from(loaded.source).toString()
          : (loaded.source as string);
      if (source.split(mutant.search).length !== 2) {
        throw new Error(`${mutant.name}: what is to be replaced stands not once in ${mutant.file}`);
      }
      return { ...loaded, source: source.replace(mutant.search, () => mutant.replace) };
    },
  });
}
