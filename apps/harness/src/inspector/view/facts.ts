/**
 * [pure] What a log says of its Session as a place of the tree, folded record by record.
 * I1. Inherited records are not folded: they are another Session's deeds.
 * I2. Facts are of a bounded size, however long the log is.
 */
import type { SessionEvent, SessionRecord } from '@deepseek-ai/dsh-session';
import type {} from '@deepseek-ai/dsh-subagents';
import { firstWords } from './blocks.ts';
import { addTokens, noTokens, type TokensByModel } from './spent.ts';
import { tokensOf } from './transcript-entry.ts';
import { looseOf, textOf } from './untrusted.ts';

export interface Facts {
  readonly turns: number;
  readonly openTurn: boolean;
  readonly damaged: number;
  /** Of the last record. */
  readonly lastTime?: number;
  readonly tokens: TokensByModel;
  /** The first words of a person. */
  readonly words?: string;
  readonly descriptor?: {
    readonly label: string;
    readonly provider: string;
    readonly mode: 'continuable' | 'one-shot';
    readonly model: string;
  };
  /** The route that answered last. */
  readonly model?: string;
  /** Of the last Activation. */
  readonly outcome?: string | undefined;
}

export const noFacts: Facts = { turns: 0, openTurn: false, damaged: 0, tokens: {} };

const longestLabel = 80;
/** A log may name any number of routes; what comes beyond counts together. */
const mostModels = 32;

export function foldRecord(facts: Facts, record: SessionRecord): Facts {
  if (record.kind === 'damaged') return { ...facts, damaged: facts.damaged + 1 };
  const timed = { ...facts, lastTime: record.event.time };
  return record.kind === 'unknown' ? timed : foldEvent(timed, record.event);
}

function foldEvent(facts: Facts, event: SessionEvent): Facts {
  switch (event.type) {
    case 'turn/start':
      // What an earlier Activation came to says nothing of this one.
      return { ...facts, turns: facts.turns + 1, openTurn: true, outcome: undefined };
    case 'turn/end':
      return { ...facts, openTurn: false };
    case 'user/message': {
      if (facts.words !== undefined || looseOf(event.data.source)['kind'] !== 'user') return facts;
      const words = firstWords(event.data.content, longestLabel);
      return words === '' ? facts : { ...facts, words };
    }
    case 'assistant/message': {
      const { model, usage } = event.data;
      const named = typeof model === 'string' ? { ...facts, model } : facts;
      if (usage === undefined) return named;
      const key = keyFor(facts.tokens, textOf(model));
      const before = Object.hasOwn(facts.tokens, key) ? facts.tokens[key] : undefined;
      return {
        ...named,
        tokens: { ...facts.tokens, [key]: addTokens(before ?? noTokens, tokensOf(usage)) },
      };
    }
    case 'subagent/ended':
      return { ...facts, outcome: textOf(looseOf(event.data)['outcome']) };
    case 'subagent/descriptor':
      return { ...facts, ...descriptorOf(event.data) };
    default:
      return facts;
  }
}

/** Only its type was checked when it was read. */
function descriptorOf(data: unknown): Pick<Facts, 'descriptor'> {
  const { label, provider, mode, model } = looseOf(looseOf(data)['value']);
  if (mode !== 'continuable' && mode !== 'one-shot') return {};
  return { descriptor: { label: textOf(label), provider: textOf(provider), mode, model: textOf(model) } };
}

function keyFor(tokens: TokensByModel, model: string): string {
  return Object.hasOwn(tokens, model) || Object.keys(tokens).length < mostModels ? model : '';
}
