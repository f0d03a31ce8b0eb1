/**
 * [pure] What each part of a scenario says of the others (H11): who is named must be somebody, and what is waited
 * for must be able to come.
 * I1. Children come from calls with a `description`. Those of an earlier run are known to the store alone: with
 *     `resumed`, any label may be one of theirs.
 */
import type { Mistake, Path } from '../config/checked-yaml.ts';
import { referencesIn } from './substitute.ts';
import type { Scenario, ScenarioEntry, ScenarioPrompt } from './schema.ts';

export interface CrossCheck {
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
}

export function crossCheck(scenario: Scenario, resumed: boolean): CrossCheck {
  const cast: Cast = {
    children: childrenOf(scenario),
    holds: new Map(holdsOf(scenario).map(({ name, path }) => [name, path])),
    resumed,
  };
  const mistakes = [
    ...scenario.prompts.flatMap((prompt, at) => promptMistakes(prompt, ['prompts', at], cast)),
    ...Object.entries(scenario.agents).flatMap(([label, entries]) => agentMistakes(label, entries, cast)),
  ];
  return { mistakes, warnings: heldForEver(scenario) };
}

interface Cast {
  /** The labels that a call of this file can start. */
  readonly children: ReadonlySet<string>;
  readonly holds: ReadonlyMap<string, Path>;
  readonly resumed: boolean;
}

/** Whom the root can start, and those in turn. */
function childrenOf({ agents }: Scenario): ReadonlySet<string> {
  const children = new Set<string>();
  const look = (label: string): void => {
    for (const { calls = [] } of agents[label] ?? []) {
      for (const { description } of calls.map(({ input }) => input)) {
        if (typeof description !== 'string' || children.has(description)) continue;
        children.add(description);
        look(description);
      }
    }
  };
  look('root');
  return children;
}

const entriesOf = (
  agents: Scenario['agents'],
): readonly { readonly label: string; readonly entry: ScenarioEntry; readonly path: Path }[] =>
  Object.entries(agents).flatMap(([label, entries]) =>
    entries.map((entry, at) => ({ label, entry, path: ['agents', label, at] })),
  );

function holdsOf({ agents }: Scenario) {
  return entriesOf(agents).flatMap(({ label, entry, path }) =>
    entry.hold === undefined ? [] : [{ label, name: entry.hold, path: [...path, 'hold'] }],
  );
}

function promptMistakes(prompt: ScenarioPrompt, path: Path, cast: Cast): readonly Mistake[] {
  const { to, interrupt, stop, release, after } = prompt;
  const event = typeof after === 'string' ? /^(started|settled|held):(.*)$/s.exec(after) : null;
  const [, kind, name = ''] = event ?? [];
  return [
    ...(to?.startsWith('child:') === true ? nobody(to.slice('child:'.length), [...path, 'to'], cast) : []),
    ...(interrupt === undefined || interrupt === 'root'
      ? []
      : nobody(interrupt, [...path, 'interrupt'], cast)),
    ...(stop === undefined ? [] : nobody(stop, [...path, 'stop'], cast)),
    ...(release === undefined ? [] : noHold(release, [...path, 'release'], cast)),
    ...(kind === 'held' ? noHold(name, [...path, 'after'], cast) : []),
    ...(kind === 'started' || kind === 'settled' ? nobody(name, [...path, 'after'], cast) : []),
  ];
}

function agentMistakes(label: string, entries: readonly ScenarioEntry[], cast: Cast): readonly Mistake[] {
  const path = ['agents', label];
  const unused =
    label === 'root' || cast.resumed || cast.children.has(label)
      ? []
      : [{ path, message: `no call starts a child with the description ${JSON.stringify(label)}` }];
  const references = entries.flatMap(({ text, calls = [] }, at) => [
    ...referencesIn(text, [...path, at, 'text']),
    ...calls.flatMap(({ input }, call) => referencesIn(input, [...path, at, 'calls', call, 'input'])),
  ]);
  const wrong = references.flatMap(({ kind, child, path: place }): readonly Mistake[] => {
    if (child !== undefined) return nobody(child, place, cast);
    return kind === 'parent' && label === 'root' ? [{ path: place, message: 'the root has no $parent' }] : [];
  });
  return [...unused, ...wrong];
}

function nobody(label: string, path: Path, { children, resumed }: Cast): readonly Mistake[] {
  if (children.has(label) || (resumed && label !== 'root')) return [];
  const message =
    label === 'root'
      ? 'the root is no child: only children can be named here'
      : `there is no child ${JSON.stringify(label)}: no call has this description`;
  return [{ path, message }];
}

function noHold(name: string, path: Path, { holds }: Cast): readonly Mistake[] {
  return holds.has(name) ? [] : [{ path, message: `no answer has the hold ${JSON.stringify(name)}` }];
}

/** A stream that only a person ends, with Ctrl-C. */
function heldForEver(scenario: Scenario): readonly Mistake[] {
  const { prompts } = scenario;
  if (prompts.some(({ drain, kill, stop }) => drain ?? kill ?? stop)) return [];
  return holdsOf(scenario)
    .filter(
      ({ name, label }) => !prompts.some(({ release, interrupt }) => release === name || interrupt === label),
    )
    .map(({ name, path }) => ({
      path,
      message: `nothing releases the hold ${JSON.stringify(name)}: the run stands there until it is ended`,
    }));
}
