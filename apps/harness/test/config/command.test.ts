import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fromJsonSchema } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../src/config/schema.ts';
import { dsh, temporaryFolder } from '../command-line.ts';

const harness = join(import.meta.dirname, '..', '..');

function configFile(folder: string, text: string): string {
  const path = join(folder, 'x.yaml');
  writeFileSync(path, text);
  return path;
}

describe('dsh config show', () => {
  it('prints what counts: the command line before the file, the file before the defaults [H2]', async () => {
    using folder = temporaryFolder();
    const config = configFile(
      folder.path,
      'plugins:\n  - { plugin: agents, options: { model: deepseek/file } }\n  - { plugin: sessions, options: { root: kept } }\n',
    );
    const show = async (...args: string[]) =>
      (await dsh(['config', 'show', '--config', config, ...args])).out;
    const plain = await show();
    expect(plain.split('\n')[0]).toBe(`# ${config}`);
    const { plugins } = parse(plain) as { plugins: { plugin: string; options: Record<string, unknown> }[] };
    const options = Object.fromEntries(plugins.map((one) => [one.plugin, one.options]));
    expect(options['sessions']).toEqual({ root: join(folder.path, 'kept'), driver: 'file' });
    expect(options['agents']?.['model']).toBe('deepseek/file');
    expect(options['subagent-tools']).toEqual({ backgroundMode: 'continuable' });
    expect(JSON.parse(await show('--model', 'a/flag', '--json'))).toMatchObject({
      plugins: expect.arrayContaining([
        { plugin: 'agents', options: expect.objectContaining({ model: 'a/flag' }) as object },
      ]) as object,
    });
  });

  it('answers a mistake with its place, before a store is made [H2]', async () => {
    using folder = temporaryFolder();
    const config = configFile(folder.path, 'plugins: [{ plugin: agents, options: { model: 3 } }]');
    for (const command of [
      ['config', 'show'],
      ['run', 'x'],
      ['sessions', 'list'],
    ]) {
      const { code, out, err } = await dsh([...command, '--config', config]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^dsh: .*x\.yaml:1:47: plugins\[0\]\.options\.model: Invalid input: .*\n$/);
    }
  });
});

describe('the JSON Schema for editors', () => {
  it('is what the checks say: `dsh config schema` writes it [H2]', async () => {
    const published: unknown = JSON.parse(readFileSync(join(harness, 'dsh.config.schema.json'), 'utf8'));
    expect(published).toEqual(configJsonSchema());
    expect(JSON.parse((await dsh(['config', 'schema'])).out)).toEqual(published);
  });

  it('takes the sample, and finds a wrong option of a plugin of this program [H2]', () => {
    const schema = fromJsonSchema(configJsonSchema());
    const sample: unknown = parse(readFileSync(join(harness, 'examples', 'dsh.config.yaml'), 'utf8'));
    expect(schema.parse(sample)).toEqual({ value: sample });
    const wrong = { plugins: [{ plugin: 'agents', options: { modle: 'x' } }] };
    expect(schema.parse(wrong)).toHaveProperty('issues');
  });
});

describe('a plugin of somebody else', () => {
  it('puts a tool of its own beside those of this program, in at most 40 lines [H2]', async () => {
    using folder = temporaryFolder();
    const example = join(harness, 'examples', 'word-count.ts');
    expect(readFileSync(example, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const config = configFile(folder.path, `plugins: [{ plugin: ${example}, options: { toolName: words } }]`);
    const scenario = join(folder.path, 'words.yaml');
    writeFileSync(
      scenario,
      `prompts: [{ text: Count. }]
agents:
  root:
    - calls: [{ tool: words, input: { text: two words } }]
    - { text: Counted. }
`,
    );
    const store = join(folder.path, 'store');
    const run = await dsh(['run', '--scenario', scenario, '--config', config, '--store', store, '--json']);
    expect([run.code, run.err]).toEqual([0, '']);
    const root = /"root":"([^"]+)"/.exec(run.out)?.[1] ?? '';
    const { out } = await dsh(['sessions', 'show', root, '--store', store]);
    expect(out).toContain('"text":"2 words"');
  });

  const failing: readonly [source: string, why: string][] = [
    ['inject: ["pears"], apply() {}', 'the plugin lost needs pears, which no plugin before it provides'],
    ['apply() { throw new Error("no pears"); }', 'no pears'],
    ['async apply() { throw new Error("no pears"); }', 'no pears'],
    ['apply() { return Promise.reject(new Error("")); }', 'it does not say why'],
  ];
  it.each(failing)('is named with its place where it cannot be loaded: %s [H2]', async (source, why) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'lost.mjs'), `export const plugin = { name: "lost", ${source} };`);
    const config = configFile(folder.path, 'plugins: [{ plugin: ./lost.mjs }]');
    const scenario = join(folder.path, 's.yaml');
    writeFileSync(scenario, 'agents: { root: [Hi.] }');
    const store = ['--store', join(folder.path, 'store')];
    const { code, err } = await dsh(['run', '--scenario', scenario, '--config', config, ...store]);
    const place = `${config}:1:21: plugins[0].plugin`;
    expect([code, err]).toEqual([2, `dsh: ${place}: the plugin "./lost.mjs" was not loaded: ${why}\n`]);
  });
});

describe('a model of somebody else', () => {
  const source = `export const plugin = { name: 'mine', inject: ['models'], apply(ctx) {
    ctx.effect(() => {
      const model = { id: 'mine/echo', async *stream() {
        yield { type: 'text', delta: 'Pears, said my model.' };
        yield { type: 'finish', reason: 'stop' };
      } };
      const registration = ctx.models.register('mine/echo', model);
      return () => registration.dispose();
    });
  } };`;

  it('is chosen by --model, or by the config [H2 H8]', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'mine.mjs'), source);
    const store = ['--store', join(folder.path, 'store')];
    const flag = configFile(folder.path, 'plugins: [{ plugin: ./mine.mjs }]');
    const byFlag = ['run', 'x', '--model', 'mine/echo', '--config', flag, ...store];
    expect(await dsh(byFlag)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('root Pears, said my model.\n') as string,
    });
    const named = 'plugins: [{ plugin: ./mine.mjs }, { plugin: agents, options: { model: mine/echo } }]';
    const config = configFile(folder.path, named);
    expect(await dsh(['run', 'x', '--config', config, ...store])).toMatchObject({ code: 0, err: '' });
  });

  it.each(['run', 'chat', 'serve'])(
    'that no plugin registers is one sentence: %s [H2 H8]',
    async (command) => {
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, 'mine.mjs'), source);
      const config = configFile(folder.path, 'plugins: [{ plugin: ./mine.mjs }]');
      const input = Object.assign(new PassThrough(), { isTTY: false });
      const args = [
        command,
        ...(command === 'run' ? ['x'] : []),
        '--model',
        'mine/other',
        '--config',
        config,
      ];
      const { code, out, err } = await dsh([...args, '--store', join(folder.path, 's')], { input });
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^dsh: "mine\/other" is no model: [^\n]*, and no plugin has registered it\n$/);
    },
  );
});
