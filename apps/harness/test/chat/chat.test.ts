import { writeFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { LLMock, type ChatMessage } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StopSignal } from '../../src/app/stop-on-signals.ts';
import { dsh, temporaryFolder } from '../command-line.ts';

const server = new LLMock({ chunkSize: 4, latency: 5 });
let url: string;
beforeAll(async () => {
  url = await server.start();
  server.addFixture({ match: {}, response: ({ messages }) => answer(messages) });
});
afterAll(async () => {
  await server.stop();
});

const call = (name: string, input: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(input) }] });

function answer(messages: readonly ChatMessage[]) {
  const last = messages.at(-1);
  const text = JSON.stringify(last?.content ?? '');
  if (last?.role === 'tool') return { content: `Seen: ${text.includes('exit code 0') ? 'ran' : 'not run'}` };
  if (text.includes('run it')) return call('run_command', { command: 'echo pears > made' });
  if (text.includes('have it run')) return call('subagent', { description: 'pears', prompt: 'run it' });
  if (text.includes('have it told'))
    return call('subagent', { description: 'pears', prompt: 'talk for long' });
  if (text.includes('for long')) return { content: 'So many pears. '.repeat(300) };
  return { content: `Heard ${text}` };
}

/** A chat: `type` gives it text, `until` resolves when its output contains one. */
function startChat(folder: string, { tty = false, more = [] as readonly string[] } = {}) {
  const typed = Object.assign(new PassThrough(), tty ? { isTTY: true, setRawMode: () => undefined } : {});
  let out = '';
  const waits = new Set<() => void>();
  const onText = (text: string): void => {
    out += text;
    for (const look of [...waits]) look();
  };
  const screen = Object.assign(
    new Writable({
      write: (chunk, _encoding, done) => {
        onText(String(chunk));
        done();
      },
    }),
    { isTTY: true, columns: 80 },
  );
  const resize = (columns: number): void => {
    screen.columns = columns;
    screen.emit('resize');
  };
  let send: (signal: StopSignal) => void = () => {};
  const ended = dsh(
    [
      'chat',
      '--store',
      join(folder, 's'),
      '--model',
      'openai-compatible/m',
      '--base-url',
      `${url}/v1`,
      ...more,
    ],
    {
      environment: { OPENAI_COMPATIBLE_API_KEY: 'secret-key', NO_COLOR: '1', PATH: '/usr/bin:/bin' },
      input: typed,
      cwd: folder,
      onText,
      onStart: (given) => (send = given),
      ...(tty ? { screen } : {}),
    },
  );
  return {
    ended,
    type: (text: string) => typed.write(text),
    end: () => typed.end(),
    signal: (signal: StopSignal) => {
      send(signal);
    },
    resize,
    shown: () => out,
    /** The rows that were written whole since `from`. */
    rowsSince: (from: number) =>
      out
        .slice(from)
        .split('\u001b[0J')
        .flatMap((drawn) => (drawn.includes('\n') ? drawn.slice(0, drawn.indexOf('\n')) : [])),
    until: (text: string | RegExp | (() => boolean)) =>
      new Promise<string>((resolve) => {
        const look = (): void => {
          const there =
            typeof text === 'string' ? out.includes(text) : text instanceof RegExp ? text.test(out) : text();
          if (!there) return;
          waits.delete(look);
          resolve(out);
        };
        waits.add(look);
        look();
      }),
  };
}

