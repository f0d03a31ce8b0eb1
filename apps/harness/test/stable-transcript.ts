/** The lines of `dsh run --json` with nothing in them that differs from run to run. */

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

export function jsonLines(out: string): readonly Line[] {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** Times, delays and places of the disk. */
const unstable = new Set(['time', 'durationMs', 'delayMs', 'durable', 'store']);

/**
 * Ids become names in the order in which they are met; what is told about one agent stays in its order, and the
 * agents stand one after the other, since the order between them is nobody's promise.
 */
export function stableTranscript(out: string): string {
  const lines = jsonLines(out);
  const names = namesOf(lines);
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    const rest = Object.fromEntries(Object.entries(line).filter(([key]) => !unstable.has(key)));
    let text = JSON.stringify(rest);
    for (const [id, name] of names) text = text.replaceAll(id, name);
    const owner = ownerOf(line);
    groups.set(owner, [...(groups.get(owner) ?? []), text]);
  }
  return [...groups]
    .map(([owner, texts]) => `${owner}\n${texts.map((text) => `  ${text}\n`).join('')}`)
    .join('\n');
}

function ownerOf(line: Line): string {
  if (line.type === 'run/start' || line.type === 'summary') return 'run';
  return typeof line['label'] === 'string' ? line['label'] : 'run';
}

function namesOf(lines: readonly Line[]): Map<string, string> {
  const names = new Map<string, string>();
  const runs = new Map<string, number>();
  for (const line of lines) {
    const name = (id: unknown, as: string) => {
      if (typeof id === 'string' && !names.has(id)) names.set(id, `<${as}>`);
    };
    name(line['root'], 'root');
    if (line.type === 'subagent/start') {
      name(line['child'], String(line['label']));
      const count = (runs.get(String(line['label'])) ?? 0) + 1;
      runs.set(String(line['label']), count);
      name(line['runId'], `${String(line['label'])} run ${count}`);
    }
  }
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { messageId } = line;
    if (typeof messageId !== 'string' || names.has(messageId)) continue;
    const label = String(line['label']);
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    names.set(messageId, `<${label} message ${count}>`);
  }
  return names;
}
