import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dsh, temporaryFolder } from '../command-line.ts';

const scenario = `prompts: [{ text: Go. }]
agents:
  root:
    - calls:
        - { tool: read_file, input: { path: .dsh/sessions.inspector-key } }
        - { tool: write_file, input: { path: .dsh/sessions.inspector-key, content: mine } }
        - { tool: read_file, input: { path: .dsh/sessions.history } }
        - { tool: write_file, input: { path: .dsh/sessions.history, content: mine } }
        - { tool: search_files, input: { text: pears } }
    - Done.
`;

/** What the tools of one run in that folder have answered. */
async function answers(folder: string): Promise<string> {
  writeFileSync(join(folder, 's.yaml'), scenario);
  const run = await dsh(['run', '--scenario', join(folder, 's.yaml'), '--json'], { cwd: folder });
  expect([run.code, run.err]).toEqual([0, '']);
  const root = /"root":"([^"]+)"/.exec(run.out)?.[1] ?? '';
  return (await dsh(['sessions', 'show', root], { cwd: folder })).out;
}

describe('what lies beside the store', () => {
  it('is closed to the tools for files: the key of the inspector and the history of a chat [H9 H14]', async () => {
    using folder = temporaryFolder();
    const key = join(folder.path, '.dsh/sessions.inspector-key');
    const history = join(folder.path, '.dsh/sessions.history');
    mkdirSync(join(folder.path, '.dsh'));
    writeFileSync(key, 'key of pears');
    writeFileSync(history, 'talk of pears');
    const said = await answers(folder.path);
    expect(said.match(/is closed to tools/g)).toHaveLength(4);
    expect(said).not.toMatch(/(?:key|talk) of/);
    expect(readFileSync(key, 'utf8')).toBe('key of pears');
    expect(readFileSync(history, 'utf8')).toBe('talk of pears');
  });

  it('is not made by a tool before it is there [H9 H14]', async () => {
    using folder = temporaryFolder();
    await answers(folder.path);
    expect(existsSync(join(folder.path, '.dsh/sessions.inspector-key'))).toBe(false);
    expect(existsSync(join(folder.path, '.dsh/sessions.history'))).toBe(false);
  });
});
