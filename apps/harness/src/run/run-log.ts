/** Keeps of a run what its summary says. */
import type { TurnEndReason, Usage } from '@deepseek-ai/dsh-session';
import type { RunEvent } from './run-event.ts';

export interface RunLog {
  tell(event: RunEvent): void;
  readonly turns: number;
  readonly activations: number;
  /** Of the root: its last turn's end, and its last text. */
  readonly lastTurnEnd: TurnEndReason | undefined;
  readonly answer: string | undefined;
  /** Labels of the children that are parked. */
  readonly parked: readonly string[];
}

export function createRunLog(root: () => string | undefined): RunLog {
  let turns = 0;
  let activations = 0;
  let lastTurnEnd: TurnEndReason | undefined;
  let answer: string | undefined;
  const parked = new Map<string, string>();
  return {
    get turns() {
      return turns;
    },
    get activations() {
      return activations;
    },
    get lastTurnEnd() {
      return lastTurnEnd;
    },
    get answer() {
      return answer;
    },
    get parked() {
      return [...parked.values()];
    },
    tell(event) {
      switch (event.type) {
        case 'agent/turn/end':
          turns += 1;
          if (event.agent === root()) lastTurnEnd = event.reason;
          break;
        case 'agent/answer':
          if (event.agent === root()) answer = textOf(event.content) ?? answer;
          break;
        case 'subagent/start':
          activations += 1;
          break;
        case 'subagent/parked':
          parked.set(event.child, event.label);
          break;
        case 'subagent/end':
          parked.delete(event.child);
          break;
        case 'agent/inbox/dequeue':
          // A mark that has fallen.
          parked.delete(event.agent);
          break;
        default:
          break;
      }
    },
  };
}

function textOf(content: Extract<RunEvent, { type: 'agent/answer' }>['content']): string | undefined {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return text === '' ? undefined : text;
}

/** The tokens of all agents together. */
export function totalUsage(usages: readonly { readonly usage: Usage }[]): Usage {
  let inputTokens = 0;
  let outputTokens = 0;
  let cachedInputTokens = 0;
  for (const { usage } of usages) {
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
    cachedInputTokens += usage.cachedInputTokens ?? 0;
  }
  return { inputTokens, outputTokens, ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }) };
}
