/** A change of a source can take the place of a planted bug away, which nobody sees before they are all planted again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

describe.each(['dsh-agent', 'dsh-subagents'])('the planted bugs of %s', async (name) => {
  const folder = join(root, 'packages', name, 'test/schedules');
  const { mutants } = await import(join(folder, 'mutants.ts'));
  const seeds = JSON.parse(readFileSync(join(folder, 'mutant-seeds.json'), 'utf8'));

  it.each(mutants.map(({ name: bug, ...mutant }) => [bug, mutant]))('%s: has one place [Q4]', (_, mutant) => {
    const source = readFileSync(join(root, mutant.file), 'utf8');
    expect(source.split(mutant.search)).toHaveLength(2);
  });

  it('have each a seed that finds them [Q4]', () => {
    expect(mutants.filter(({ name: bug }) => seeds[bug] === undefined)).toEqual([]);
  });
});
