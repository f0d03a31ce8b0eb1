/** [pure] The shape of a scenario file: what a scripted model answers, and what people do meanwhile (H11). */
import { z } from 'zod';

const text = z.string();
const name = z.string().min(1);
const count = z.int().min(0);
/** Clocks take no longer wait: a longer one would be none at all. */
const milliseconds = count.max(2_147_483_647);

const call = z.strictObject({ tool: name, input: z.record(z.string(), z.json()).default({}) });
const usage = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.optional(),
  reasoningTokens: count.optional(),
});
const failure = z.strictObject({
  status: z.int().min(100).max(599).optional(),
  code: name.optional(),
  message: text.optional(),
  retryable: z.boolean().optional(),
  retryAfterMs: milliseconds.optional(),
});

const entry = z.strictObject({
  /** Taken only where the newest user message contains this text. */
  when: z.strictObject({ contains: name }).optional(),
  text: text.optional(),
  reasoning: text.optional(),
  calls: z.array(call).optional(),
  finish: z.enum(['stop', 'tool-calls', 'max-tokens', 'refused', 'other']).optional(),
  /** The stream stands still before its end, until a prompt `{ release: <name> }`. */
  hold: name.optional(),
  /** The stream breaks before its end. */
  cut: z.boolean().optional(),
  usage: usage.optional(),
  delayMs: milliseconds.optional(),
  error: failure.optional(),
});

const whenProblem =
  'expected idle, settled:<label>, started:<label>, held:<name>, or a number of milliseconds';
const after = z.union(
  [milliseconds, z.string().regex(/^(?:idle|(?:started|settled|held):.+)$/, { error: whenProblem })],
  { error: whenProblem },
);

const actions = ['text', 'interrupt', 'stop', 'drain', 'release', 'kill'] as const;

const prompt = z
  .strictObject({
    /** `root`, or `child:<label>`: a person writes to that child. Default `root`. */
    to: z
      .string()
      .regex(/^(?:root|child:.+)$/, { error: 'expected root or child:<label>' })
      .optional(),
    text: name.optional(),
    /** Ends the present turn of `root` or of the child with that label. */
    interrupt: name.optional(),
    /** Stops the child with that label, and what is below it. */
    stop: name.optional(),
    drain: z.literal('root').optional(),
    /** Lets the streams go on that stand at that hold. */
    release: name.optional(),
    /** The process kills itself. */
    kill: z.literal(true).optional(),
    after: after.optional(),
  })
  .superRefine((value, context) => {
    const given = actions.filter((action) => value[action] !== undefined);
    const problem =
      given.length !== 1
        ? `expected exactly one of ${actions.join(', ')}`
        : value.to !== undefined && value.text === undefined
          ? 'to goes with text only'
          : undefined;
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

export const scenarioSchema = z.strictObject({
  name: name.optional(),
  prompts: z.array(prompt).default([]),
  /** `root`, or the label of a child. A text alone is an entry with that text. */
  agents: z.record(name, z.array(z.preprocess(wholeEntry, entry))),
});

function wholeEntry(value: unknown): unknown {
  return typeof value === 'string' ? { text: value } : value;
}

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioPrompt = Scenario['prompts'][number];
export type ScenarioEntry = Scenario['agents'][string][number];
