import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ToolContext, ToolDefinition } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import {
  listFilesTool,
  readFileTool,
  searchFilesTool,
  writeFileTool,
} from '../../src/workspace/file-tools.ts';
import { temporaryFolder } from '../command-line.ts';

/** Calls a tool as a model does: the text that it gets, or what was refused. */
async function call<I>(tool: ToolDefinition<I>, input: object): Promise<string> {
  const parsed = tool.inputSchema.parse(input);
  if ('issues' in parsed) throw new Error(parsed.issues[0]?.message);
  const context = { signal: new AbortController().signal } as ToolContext;
  try {
    return (await tool.execute(parsed.value, context)) as string;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

function workspace() {
  const folder = temporaryFolder();
  const root = join(folder.path, 'work');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
  mkdirSync(join(root, '.dsh', 'sessions'), { recursive: true });
  writeFileSync(join(folder.path, 'secret.txt'), 'secret');
  writeFileSync(join(root, '.dsh', 'sessions', 'log'), 'pears of the log');
  writeFileSync(join(root, 'src', 'a.txt'), 'one\nTwo pears\nthree\n');
  writeFileSync(join(root, 'b.bin'), 'pears\0');
  symlinkSync(folder.path, join(root, 'up'));
  symlinkSync(join(folder.path, 'secret.txt'), join(root, 'leak'));
  symlinkSync(join(folder.path, 'new.txt'), join(root, 'dangling'));
  symlinkSync('src', join(root, 'own'));
  return {
    [Symbol.dispose]: () => {
      folder[Symbol.dispose]();
    },
    folder: folder.path,
    root,
    bounds: { root, closed: [join(root, '.dsh', 'sessions')] },
  };
}

describe('the workspace folder', () => {
  const outside: readonly [path: string, why: string][] = [
    ['../secret.txt', 'is outside the workspace folder'],
    ['/etc/passwd', 'is outside the workspace folder'],
    ['src/../../secret.txt', 'is outside the workspace folder'],
    ['leak', 'is outside the workspace folder'],
    ['up/secret.txt', 'is outside the workspace folder'],
    ['own/../../secret.txt', 'is outside the workspace folder'],
    ['dangling', 'is a link that leads nowhere'],
    ['.dsh/sessions/log', 'is closed to tools'],
  ];
  it.each(outside)('bounds reading and writing, also through links: %s [H9]', async (path, why) => {
    using made = workspace();
    const { folder, root, bounds } = made;
    expect(await call(readFileTool(bounds), { path })).toBe(`refused: ${path} ${why}`);
    expect(await call(writeFileTool(bounds), { path, content: 'x' })).toBe(`refused: ${path} ${why}`);
    expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe('secret');
    expect(readdirSync(folder).toSorted()).toEqual(['secret.txt', 'work']);
    expect(readFileSync(join(root, '.dsh/sessions/log'), 'utf8')).toBe('pears of the log');
  });

  it('makes no folder outside for a new file behind a link [H9]', async () => {
    using made = workspace();
    const { folder, bounds } = made;
    const said = await call(writeFileTool(bounds), { path: 'up/new/deep.txt', content: 'x' });
    expect(said).toBe('refused: up/new/deep.txt is outside the workspace folder');
    expect(readdirSync(folder).toSorted()).toEqual(['secret.txt', 'work']);
  });

  it.each(['.git/hooks/pre-commit', 'src/.GIT/config', 'dsh.config.yaml', 'src/dsh.config.yaml'])(
    'does not let a tool write what others run unasked: %s [H9]',
    async (path) => {
      using made = workspace();
      const { bounds } = made;
      expect(await call(writeFileTool(bounds), { path, content: 'x' })).toContain(
        'it decides what others run',
      );
    },
  );
});

describe('a closed place', () => {
  it('is closed before it is there, also where a link leads to the workspace folder [H9]', async () => {
    using made = workspace();
    const { folder, root } = made;
    symlinkSync(root, join(folder, 'alias'));
    const bounds = { root, closed: [join(folder, 'alias', 'src', 'key')] };
    const said = await call(writeFileTool(bounds), { path: 'src/key', content: 'mine' });
    expect(said).toBe('refused: src/key is closed to tools');
  });
});

describe('the tools for files', () => {
  it('read all of a file, or some lines of it, and say where to go on [H9]', async () => {
    using made = workspace();
    const { bounds } = made;
    expect(await call(readFileTool(bounds), { path: 'own/a.txt' })).toBe('one\nTwo pears\nthree\n');
    expect(await call(readFileTool(bounds), { path: 'src/a.txt', from_line: 2, lines: 1 })).toBe(
      'Two pears\n(4 lines; go on with from_line 3)',
    );
    expect(await call(readFileTool(bounds), { path: 'b.bin' })).toBe('refused: it is no text');
    expect(await call(readFileTool(bounds), { path: 'src' })).toMatch(/^refused: /);
    expect(await call(readFileTool(bounds), { path: 'none' })).toBe('refused: none does not exist');
  });

  it('list and search, and follow no links [H9]', async () => {
    using made = workspace();
    const { bounds } = made;
    expect(await call(listFilesTool(bounds), {})).toBe(
      '.dsh/\n.dsh/sessions/\n.git/\nb.bin\ndangling@\nleak@\nown@\nsrc/\nsrc/a.txt\nup@',
    );
    expect(await call(searchFilesTool(bounds), { text: 'PEARS', ignore_case: true })).toBe(
      'src/a.txt:2: Two pears',
    );
    expect(await call(searchFilesTool(bounds), { text: 'secret' })).toBe('(not found)');
    expect(await call(listFilesTool(bounds), { path: 'up' })).toContain('outside');
  });

  it('write whole files, keep the mode, and leave nothing beside them [H9]', async () => {
    using made = workspace();
    const { root, bounds } = made;
    chmodSync(join(root, 'src/a.txt'), 0o750);
    expect(await call(writeFileTool(bounds), { path: 'src/a.txt', content: 'é' })).toBe(
      'src/a.txt was written: 2 bytes',
    );
    expect(statSync(join(root, 'src/a.txt')).mode & 0o777).toBe(0o750);
    await call(writeFileTool(bounds), { path: 'new/deep/c.txt', content: 'c' });
    expect(readFileSync(join(root, 'new/deep/c.txt'), 'utf8')).toBe('c');
    expect(readdirSync(join(root, 'src'))).toEqual(['a.txt']);
    expect(await call(writeFileTool(bounds), { path: 'src', content: 'x' })).toMatch(/^refused: /);
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('never change a file in place: whoever has it open sees the old text whole [H9]', async () => {
    using made = workspace();
    const { root, bounds } = made;
    const before = statSync(join(root, 'src/a.txt')).ino;
    await call(writeFileTool(bounds), { path: 'src/a.txt', content: 'new' });
    expect(statSync(join(root, 'src/a.txt')).ino).not.toBe(before);
  });
});
