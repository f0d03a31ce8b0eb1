/** [pure] What the fragment of the address says: which agent, which pane, which place in its log. */

export const panes = ['agents', 'transcript', 'sequence', 'details'] as const;
export type Pane = (typeof panes)[number];

/** The addressee that is no agent yet. */
export const newAgent = 'new';

export interface Route {
  /** The id of an agent. */
  readonly agent?: string;
  readonly pane: Pane;
  /** The record to go to. */
  readonly seq?: number;
  /** A new conversation is being written. */
  readonly fresh?: true;
}

/** Unknown parts are passed over: an old link leads as far as it can. */
export function parseRoute(hash: string): Route {
  const [kind, id, pane, seq] = hash.replace(/^#?\/?/, '').split('/');
  if (kind === newAgent) return { pane: 'transcript', fresh: true };
  if (kind !== 's' || id === undefined || id === '') return { pane: isPane(kind) ? kind : 'agents' };
  const agent = decoded(id);
  if (agent === undefined) return { pane: 'agents' };
  const at = seq !== undefined && /^\d{1,15}$/.test(seq) ? { seq: Number(seq) } : {};
  return { agent, pane: isPane(pane) ? pane : 'transcript', ...at };
}

export function formatRoute({ agent, pane, seq, fresh }: Route): string {
  if (fresh === true) return `#/${newAgent}`;
  if (agent === undefined) return pane === 'agents' ? '#/' : `#/${pane}`;
  const place = seq === undefined ? '' : `/${seq}`;
  const shown = pane === 'transcript' && place === '' ? '' : `/${pane}`;
  return `#/s/${encodeURIComponent(agent)}${shown}${place}`;
}

const isPane = (part: string | undefined): part is Pane => panes.some((pane) => pane === part);

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
