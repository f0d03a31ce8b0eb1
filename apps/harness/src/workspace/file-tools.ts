/** The tools for files: `read_file`, `list_files`, `search_files`, `write_file`. What they refuse, they say. */
import { fromStandardSchema, type ToolDefinition } from '@deepseek-ai/dsh-agent';
import { z } from 'zod';
import { inside, type Bounds } from './bounds.ts';
import { readText, writeText } from './text-file.ts';
import { walk } from './walk.ts';

const mostRead = 10 * 2 ** 20;
const mostSearched = 2 ** 20;
const mostShown = 64 * 2 ** 10;
const mostEntries = 1_000;
const mostMatches = 200;
const longestLine = 300;
const path = z.string().min(1).describe('A path from the workspace folder.');
const folder = path.default('.').describe('A folder, from the workspace folder. Default: all of it.');

const ReadInput = z.strictObject({
  path,
  from_line: z.int().min(1).default(1).describe('The first line that is wanted.'),
  lines: z.int().min(1).max(10_000).default(2_000).describe('How many lines at most.'),
});

export function readFileTool(bounds: Bounds): ToolDefinition<z.output<typeof ReadInput>> {
  return {
    name: 'read_file',
    description: 'Reads a text file of the workspace folder, all of it or some of its lines.',
    inputSchema: fromStandardSchema(ReadInput),
    async execute({ path: name, from_line: from, lines: most }) {
      const all = (await readText(await inside(bounds, name, 'read'), mostRead)).split('\n');
      const shown: string[] = [];
      let size = 0;
      for (const line of all.slice(from - 1, from - 1 + most)) {
        size += line.length + 1;
        if (size > mostShown && shown.length > 0) break;
        shown.push(line.slice(0, mostShown));
      }
      const next = from + shown.length;
      const more = next <= all.length ? `\n(${all.length} lines; go on with from_line ${next})` : '';
      return `${shown.join('\n')}${more}`;
    },
  };
}

const ListInput = z.strictObject({ path: folder });

export function listFilesTool(bounds: Bounds): ToolDefinition<z.output<typeof ListInput>> {
  return {
    name: 'list_files',
    description: 'Lists files and folders below a folder of the workspace, without following links.',
    inputSchema: fromStandardSchema(ListInput),
    async execute({ path: top }, { signal }) {
      const shown: string[] = [];
      for await (const found of walk(bounds, top, signal)) {
        if (shown.length === mostEntries)
          return `${shown.join('\n')}\n(there are more: name a folder further below)`;
        const mark = { file: '', folder: '/', link: '@', other: '?' }[found.kind];
        shown.push(`${found.path}${mark}`);
      }
      return shown.length === 0 ? '(nothing)' : shown.join('\n');
    },
  };
}

const SearchInput = z.strictObject({
  text: z.string().min(1).describe('The text itself, not a pattern.'),
  path: folder,
  ignore_case: z.boolean().default(false),
});

export function searchFilesTool(bounds: Bounds): ToolDefinition<z.output<typeof SearchInput>> {
  return {
    name: 'search_files',
    description: 'Finds the lines that contain a text, in the text files below a folder of the workspace.',
    inputSchema: fromStandardSchema(SearchInput),
    async execute({ text, path: top, ignore_case: ignoreCase }, { signal }) {
      const fold = (given: string): string => (ignoreCase ? given.toLowerCase() : given);
      const wanted = fold(text);
      const matches: string[] = [];
      for await (const { path: name, kind } of walk(bounds, top, signal)) {
        if (kind !== 'file') continue;
        const content = await searchable(bounds, name);
        for (const [at, line] of content.split('\n').entries()) {
          if (!fold(line).includes(wanted)) continue;
          if (matches.length === mostMatches)
            return `${matches.join('\n')}\n(there are more: search for less)`;
          matches.push(`${name}:${at + 1}: ${line.slice(0, longestLine)}`);
        }
      }
      return matches.length === 0 ? '(not found)' : matches.join('\n');
    },
  };
}

/** What is no text, too large or closed has no lines. */
async function searchable(bounds: Bounds, name: string): Promise<string> {
  try {
    return await readText(await inside(bounds, name, 'read'), mostSearched);
  } catch {
    return '';
  }
}

const WriteInput = z.strictObject({ path, content: z.string().describe('The whole new text of the file.') });

export function writeFileTool(bounds: Bounds): ToolDefinition<z.output<typeof WriteInput>> {
  return {
    name: 'write_file',
    description:
      'Writes a text file of the workspace folder whole: a new one, or in the place of the old one.',
    inputSchema: fromStandardSchema(WriteInput),
    async execute({ path: name, content }) {
      await writeText(await inside(bounds, name, 'write'), content);
      return `${name} was written: ${Buffer.byteLength(content)} bytes`;
    },
  };
}
