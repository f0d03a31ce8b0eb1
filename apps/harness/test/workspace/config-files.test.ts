import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dsh, temporaryFolder } from '../command-line.ts';

const scenario = `prompts: [{ text: Go. }]
agents:
  root:
    - calls:
        - { tool: read_file, input: { path: conf/mine.yaml } }
        - { tool: write_file, input: { path: conf/mine.yaml, content: x } }
        - { tool: write_file, input: { path: link.yaml, content: x } }
        - { tool: write_file, input: { path: conf/plugin.mjs, content: x } }
        - { tool: write_file, input: { path: conf/other.yaml, content: x } }
    - Done.
`;

it('the config that was asked for is not written by tools, nor the plugins that it names [H2 H9]', async () => {
  using folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const config = 'plugins: [{ plugin: ./plugin.mjs }] # of pears\n';
  const plugin = `export const plugin = { name: 'mine', apply() {} };`;
  mkdirSync(at('conf'));
  writeFileSync(at('conf/mine.yaml'), config);
  writeFileSync(at('conf/plugin.mjs'), plugin);
  symlinkSync('conf/mine.yaml', at('link.yaml'));
  writeFileSync(at('s.yaml'), scenario);
  const run = await dsh(['run', '--scenario', at('s.yaml'), '--config', 'conf/mine.yaml', '--json'], {
    cwd: folder.path,
  });
  expect([run.code, run.err]).toEqual([0, '']);
  const root = /"root":"([^"]+)"/.exec(run.out)?.[1] ?? '';
  const { out } = await dsh(['sessions', 'show', root], { cwd: folder.path });
  expect(out).toContain('of pears');
  expect(out.match(/is not written by tools: it decides what others run/g)).toHaveLength(3);
  expect(readFileSync(at('conf/mine.yaml'), 'utf8')).toBe(config);
  expect(readFileSync(at('conf/plugin.mjs'), 'utf8')).toBe(plugin);
  expect(readFileSync(at('conf/other.yaml'), 'utf8')).toBe('x');
});