describe('dsh chat', () => {
  it('streams answers, and ends with a pipe when everybody is at rest [H6]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path);
    chat.type('hello\n');
    chat.end();
    expect((await chat.ended).code).toBe(0);
    expect(chat.shown()).toContain('root Heard "hello"\n');
    expect(chat.shown()).not.toContain('secret-key');
  });

  it('ends the turn at the first Ctrl-C, and the chat at the second one [H6]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path, { tty: true });
    await chat.until('root> ');
    chat.type('talk for long\r');
    await chat.until('So many pears.');
    chat.type('\u0003');
    await chat.until('(interrupted; Ctrl-C again ends the chat)');
    await chat.until('turn ended: aborted (user)');
    chat.type('still there?\r');
    await chat.until('Heard "still there?"');
    chat.type('\u0003');
    // The turn may just be ending.
    await chat.until(/\(Ctrl-C again|interrupted;[^]*interrupted;/);
    chat.type('\u0003');
    const { code, err } = await chat.ended;
    expect([code, err]).toEqual([130, '']);
  });

  it('shows the tree while a child is at work, and talks with it, interrupts and drains it [H6]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path);
    chat.type('have it told\n');
    await chat.until('pears ▶ started by spawn');
    chat.type('/tree\n');
    await chat.until(/root {2,}[^\n]+\n└─ pears {2}running/);
    chat.type('/interrupt pears\n');
    await chat.until('pears ■ ended: aborted');
    chat.type('/open pears\nhello child\n');
    await chat.until('pears Heard "hello child"');
    // It hears of that end first: two messages that wait are one request.
    await chat.until(/root Heard "Notice[^\n]*hello child/);
    chat.type('/open root\nhave it told\n');
    await chat.until(/started by spawn[^]*started by spawn/);
    chat.type('/drain\n');
    await chat.until('No child is at work.');
    chat.type('/tree\n/sessions\n/nonsense\n');
    await chat.until('there is no /nonsense: /help lists the commands');
    const [, drained = ''] = chat.shown().split('No child is at work.\n');
    expect(drained).toMatch(/\n├─ pears {2}ended[^\n]*\n└─ pears {2}ended/);
    expect(drained).not.toContain('running');
    chat.end();
    expect((await chat.ended).code).toBe(0);
  });

  it('keeps the line that is typed, and breaks answers at spaces, when the terminal is resized [H6]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path, { tty: true });
    await chat.until('root> ');
    chat.type('talk for long\r');
    await chat.until('So many pears.');
    chat.type('half a li');
    chat.resize(140);
    await chat.until(() => chat.rowsSince(0).some(({ length }) => length > 120 && length < 140));
    chat.resize(40);
    const before = chat.shown().length;
    await chat.until(() => chat.rowsSince(before).filter(({ length }) => length > 30).length > 9);
    const rows = chat.rowsSince(before).slice(1);
    expect(rows.filter(({ length }) => length >= 40)).toEqual([]);
    const narrow = rows.filter(({ length }) => length > 30).slice(1);
    expect(narrow.filter((row) => !/^(?:So|many|pears\.) /.test(row))).toEqual([]);
    chat.type('\u0003');
    await chat.until('turn ended: aborted (user)');
    chat.type('ne\r');
    await chat.until('Heard "half a line"');
    chat.type('/quit\r');
    expect((await chat.ended).code).toBe(0);
  });

  it('takes pasted lines as one message, and keeps a history [H6]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path, { tty: true });
    await chat.until('root> ');
    chat.type('\u001b[20');
    chat.type('0~one\r\ntwo\nthree\u001b[201~\r');
    await chat.until('Heard "one\\ntwo\\nthree"');
    chat.type('/quit\r');
    expect((await chat.ended).code).toBe(0);
    expect(readFileSync(join(folder.path, 's.history'), 'utf8')).toBe('one␊two␊three\n/quit\n');
  });

  it('asks before a command, for a child too and with its name [H6 H9]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path);
    chat.type('run it\n');
    await chat.until('root wants: run_command {"command":"echo pears > made"}\nAllow it? y or n\n');
    chat.type('perhaps\n');
    await chat.until('Seen: not run');
    expect(existsSync(join(folder.path, 'made'))).toBe(false);
    chat.type('have it run\n');
    await chat.until('pears wants: run_command');
    chat.type('y\n');
    await chat.until('Seen: ran');
    expect(existsSync(join(folder.path, 'made'))).toBe(true);
    await chat.until('■ ended: completed');
    chat.type('/tree\n/open pears\n');
    await chat.until(/You talk with pears \(/);
    chat.type('you there\n');
    await chat.until('Heard "you there"');
    chat.type('/interrupt plums\n/open plums\n');
    await chat.until('nobody here is called plums, and no stored root has that id');
    chat.type('/open 0\n');
    await chat.until(/0 may be each of [0-9a-f-]{36}, [0-9a-f-]{36}: write more of the id/);
    chat.type('/drain\n/sessions\n/pear\n/help\n');
    await chat.until('there is no /pear: /help lists the commands');
    await chat.until('/interrupt ID ');
    chat.type('/quit\n');
    expect((await chat.ended).code).toBe(0);
    expect(chat.shown()).toMatch(/\n└─ pears {2}/);
  });

  it('leaves a log that resumes when it is terminated in the middle of a turn [H6]', async () => {
    using folder = temporaryFolder();
    const chat = startChat(folder.path);
    chat.type('talk for long\n');
    await chat.until('So many pears.');
    chat.signal('SIGTERM');
    expect((await chat.ended).code).toBe(143);
    const id = /Session ([0-9a-f-]+)/.exec(chat.shown())?.[1] ?? '';
    const again = startChat(folder.path, { more: ['--resume', id] });
    again.type('still there?\n');
    again.end();
    expect((await again.ended).code).toBe(0);
    expect(again.shown()).toContain('Heard "still there?"');
  });

  it('needs a model, and a Session that is there [H6]', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'x'), '');
    const store = ['--store', join(folder.path, 's')];
    const { code, err } = await dsh(['chat', ...store], { cwd: folder.path });
    expect([code, err]).toEqual([
      2,
      'dsh: name a model with --model provider/model, or in dsh.config.yaml\n',
    ]);
    const lost = startChat(folder.path, { more: ['--resume', 'nobody'] });
    expect(await lost.ended).toMatchObject({
      code: 2,
      err: expect.stringContaining('nobody was not resumed') as string,
    });
  });
});
