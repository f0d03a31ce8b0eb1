import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { temporaryFolder } from '../command-line.ts';

async function read(text: string, modules: Readonly<Record<string, string>> = {}) {
  using folder = temporaryFolder();
  for (const [name, source] of Object.entries(modules)) writeFileSync(join(folder.path, name), source);
  writeFileSync(join(folder.path, 'dsh.config.yaml'), text);
  return await readConfig(undefined, folder.path);
}

const good = `export const plugin = { name: 'good', apply() {}, Config: { '~standard': { version: 1, vendor: 'x',
  validate: (value) => typeof value.size === 'number' ? { value }
    : { issues: [{ message: 'expected a number', path: ['size'] }] } } } };`;

const modules = {
  'good.mjs': good,
  'list.mjs': `export const plugin = { name: 'list', inject: 'tools', apply() {} };`,
  'empty.mjs': 'export const x = 1;',
  'shapeless.mjs': `export const plugin = { name: 'shapeless', apply() {}, Config: 3 };`,
  'sour.mjs': `export const plugin = { name: 'sour', apply() {}, Config: { '~standard': { version: 1, vendor: 'x',
    validate() { throw new Error('sour'); } } } };`,
};

describe('dsh.config.yaml', () => {
  it('is not needed [H2]', async () => {
    using folder = temporaryFolder();
    expect(await readConfig(undefined, folder.path)).toEqual({ plugins: {}, more: [], files: [] });
  });

  it('lists plugins with their options, of this program and of others [H2]', async () => {
    const { plugins, more } = await read(
      `plugins:
  - plugin: agents
    options: { model: deepseek/chat }
  - { plugin: subagents, options: { maxDepth: 1 } }
  - { plugin: subagent-tools, enabled: false }
  - { plugin: ./good.mjs, options: { size: 3 } }
`,
      { 'good.mjs': good },
    );
    expect(plugins).toEqual({
      agents: { model: 'deepseek/chat' },
      subagents: { maxDepth: 1 },
      'subagent-tools': false,
    });
    expect(more).toMatchObject([{ from: './good.mjs', plugin: { name: 'good' }, options: { size: 3 } }]);
  });

  const mistakes: readonly [text: string, message: string | RegExp][] = [
    ['plugins: [', /^dsh\.config\.yaml:1:11: Flow sequence/],
    ['plugin: []', 'dsh.config.yaml:1:9: Unrecognized key: "plugin"'],
    ['plugins: *pear', /^dsh\.config\.yaml:1:10: Unresolved alias .*: pear$/],
    ['plugins: !!pear []', /^dsh\.config\.yaml:1:10: Unresolved tag/],
    [
      'plugins: [{ plugin: ./list.mjs }]',
      /^dsh\.config\.yaml:1:21: .* exports no plugin: .* lists of names as inject and provide or none$/,
    ],
    ['plugins: pear', /^dsh\.config\.yaml:1:10: plugins: Invalid input: expected array/],
    ['plugins:\n  - name: agents', /^dsh\.config\.yaml:2:5: plugins\[0\]\.plugin: it is missing/],
    [
      'plugins:\n  - plugin: agents\n    options: { modle: x }',
      'dsh.config.yaml:3:23: plugins[0].options: Unrecognized key: "modle"',
    ],
    [
      'plugins:\n  - plugin: subagents\n    options: { maxDepth: -1 }',
      /^dsh\.config\.yaml:3:26: plugins\[0\]\.options\.maxDepth: Too small/,
    ],
    [
      'plugins:\n  - { plugin: agents, enabled: false }',
      /^dsh\.config\.yaml:2:32: .*Unrecognized key: "enabled"$/,
    ],
    [
      'plugins: [{ plugin: tools-x }]',
      /^dsh\.config\.yaml:1:21: plugins\[0\]\.plugin: the plugin "tools-x" cannot be loaded: .*Plugins of this program: sessions, /,
    ],
    ['plugins: [{ plugin: ./no.mjs }]', /^dsh\.config\.yaml:1:21: .*"\.\/no\.mjs" cannot be loaded/],
    ['plugins: [{ plugin: ./empty.mjs }]', /^dsh\.config\.yaml:1:21: .*"\.\/empty\.mjs" exports no plugin/],
    [
      'plugins: [{ plugin: agents, options: { model: mine/pear } }]',
      /^dsh\.config\.yaml:1:47: plugins\[0\]\.options\.model: "mine\/pear" is no model: write provider\/model/,
    ],
    [
      'plugins: [{ plugin: ./good.mjs, options: { size: 3 } }, { plugin: agents, options: { model: pear } }]',
      /^dsh\.config\.yaml:1:93: plugins\[1\]\.options\.model: "pear" is no model: write provider\/model/,
    ],
    [
      'plugins: [{ plugin: agents, options: { model: pear } }]',
      /^dsh\.config\.yaml:1:47: plugins\[0\]\.options\.model: "pear" is no model: write provider\/model/,
    ],
    [
      'plugins: [{ plugin: models, options: { baseUrl: "ftp://host" } }]',
      /^dsh\.config\.yaml:1:49: plugins\[0\]\.options\.baseUrl: baseUrl "ftp:\/\/host" is no URL of a server/,
    ],
    [
      'plugins: [{ plugin: models, options: { baseUrl: "http://me:s3cret@host" } }]',
      'dsh.config.yaml:1:49: plugins[0].options.baseUrl: baseUrl holds a name or a password: leave them out, keys come from the environment',
    ],
    [
      'plugins: [{ plugin: workspace-tools, options: { commandMs: 2147483648 } }]',
      /^dsh\.config\.yaml:1:60: plugins\[0\]\.options\.commandMs: Too big/,
    ],
    [
      'plugins: [{ plugin: workspace-tools, options: { root: ./none } }]',
      'dsh.config.yaml:1:55: plugins[0].options.root: the folder ./none cannot be used (ENOENT)',
    ],
    [
      'plugins: [{ plugin: workspace-tools, options: { root: good.mjs } }]',
      'dsh.config.yaml:1:55: plugins[0].options.root: good.mjs is no folder',
    ],
    ['plugins: [{ plugin: ./shapeless.mjs }]', /^dsh\.config\.yaml:1:21: .* exports no plugin: .*Config/],
    [
      'plugins: [{ plugin: ./sour.mjs }]',
      'dsh.config.yaml:1:21: plugins[0].plugin: the plugin "./sour.mjs" could not check its options: sour',
    ],
    [
      'plugins:\n  - plugin: ./good.mjs\n    options:\n      size: big',
      'dsh.config.yaml:4:13: plugins[0].options.size: expected a number',
    ],
    [
      'plugins: [{ plugin: agents }, { plugin: agents }]',
      'dsh.config.yaml:1:41: plugins[1].plugin: agents is listed twice',
    ],
  ];
  it.each(mistakes)('says a mistake in one line with its place: %j [H2]', async (text, message) => {
    const error: unknown = await read(text, modules).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'UsageError' });
    const said = (error as Error).message;
    expect(said).not.toContain('\n');
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });
});
