import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dsh, scenarioFile, spawnDsh, temporaryFolder } from './command-line.ts';
import { jsonLines, stableTranscript } from './stable-transcript.ts';

const recorded = (name: string): string => join(import.meta.dirname, 'transcripts', `${name}.txt`);

describe('dsh run --json', () => {
  const scenarios: readonly [name: string, code: number, what: string][] = [
    ['pears', 0, 'tells of delegation, of messages in both directions and of each ending [H5 H11 Q7]'],
    ['fork', 0, 'tells of a fork [H5 H11 Q7]'],
    ['interrupt', 0, 'tells of an interrupt, and of the child that goes on after it [H5 H11 Q7]'],
    ['waiting', 0, 'tells of a parent that waits for its child and settles after it [H5 H11 Q7]'],
    ['steer', 0, 'tells of a message that comes into the turn of a child at work [H5 H11 Q7]'],
    ['drain', 0, 'tells of a tree that is drained child-first in the middle of its work [H5 H11 Q7]'],
    ['endings', 0, 'tells a parent once of each way in which a child ends [H5 H11 Q7]'],
    ['parked', 4, 'ends with parked children, and has an exit code for them [H5 H11 Q7]'],
  ];
  it.each(scenarios)('%s (exit code %i): %s', { timeout: 60_000 }, async (name, code) => {
    using folder = temporaryFolder();
    const ended = await dsh(['run', '--scenario', scenarioFile(name), '--store', folder.path, '--json']);
    expect(ended.err).toBe('');
    expect(ended.code).toBe(code);
    await expect(stableTranscript(ended.out)).toMatchFileSnapshot(recorded(name));
  });

  it(
    'tells of a child that a second process wakes from its log [H5 H11 Q7]',
    { timeout: 60_000 },
    async () => {
      using folder = temporaryFolder();
      const first = await spawnDsh([
        'run',
        '--scenario',
        scenarioFile('interrupt'),
        '--store',
        folder.path,
        '--json',
      ]).ended;
      const { root } = jsonLines(first.out).at(-1) as unknown as { readonly root: string };
      const second = await spawnDsh([
        ...['run', '--scenario', scenarioFile('cold-resume'), '--store', folder.path],
        ...['--json', '--resume', root],
      ]).ended;
      expect([first.code, second.code, second.err]).toEqual([0, 0, '']);
      await expect(stableTranscript(second.out)).toMatchFileSnapshot(recorded('cold-resume'));
    },
  );

  it(
    'ends with one summary line, and every line is an object with type and time [H5]',
    { timeout: 60_000 },
    async () => {
      using folder = temporaryFolder();
      const { out } = await dsh([
        'run',
        '--scenario',
        scenarioFile('parked'),
        '--store',
        folder.path,
        '--json',
      ]);
      const lines = jsonLines(out);
      expect(lines.filter(({ type }) => type === 'summary')).toEqual([lines.at(-1)]);
      for (const line of lines) expect([typeof line.type, typeof line['time']]).toEqual(['string', 'number']);
      expect(lines.at(-1)).toMatchObject({
        outcome: 'parked',
        exitCode: 4,
        parked: ['pears'],
        activations: 1,
      });
    },
  );
});
