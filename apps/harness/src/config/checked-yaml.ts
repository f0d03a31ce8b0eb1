/** YAML that is checked by a schema. A mistake is one message with its place: `file:line:column: ...`. */
import type { z } from 'zod';
import { isNode, LineCounter, parseDocument, visit } from 'yaml';
import { UsageError } from '../run/usage-error.ts';

export type Path = readonly PropertyKey[];

/** One mistake in what a document says. `keys`: the keys that are too many at that place. */
export interface Mistake {
  readonly path: Path;
  readonly message: string;
  readonly keys?: readonly string[];
}

export interface CheckedYaml {
  readonly value: unknown;
  /** The error that names the mistake and its place. */
  mistake(mistake: Mistake): UsageError;
}

/** JSON is YAML too. `path` is for the messages alone. Throws a {@link UsageError} where it is no YAML. */
export function readYaml(text: string, path: string): CheckedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const placed = (offset: number, message: string): UsageError => {
    const { line, col } = lines.linePos(offset);
    return new UsageError(`${path}:${line}:${col}: ${message}`);
  };
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) throw placed(first.pos[0], syntaxText(first));
  return {
    value: valueOf(document, placed) ?? {},
    mistake({ path: at, message, keys = [] }) {
      const deepest = [...at, ...keys.slice(0, 1)];
      for (let length = deepest.length; length > 0; length -= 1) {
        const node: unknown = document.getIn(deepest.slice(0, length), true);
        if (isNode(node) && node.range) return placed(node.range[0], pathText(at, message));
      }
      return placed(document.range[0], pathText(at, message));
    },
  };
}

type YamlDocument = ReturnType<typeof parseDocument>;

/** An alias may name nobody, or there may be too many: that shows only now. */
function valueOf(document: YamlDocument, placed: (offset: number, message: string) => UsageError): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    let place = document.range?.[0] ?? 0;
    visit(document, {
      Alias(_key, alias) {
        if (alias.resolve(document) !== undefined) return undefined;
        place = alias.range?.[0] ?? place;
        return visit.BREAK;
      },
    });
    throw placed(place, cause instanceof Error ? cause.message : String(cause));
  }
}

/** The value of a part of the document by `schema`. Throws the first mistake; `at` is where the part stands. */
export function checked<S extends z.ZodType>(
  yaml: CheckedYaml,
  schema: S,
  value: unknown = yaml.value,
  at: Path = [],
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as Mistake | undefined;
  throw yaml.mistake(
    issue === undefined
      ? { path: at, message: 'invalid' }
      : { ...issue, message: plain(issue.message), path: [...at, ...issue.path] },
  );
}

/** What is not there has no type that a person would have written. */
function plain(message: string): string {
  return message.replace(/^Invalid input: (expected .*), received undefined$/, 'it is missing: $1');
}

/** The library says the place again, and for a second document what a programmer might call. */
function syntaxText({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here, and the file may hold only one';
  const [line = ''] = message.split('\n');
  return line.replace(/ at line \d+, column \d+:?$/, '');
}

function pathText(path: Path, message: string): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`;
}
