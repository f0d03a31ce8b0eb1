/**
 * A run for people: a line per thing that happens, indented by how deep the agent stands.
 * Owns: the depths, and what an answer looks like while it comes.
 */
import type { ContentBlock } from '@deepseek-ai/dsh-session';
import type { RunEvent } from '../run/run-event.ts';
import type { OnPiece } from '../run/watch-run.ts';
import type { Paint, Style } from './colours.ts';
import { createLinePrinter } from './line-printer.ts';
import { terminalLine, terminalSafe } from './terminal-safe.ts';

export interface LiveTree {
  readonly tell: (event: RunEvent) => void;
  /** A piece of the text of an answer, while it comes. */
  readonly piece: OnPiece;
  /** A line of the program itself. */
  readonly note: (text: string) => void;
}

const longestShown = 240;
/** What a cut leaves of a surrogate pair. */
const halfPair = /[\ud800-\udbff]$/;

export function liveTree(write: (text: string) => void, paint: Paint): LiveTree {
  const printer = createLinePrinter(write);
  const depths = new Map<string, number>();
  const head = (agent: string, label: string): string => {
    const depth = depths.get(agent) ?? 0;
    return `${'│  '.repeat(Math.max(0, depth - 1))}${depth > 0 ? '├─ ' : ''}${paint('bold', terminalLine(label))} `;
  };
  const line: Line = (agent, label, text, { style, ends } = {}) => {
    const short = shorten(terminalLine(text));
    printer.line(`${head(agent, label)}${style === undefined ? short : paint(style, short)}`, ends);
  };
  return {
    note: (text) => {
      printer.line(text, { all: true });
    },
    piece({ agent, label }, delta) {
      printer.piece(agent, head(agent, label), terminalSafe(delta));
    },
    tell(event) {
      if (event.type === 'subagent/start') depths.set(event.child, (depths.get(event.parent) ?? 0) + 1);
      if (event.type === 'agent/answer') {
        tellAnswer(event, printer.finish(event.agent), line);
        return;
      }
      const said = sentence(event);
      if (said !== undefined) line(said.agent, said.label, said.text, said);
    },
  };
}

interface LineOptions {
  readonly style?: Style;
  /** The agent whose answer ends with this line. */
  readonly ends?: string;
}

type Line = (agent: string, label: string, text: string, options?: LineOptions) => void;

function tellAnswer(event: Extract<RunEvent, { type: 'agent/answer' }>, shown: boolean, line: Line): void {
  const { agent, label, content } = event;
  const text = textOf(content).trim();
  if (text !== '' && !shown) line(agent, label, text);
  for (const block of content) {
    if (block.type === 'tool-call')
      line(agent, label, `→ ${block.name} ${JSON.stringify(block.input)}`, { style: 'cyan' });
  }
}

interface Said extends LineOptions {
  readonly agent: string;
  readonly label: string;
  readonly text: string;
}

function sentence(event: RunEvent): Said | undefined {
  switch (event.type) {
    case 'agent/inbox/enqueue':
      return arrival(event);
    case 'agent/inbox/discard':
      return { ...event, text: `a message was discarded (${event.reason})`, style: 'yellow' };
    case 'agent/turn/end':
      return event.reason.kind === 'completed'
        ? undefined
        : { ...event, text: `turn ended: ${reasonText(event.reason)}`, style: 'yellow', ends: event.agent };
    case 'agent/retry':
      return { ...event, text: retryText(event), style: 'yellow', ends: event.agent };
    case 'agent/error':
      return { ...event, text: `failed: ${event.message}`, style: 'red', ends: event.agent };
    case 'subagent/start':
      return { ...event, agent: event.child, text: startText(event), style: 'green' };
    case 'subagent/parked':
      return { ...event, agent: event.child, text: 'is parked, with messages that wait', style: 'yellow' };
    case 'subagent/end':
      return {
        ...event,
        agent: event.child,
        text: `■ ended: ${event.outcome}`,
        style: endStyle(event.outcome),
      };
    case 'diagnostic':
      return { agent: '', label: event.level, text: `${event.code}: ${event.message}`, style: 'yellow' };
    case 'run/start':
    case 'summary':
    case 'subagent/settled':
    case 'agent/inbox/dequeue':
    case 'agent/answer':
      return undefined;
  }
}

function retryText({ delayMs, message }: { readonly delayMs: number; readonly message: string }): string {
  return `asks again in ${Math.round(delayMs)} ms: ${message}`;
}

function startText({
  resumed,
  provider,
  child,
}: {
  resumed: boolean;
  provider: string;
  child: string;
}): string {
  return `▶ ${resumed ? 'is back from its log' : `started by ${provider}`} (${child})`;
}

const endStyle = (outcome: string): Style => (outcome === 'completed' ? 'green' : 'yellow');

/** The call that delegated a task shows it, and an ending shows its notice. */
function arrival(event: Extract<RunEvent, { type: 'agent/inbox/enqueue' }>): Said | undefined {
  const { source, content } = event;
  switch (source.kind) {
    case 'user':
      return { ...event, text: `← person: ${textOf(content)}`, style: 'blue' };
    case 'agent-message':
      // The first block names the sender.
      return { ...event, text: `← message: ${textOf(content.slice(1))}`, style: 'blue' };
    case 'subagent-settled':
      return { ...event, text: `← notice: ${source.summary}`, style: 'blue' };
    case 'delegated-task':
      return undefined;
    default:
      return { ...event, text: '← message', style: 'blue' };
  }
}

function reasonText(reason: {
  readonly kind: string;
  readonly message?: string;
  readonly cause?: unknown;
}): string {
  if (reason.message !== undefined) return `${reason.kind} (${reason.message})`;
  return typeof reason.cause === 'string' ? `${reason.kind} (${reason.cause})` : reason.kind;
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function shorten(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown).replace(halfPair, '')}…`;
}
