/**
 * Preloaded into a process: plants a bug into the sources as they are loaded. The environment names the bug and the
 * folder whose list `mutants.ts` holds it.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const { DSH_MUTANT: name, DSH_MUTANTS_OF: folder } = process.env;
const { mutants } = await import(join(folder, 'mutants.ts'));
const mutant = mutants.find((one) => one.name === name);
if (mutant === undefined) throw new Error(`there is no mutant ${JSON.stringify(name)}`);

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(`/${mutant.file}`)) return loaded;
    const source =
      loaded.source instanceof Uint8Array ? Buffer.from(loaded.source).toString() : loaded.source;
    if (source.split(mutant.search).length !== 2) {
      throw new Error(`${mutant.name}: what is to be replaced stands not once in ${mutant.file}`);
    }
    return { ...loaded, source: source.replace(mutant.search, () => mutant.replace) };
  },
});
