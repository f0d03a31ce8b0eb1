/** Reads a scenario file. A mistake is one message with its place in the file (H11). */
import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import { UsageError } from '../run/usage-error.ts';
import { issueText, scenarioSchema, type Scenario } from './schema.ts';

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
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    const { line, col } = lines.linePos(mistake.pos[0]);
    throw new UsageError(`${path}:${line}:${col}: ${mistake.message.split('\n')[0] ?? ''}`);
  }
  const parsed = scenarioSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new UsageError(`${path}: no scenario`);
  const { line, col } = lines.linePos(placeOf(document, issue));
  throw new UsageError(`${path}:${line}:${col}: ${issueText(issue, issue.path)}`);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly code: string;
  readonly keys?: readonly string[];
}

/** Where in the text: the deepest part of the path that is there. */
function placeOf(document: Document, issue: Issue): number {
  const path = [...issue.path, ...(issue.keys?.slice(0, 1) ?? [])];
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
