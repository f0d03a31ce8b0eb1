/** What the shape of an option cannot say: a model that nobody has, the place of a server, a folder that is not there. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { baseUrlProblem, routeProblem } from '../models/real-models.ts';
import type { Mistake } from './checked-yaml.ts';
import { optionsOf } from './effective.ts';
import type { PluginSettings } from './schema.ts';

/** Nothing where all is well. `others`: plugins of somebody else are listed too, which may have models of their own. `settings`: those of one plugin; the path of the mistake counts from its entry. */
export async function optionProblem(
  settings: PluginSettings,
  file: string,
  others: boolean,
): Promise<Mistake | undefined> {
  const model = optionsOf(settings.agents)?.model;
  const baseUrl = optionsOf(settings.models)?.baseUrl;
  const root = optionsOf(settings['workspace-tools'])?.root;
  return (
    mistake('model', model === undefined ? undefined : routeProblem(model, others)) ??
    mistake('baseUrl', baseUrlProblem(baseUrl, 'baseUrl')) ??
    mistake('root', root === undefined ? undefined : await folderProblem(root, file))
  );
}

function mistake(option: string, message: string | undefined): Mistake | undefined {
  return message === undefined ? undefined : { path: ['options', option], message };
}

/** A path of the file counts from the folder of the file. */
async function folderProblem(root: string, file: string): Promise<string | undefined> {
  try {
    const found = await stat(resolve(dirname(file), root));
    return found.isDirectory() ? undefined : `${root} is no folder`;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return `the folder ${root} cannot be used (${code})`;
  }
}
