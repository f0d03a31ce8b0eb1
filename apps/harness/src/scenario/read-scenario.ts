/** Reads a scenario file. A mistake is one message with its place in the file (H11). */
import { readFile } from 'node:fs/promises';
import { checked, readYaml } from '../config/checked-yaml.ts';
import { UsageError } from '../run/usage-error.ts';
import { scenarioSchema, type Scenario } from './schema.ts';

/** Rejects with a {@link UsageError}, whose message is one line such as `pears.yaml:7:5: agents.root[1].finish: ...`. */
export async function readScenario(path: string): Promise<Scenario> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(
      `${path}: the scenario cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  }
  return parseScenario(text, path);
}

/** JSON is YAML too. `path` is for the message alone. Throws a {@link UsageError}. */
export function parseScenario(text: string, path: string): Scenario {
  return checked(readYaml(text, path), scenarioSchema);
}
