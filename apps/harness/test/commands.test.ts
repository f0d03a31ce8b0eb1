import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dsh, scenarioFile, temporaryFolder } from './command-line.ts';
import { jsonLines } from './stable-transcript.ts';

const commands = [
  [],
  ['demo'],
  ['run'],
  ['chat'],
  ['serve'],
  ['completion'],
  ['help'],
  ['sessions'],
  ['config'],
  ['config', 'show'],
  ['config', 'schema'],
  ...['list', 'tree', 'show', 'export', 'verify', 'repair', 'delete', 'delete-tree'].map((name) => [
    'sessions',
    name,
  ]),
];

describe('the command line', () => {
  it.each(commands.map((command) => [command]))('explains itself: %j --help [H10]', async (command) => {
    const { code, out, err } = await dsh([...command, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Usage: ${['dsh', ...command].join(' ')}`);
  });

  const mistakes: readonly [args: readonly string[], line: RegExp][] = [
    [['pear'], /^dsh: unknown command 'pear'\n$/],
    [['runn'], /^dsh: unknown command 'runn' \(Did you mean run\?\)\n$/],
    [['a\u0007\nb'], /^dsh: unknown command 'a␇ b'\n$/],
    [['--\u0007'], /^dsh: unknown option '--␇'\n$/],
    [['run', '--hlep'], /^dsh: unknown option '--hlep' \(Did you mean --help\?\)\n$/],
    [['run', 'a', 'b'], /^dsh: too many arguments for 'run'\. [^\n]*\n$/],
    [['help', 'pear'], /^dsh: there is no command "pear": dsh --help lists them\n$/],
    [['help', 'sessions', 'pear'], /^dsh: there is no command "pear": dsh sessions --help lists them\n$/],
    [['run'], /^dsh: give a task, a scenario, or a Session to go on with\n$/],
    [['run', 'x', '--scenario', 'y'], /^dsh: give a task or a scenario, not both\n$/],
    [
      ['run', '--resume', 'nobody', '--scenario', scenarioFile('pears')],
      /^dsh: nobody was not resumed: .*SESSION_NOT_FOUND\)\n$/,
    ],
    [
      ['run', '--resume', 'a\u0007b', '--scenario', scenarioFile('pears')],
      /^dsh: .*INVALID|^dsh: .*no session id/,
    ],
    [['run', '--scenario', '/no\u0007such'], /^dsh: \/no␇such: the scenario cannot be read \(ENOENT\)\n$/],
    [['sessions', 'show'], /^dsh: missing required argument 'id'\n$/],
  ];
  it.each(mistakes)('answers a mistake with one line and exit code 2: %j [H5]', async (args, line) => {
    using folder = temporaryFolder();
    const store = args.length > 1 && args[0] !== 'help' ? ['--store', folder.path] : [];
    const { code, out, err } = await dsh([...args, ...store]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(line);
    expect(err).not.toContain('\u0007');
  });
});

describe('dsh help', () => {
  it('explains what --help explains, also of a command below another one [H10]', async () => {
    for (const path of [[], ['run'], ['sessions', 'verify']]) {
      const { code, out, err } = await dsh(['help', ...path]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toBe((await dsh([...path, '--help'])).out);
    }
  });
});

describe('a scenario that waits for what never comes', () => {
  const answers = `agents:
  root:
    - Hi.
    - when: { contains: what nobody says }
      calls: [{ tool: subagent, input: { description: plums, prompt: Study plums. } }]
      hold: books
`;
  const wrong: readonly [prompt: string, message: string][] = [
    ['{ after: settled:plums, text: x }', 'the scenario waits for settled:plums, which never comes'],
    ['{ after: held:books, text: x }', 'the scenario waits for held:books, which never comes'],
    ['{ to: child:plums, text: x }', 'the scenario names the child "plums", and there is none'],
    ['{ interrupt: plums }', 'the scenario names the child "plums", and there is none'],
  ];
  it.each(wrong)(
    'ends the run when everybody is at rest, with one line and a summary: %s [H5 H11]',
    async (prompt, message) => {
      using folder = temporaryFolder();
      const scenario = join(folder.path, 'wrong.yaml');
      writeFileSync(scenario, `prompts: [{ text: Hello. }, ${prompt}, { release: books }]\n${answers}`);
      const { code, out, err } = await dsh([
        'run',
        '--scenario',
        scenario,
        '--store',
        join(folder.path, 's'),
        '--json',
      ]);
      expect([code, err]).toEqual([2, `dsh: ${message}\n`]);
      expect(jsonLines(out).at(-1)).toMatchObject({
        type: 'summary',
        outcome: 'usage',
        exitCode: 2,
        answer: 'Hi.',
      });
    },
  );
});

describe('dsh sessions', () => {
  it('says that nothing is stored, and that a store that is asked for is not there [H7]', async () => {
    using folder = temporaryFolder();
    for (const name of ['list', 'tree'])
      expect(await dsh(['sessions', name], { cwd: folder.path })).toMatchObject({
        code: 0,
        out: '',
        err: 'dsh: no Session is stored here\n',
      });
    const store = join(folder.path, 'pears');
    expect(await dsh(['sessions', 'list', '--store', store])).toMatchObject({
      code: 2,
      out: '',
      err: `dsh: there is no store ${store}: no such folder\n`,
    });
  });

  it('lists roots, draws trees, shows, verifies and deletes [H7]', { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    const store = ['--store', folder.path];
    const run = await dsh(['run', '--scenario', scenarioFile('waiting'), ...store, '--json']);
    const { root = '' } = jsonLines(run.out)[0] as unknown as { readonly root?: string };
    const sessions = async (...args: string[]) => {
      const { code, err, out } = await dsh(['sessions', ...args, ...store]);
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    expect(await sessions('list')).toMatch(new RegExp(`^${root}  \\d{4}-.*Z\n$`));
    expect((await sessions('list', '--all')).trim().split('\n')).toHaveLength(3);
    expect(jsonLines(await sessions('list', '--json'))).toMatchObject([{ id: root }]);
    expect((await sessions('tree')).replace(/ {2}[0-9a-f-]{36}/g, '')).toBe(
      'root  \n└─ fruit  ended: completed\n   └─ pears  ended: completed\n',
    );
    expect(await sessions('show', root)).toContain('1 user/message {');
    expect(await sessions('verify', root)).toMatch(/^\d+ events, 0 damaged\n$/);
    expect((await sessions('export', root)).trim().split('\n').length).toBeGreaterThan(5);
    const all = jsonLines(await sessions('list', '--all', '--json')) as unknown as readonly {
      readonly id: string;
    }[];
    const [child = ''] = all.map(({ id }) => id).filter((id) => id !== root);
    const resumed = await dsh(['run', '--resume', child, '--scenario', scenarioFile('waiting'), ...store]);
    expect([resumed.code, resumed.err]).toEqual([
      2,
      `dsh: ${child} is a child: it is woken by its parent. Its root is ${root}\n`,
    ]);
    expect(await sessions('delete', root, '--keep-children')).toBe(`${root} was deleted\n`);
    expect(await sessions('list')).toContain('its parent is gone');

    const second = await dsh(['run', '--scenario', scenarioFile('waiting'), ...store, '--json']);
    const { root: top = '' } = jsonLines(second.out)[0] as unknown as { readonly root?: string };
    expect(await sessions('delete-tree', top)).toBe(`${top} was deleted, with everything below it\n`);
    expect((await sessions('list', '--all', '--json')).trim().split('\n')).toHaveLength(2);
  });
});
