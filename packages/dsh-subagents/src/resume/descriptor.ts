/**
 * [pure] What a child is reconstructed from, and what its log says of its epochs (M10, M33).
 */
import type { ToolFilter } from '@deepseek-ai/dsh-agent';
import { defineDescriptor, type Usage } from '@deepseek-ai/dsh-session';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';

/** The whole input of a reconstruction: nothing else is asked, neither the parent nor a provider. */
export interface ChildDescriptor {
  /** Only a continuable child can be resumed. */
  readonly mode: 'continuable' | 'one-shot';
  /** Which provider made the child. Provenance only. */
  readonly provider: string;
  /** A short name for people. */
  readonly label: string;
  /** The effective route of the program's models. */
  readonly model: string;
  /** How much the model is to think, in its provider's words. */
  readonly effort?: string;
  /** What was added to the system prompt. */
  readonly persona?: string;
  /** What is in force for the child: its parent's and the requested one, both. */
  readonly toolFilter?: ToolFilter;
  /** Of a fork: which of its parent's own tools it took over. A resume takes no others (M11, M38). */
  readonly adopted?: readonly string[];
  /** Whether what it has accepted is in its log before it is claimed (A31). */
  readonly inbox: 'process' | 'durable';
  /** `inherited`: the system prompt of the last request in the inherited prefix. `default`: today's, and the persona. */
  readonly system: 'inherited' | 'default';
  /** The deepest level that the child may delegate to, counted from the top. */
  readonly maxDepth: number;
}

/** How one epoch of a child ended, in its own log. */
export interface EpochEnded {
  /** The Activation that ended. */
  readonly runId: string;
  /** How it ended (M33). */
  readonly outcome: Outcome;
  /** The last non-empty assistant text of the epoch. */
  readonly output?: string;
  /** Tokens of the epoch, where its model said. */
  readonly usage?: Usage;
  /** Milliseconds. */
  readonly duration?: number;
}

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    /** The first own event of a child: what it is reconstructed from. */
    readonly 'subagent/descriptor': { readonly version: number; readonly value: ChildDescriptor };
    /** The end of each of its epochs. */
    readonly 'subagent/ended': EpochEnded;
    /** An Activation runs with another model than its descriptor says, by the deployer's will (M21). */
    readonly 'subagent/model-overridden': { readonly stored: string; readonly used: string };
  }
}

/** The event types that a store has to know for a program that uses this package. */
export const subagentVocabulary: readonly string[] = [
  'subagent/descriptor',
  'subagent/ended',
  'subagent/model-overridden',
  'subagent/tally',
];

const names = z.array(z.string());

const schema = z.strictObject({
  mode: z.enum(['continuable', 'one-shot']),
  provider: z.string().min(1),
  label: z.string(),
  model: z.string().min(1),
  effort: z.string().exactOptional(),
  persona: z.string().exactOptional(),
  toolFilter: z.strictObject({ allow: names.exactOptional(), deny: names.exactOptional() }).exactOptional(),
  adopted: names.exactOptional(),
  inbox: z.enum(['process', 'durable']),
  system: z.enum(['inherited', 'default']),
  maxDepth: z.int().min(0),
});

/** Unknown members are malformed: a descriptor of a newer program is a newer version. */
export const childDescriptor = defineDescriptor<ChildDescriptor>({
  type: 'subagent/descriptor',
  version: 1,
  schema,
});
