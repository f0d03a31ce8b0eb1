/**
 * The families of numbered rules, the pages that show them, and how many rules each family has.
 * A new rule raises its family's count here and adds its sentence to `docs/rules/rules.json`.
 */
export const families = [
  { letter: 'S', count: 30, page: 'session.md', title: 'Sessions' },
  { letter: 'A', count: 33, page: 'agent.md', title: 'Agents' },
  { letter: 'M', count: 50, page: 'subagents.md', title: 'Continuable children' },
  { letter: 'T', count: 9, page: 'tools-and-app.md', title: 'Tools for models' },
  { letter: 'H', count: 15, page: 'tools-and-app.md', title: 'The sample harness' },
  { letter: 'Q', count: 15, page: 'quality.md', title: 'Quality' },
  { letter: 'O', count: 40, page: 'orders.md', title: 'Orders of events' },
];

export const pages = [
  { file: 'session.md', title: 'Rules of sessions and their stores' },
  { file: 'agent.md', title: 'Rules of agents' },
  { file: 'subagents.md', title: 'Rules of continuable children' },
  { file: 'tools-and-app.md', title: 'Rules of the tools and of the sample harness' },
  { file: 'quality.md', title: 'Rules of quality' },
  { file: 'orders.md', title: 'Orders of events that are easy to get wrong, and what must come of them' },
];

/** Every number there is, in the order of the rules file. */
export function expectedIds() {
  return families.flatMap(({ letter, count }) =>
    Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
  );
}
