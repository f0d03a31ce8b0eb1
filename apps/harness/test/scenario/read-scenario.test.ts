import { describe, expect, it } from 'vitest';
import { parseScenario, readScenario } from '../../src/scenario/read-scenario.ts';
import { UsageError } from '../../src/run/usage-error.ts';
import { dsh, scenarioFile, temporaryFolder } from '../command-line.ts';

const problemOf = (text: string): string => {
  try {
    parseScenario(text, 'x.yaml');
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
};

describe('a scenario file', () => {
  it('is YAML, or JSON [H11]', () => {
    const json = '{ "agents": { "root": ["Hello.", { "text": "Again.", "delayMs": 5 }] } }';
    const yaml = 'agents:\n  root:\n    - Hello.\n    - { text: Again., delayMs: 5 }\n';
    expect(parseScenario(json, 'x.json')).toEqual(parseScenario(yaml, 'x.yaml'));
    expect(parseScenario(json, 'x.json')).toEqual({
      prompts: [],
      agents: { root: [{ text: 'Hello.' }, { text: 'Again.', delayMs: 5 }] },
    });
  });

  it.each(['pears', 'fork', 'interrupt', 'waiting', 'parked', 'cold-resume', 'killed', 'held'])(
    'of the samples can be read: %s [H11]',
    async (name) => {
      expect(
        (await readScenario(scenarioFile(name), { resumed: name === 'cold-resume' })).agents,
      ).toHaveProperty('root');
    },
  );

  it('takes every key of an entry and of a prompt [H11]', () => {
    const text = `
prompts:
  - { to: root, text: a }
  - { to: 'child:the pears', text: a, after: idle }
  - { interrupt: pears, after: 'held:x' }
  - { stop: pears, after: 'settled:pears' }
  - { drain: root, after: 'started:pears' }
  - { release: x, after: 50 }
  - { kill: true }
agents:
  root:
    - when: { contains: x }
      text: t
      reasoning: r
      calls:
        - { tool: t, input: { a: [1, null, { b: true }] } }
        - { tool: u }
        - { tool: subagent, input: { description: pears } }
        - { tool: subagent, input: { description: the pears } }
      finish: max-tokens
      hold: x
      cut: true
      usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1 }
      delayMs: 1
    - error: { status: 429, code: c, message: m, retryable: true, retryAfterMs: 1 }
`;
    expect(problemOf(text)).toBe('none');
  });

  const mistakes: readonly [what: string, text: string, message: string | RegExp][] = [
    ['a key that nobody knows', 'agents: {}\nagent: {}', 'x.yaml:2:8: Unrecognized key: "agent"'],
    ['an alias of nobody', 'agents: *x', /^x\.yaml:1:9: Unresolved alias .*: x$/],
    [
      'more aliases than a person writes',
      `a: &a [${'x, '.repeat(20)}]\nb: &b [${'*a, '.repeat(20)}]\nc: [${'*b, '.repeat(20)}]`,
      /^x\.yaml:1:1: Excessive alias count/,
    ],
    ['a tag of nobody', 'agents: { root: [!!pear x] }', /^x\.yaml:1:18: Unresolved tag/],
    [
      'a delay that no clock can keep',
      'agents: { root: [{ delayMs: 2147483648 }] }',
      /^x\.yaml:1:29: agents\.root\[0\]\.delayMs: Too big/,
    ],
    [
      'a wait that no clock can keep',
      'prompts: [{ text: x, after: 2147483648 }]\nagents: { root: [hi] }',
      /^x\.yaml:1:29: prompts\[0\]\.after: Too big/,
    ],
    ['no agents', 'prompts: []', 'x.yaml:1:1: agents: it is missing: expected record'],
    ['nothing', '', 'x.yaml:1:1: agents: it is missing: expected record'],
    [
      'a wrong value deep inside',
      'agents:\n  root:\n    - hi\n    - { finish: never }',
      'x.yaml:4:17: agents.root[1].finish: Invalid option: expected one of "stop"|"tool-calls"|"max-tokens"|"refused"|"other"',
    ],
    [
      'an entry that is none',
      'agents: { root: [5] }',
      'x.yaml:1:18: agents.root[0]: Invalid input: expected object, received number',
    ],
    [
      'a prompt that does two things',
      'agents: {}\nprompts:\n  - { text: a, kill: true }',
      'x.yaml:3:5: prompts[0]: expected exactly one of text, interrupt, stop, drain, release, kill',
    ],
    [
      'a prompt that does nothing',
      'agents: {}\nprompts: [{ after: idle }]',
      'x.yaml:2:11: prompts[0]: expected exactly one of text, interrupt, stop, drain, release, kill',
    ],
    [
      'a prompt to nobody',
      'agents: {}\nprompts: [{ to: pears, text: a }]',
      'x.yaml:2:17: prompts[0].to: expected root or child:<label>',
    ],
    [
      'a time that never comes',
      'agents: {}\nprompts: [{ text: a, after: soon }]',
      'x.yaml:2:29: prompts[0].after: expected idle, settled:<label>, started:<label>, held:<name>, or a number of milliseconds',
    ],
    [
      'a receiver of what is no text',
      'agents: {}\nprompts: [{ to: root, kill: true }]',
      'x.yaml:2:11: prompts[0]: to goes with text only',
    ],
    [
      'broken YAML',
      'agents: {\n  root: [',
      'x.yaml:2:10: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['a key twice', 'agents: {}\nagents: {}', 'x.yaml:2:1: Map keys must be unique'],
    [
      'two documents',
      'agents: {}\n---\nagents: {}\n',
      'x.yaml:2:1: a second document begins here, and the file may hold only one',
    ],
  ];
  it.each(mistakes)('with a mistake is one message with its place: %s [H11]', (_what, text, message) => {
    const problem = problemOf(text);
    expect(problem.split('\n')).toHaveLength(1);
    if (typeof message === 'string') expect(problem).toBe(message);
    else expect(problem).toMatch(message);
  });

  it('with a mistake ends the command with one line, before anything is stored [H11]', async () => {
    using folder = temporaryFolder();
    const missing = await dsh(['run', '--scenario', '/no/such.yaml', '--store', folder.path]);
    expect(missing).toMatchObject({
      code: 2,
      out: '',
      err: 'dsh: /no/such.yaml: the scenario cannot be read (ENOENT)\n',
    });
  });
});
