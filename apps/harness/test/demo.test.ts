import { expect, it } from 'vitest';
import { spawnDsh, temporaryFolder } from './command-line.ts';

/** In this order, whatever else is told between them. */
function expectInOrder(text: string, wanted: readonly (string | RegExp)[]): void {
  let rest = text;
  for (const one of wanted) {
    const at = typeof one === 'string' ? rest.indexOf(one) : rest.search(one);
    expect(at, `${String(one)} after what comes before it, in:\n${text}`).toBeGreaterThanOrEqual(0);
    rest = rest.slice(at + 1);
  }
}

it(
  'delegates to a fresh and to a forked child, which report; interrupts one, which goes on; wakes one from disk in a second process [H4]',
  { timeout: 120_000 },
  async () => {
    using folder = temporaryFolder();
    const { code, out, err } = await spawnDsh(['demo', '--store', folder.path]).ended;
    expect([code, err]).toEqual([0, '']);
    expectInOrder(out, [
      'First process',
      'root → subagent {',
      'root → subagent_fork {',
      '├─ pears → send_message',
      'root ← message: Pears are ripe in September.',
      '├─ pears turn ended: aborted (user)',
      '├─ pears is parked, with messages that wait',
      '├─ pears ← person: Leave the books.',
      '├─ pears Two weeks in a cool cellar.',
      '├─ pears Conference makes the best jam.',
      '├─ pears ■ ended: completed',
      'Everybody is at rest:',
      'Second process',
      'root → send_message',
      '├─ pears ▶ is back from its log',
      '├─ pears ← message: How much sugar does Conference need?',
      'root ← message: 300 g of sugar per kilogram.',
      'root The helper says 300 g of sugar per kilogram.',
      '├─ pears ■ ended: completed',
      `The Sessions lie in ${folder.path}`,
    ]);
    expectInOrder(out, [
      '▶ started by fork',
      'root ← message: Plums are ripe in August.',
      '├─ plums ■ ended: completed',
    ]);
    // Two processes, and no colours where no terminal is.
    expect(out).not.toContain('\u001b');
    expect(out.match(/"plums" ended: completed/g)).toHaveLength(1);
  },
);
