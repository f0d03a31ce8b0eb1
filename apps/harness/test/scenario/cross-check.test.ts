import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../src/scenario/read-scenario.ts';
import { dsh, temporaryFolder } from '../command-line.ts';

const agents = `agents:
  root:
    - calls: [{ tool: subagent, input: { description: pears, prompt: Study pears. } }]
    - { text: Waiting., hold: basket }
  pears:
    - calls: [{ tool: subagent, input: { description: plums, prompt: Study plums. } }]
  plums: [Done.]
`;
const withPrompt = (prompt: string): string => `${agents}prompts:\n  - ${prompt}\n  - { release: basket }\n`;

function problemOf(text: string, resumed = false): string {
  try {
    parseScenario(text, 'x.yaml', { resumed });
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a scenario names only what it has', () => {
  const good = [
    '{ to: child:plums, text: a }',
    '{ interrupt: root }',
    '{ interrupt: pears }',
    '{ stop: plums }',
    '{ text: a, after: settled:plums }',
    '{ text: a, after: started:pears }',
    '{ text: a, after: held:basket }',
  ];
  it.each(good)('which children can be: %s [H11]', (prompt) => {
    expect(problemOf(withPrompt(prompt))).toBe('none');
  });

  const missing = (name: string): string => `there is no child "${name}": no call has this description`;
  const wrongChildren: readonly [prompt: string, column: number, message: string][] = [
    ['{ to: child:pear, text: a }', 11, `to: ${missing('pear')}`],
    ['{ interrupt: nobody }', 18, `interrupt: ${missing('nobody')}`],
    ['{ text: a, after: settled:nobody }', 23, `after: ${missing('nobody')}`],
    ['{ text: a, after: started:nobody }', 23, `after: ${missing('nobody')}`],
    ['{ stop: nobody }', 13, `stop: ${missing('nobody')}`],
    ['{ stop: root }', 13, 'stop: the root is no child: only children can be named here'],
  ];
  it.each(wrongChildren)(
    'and another label is a mistake with its place: %s [H11]',
    (prompt, column, message) => {
      expect(problemOf(withPrompt(prompt))).toBe(`x.yaml:9:${column}: prompts[0].${message}`);
      const stored = prompt === '{ stop: root }' ? problemOf(withPrompt(prompt)) : 'none';
      expect(problemOf(withPrompt(prompt), true)).toBe(stored);
    },
  );

  it.each([
    ['{ release: nothing }', 16, 'release'],
    ['{ text: a, after: held:nothing }', 23, 'after'],
  ])('and so is a hold that nobody comes to, also when it goes on: %s [H11]', (prompt, column, key) => {
    const message = `x.yaml:9:${column}: prompts[0].${key}: no answer has the hold "nothing"`;
    expect(problemOf(withPrompt(prompt))).toBe(message);
    expect(problemOf(withPrompt(prompt), true)).toBe(message);
  });

  it('and so is a child in an answer [H11]', () => {
    const input = 'agents: { root: [{ calls: [{ tool: t, input: { a: [$child:nope] } }] }] }';
    const message = `x.yaml:1:52: agents.root[0].calls[0].input.a[0]: ${missing('nope')}`;
    expect(problemOf(input)).toBe(message);
    expect(problemOf(input, true)).toBe('none');
    expect(problemOf('agents: { root: ["ask $child:nope, please"] }')).toBe(
      `x.yaml:1:18: agents.root[0].text: ${missing('nope')}`,
    );
  });

  it('and the root has no parent, nor has it one when it goes on [H11]', () => {
    const text = 'agents: { root: [{ text: $parent }] }';
    expect(problemOf(text)).toBe('x.yaml:1:26: agents.root[0].text: the root has no $parent');
    expect(problemOf(text, true)).toBe(problemOf(text));
  });

  it('and the answers of somebody whom nobody starts are a mistake [H11]', () => {
    const text = 'agents:\n  root: [Hi.]\n  pears: [Done.]\n';
    expect(problemOf(text)).toBe(
      'x.yaml:3:10: agents.pears: no call starts a child with the description "pears"',
    );
    expect(problemOf(text, true)).toBe('none');
  });
});

describe('a scenario that stands still', () => {
  const warningsOf = (text: string): readonly string[] => {
    const lines: string[] = [];
    parseScenario(text, 'x.yaml', { warn: (line) => lines.push(line) });
    return lines;
  };

  it('is warned of where nothing ends a hold [H11]', () => {
    const held = 'agents: { root: [{ text: a, hold: basket }] }';
    expect(warningsOf(held)).toEqual([
      'x.yaml:1:35: agents.root[0].hold: nothing releases the hold "basket": the run stands there until it is ended',
    ]);
    for (const end of ['release: basket', 'interrupt: root', 'drain: root', 'kill: true'])
      expect(warningsOf(`prompts: [{ ${end} }]\n${held}`)).toEqual([]);
  });
});

describe('dsh run with a mistake in a scenario', () => {
  it('ends with one line and exit code 2, before anything is stored [H11]', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'x.yaml');
    writeFileSync(file, withPrompt('{ to: child:pear, text: a }'));
    const store = join(folder.path, 'store');
    expect(await dsh(['run', '--scenario', file, '--store', store])).toMatchObject({
      code: 2,
      out: '',
      err: `dsh: ${file}:9:11: prompts[0].to: there is no child "pear": no call has this description\n`,
    });
    expect(readdirSync(folder.path)).toEqual(['x.yaml']);
  });

  it('leaves a child of an earlier run to the store [H11]', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'x.yaml');
    writeFileSync(file, withPrompt('{ to: child:pear, text: a }'));
    const { code, err } = await dsh([
      'run',
      '--scenario',
      file,
      '--resume',
      'nobody',
      '--store',
      folder.path,
    ]);
    expect([code, err]).toEqual([2, expect.stringContaining('nobody was not resumed')]);
  });
});
