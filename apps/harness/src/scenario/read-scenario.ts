/** Reads a scenario file. A mistake is one message with its place in the file (H11). */
import { readFile } from 'node:fs/promises';
import { checked, readYaml } from '../config/checked-yaml.ts';
import { UsageError } from '../run/usage-error.ts';
import { crossCheck } from './cross-check.ts';
import { scenarioSchema, type Scenario } from './schema.ts';

export interface ScenarioUse {
  /** It goes on with a stored Session, whose children the file need not start. */
  readonly resumed?: boolean;
  /** Hears what is no mistake, and yet seldom meant. */
  readonly warn?: (line: string) => void;
}

/** Rejects with a {@link UsageError}, whose message is one line such as `pears.yaml:7:5: agents.root[1].finish: ...`. */
export async function readScenario(path: string, use: ScenarioUse = {}): Promise<Scenario> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(
      `${path}: the scenario cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  }
  return parseScenario(text, path, use);
}

/** JSON is YAML too. `path` is for the message alone. Throws a {@link UsageError}. */
export function parseScenario(
  text: string,
  path: string,
  { resumed = false, warn }: ScenarioUse = {},
): Scenario {
  const yaml = readYaml(text, path);
  const scenario = checked(yaml, scenarioSchema);
  const { mistakes, warnings } = crossCheck(scenario, resumed);
  const [first] = mistakes;
  if (first !== undefined) throw yaml.mistake(first);
  for (const warning of warnings) warn?.(yaml.mistake(warning).message);
  return scenario;
}
