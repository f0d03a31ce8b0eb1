import { describe, expect, it } from 'vitest';
import { dsh, scenarioFile, spawnDsh, temporaryFolder } from '../command-line.ts';
import type { StateReply } from '../../src/inspector/protocol.ts';
import { remoteWarning } from '../../src/commands/inspect.ts';
import { inspected, visit } from './inspected.ts';

const linkIn = (text: string): string | undefined => /http:\S+\?token=\S+/.exec(text)?.[0];

/** Runs a command until its page has been looked at, and ends it by a signal. */
async function looked(args: readonly string[], look: (url: string) => Promise<void>, cwd: string) {
  let send: (signal: 'SIGINT') => void = () => {};
  let found: (url: string) => void = () => {};
  const link = new Promise<string>((resolve) => (found = resolve));
  const run = dsh(args, {
    cwd,
    onStart: (given) => (send = given),
    onText: (text) => {
      const url = linkIn(text);
      if (url !== undefined) found(url);
    },
  });
  await look(await Promise.race([link, run.then(({ err }) => Promise.reject(new Error(err)))]));
  send('SIGINT');
  return run;
}

describe('dsh serve', () => {
  it('serves a store until a signal, and ends with all its readers [H12]', async () => {
    using folder = temporaryFolder();
    let ended: Promise<void> | undefined;
    const { code, out, err } = await looked(
      ['serve', '--port', '0'],
      async (url) => {
        const visitor = await visit(url);
        const state = await visitor.get<StateReply>('/api/state');
        expect(state).toMatchObject({ nodes: [], server: { canCreate: false } });
        expect(state.server.store).toContain(folder.path);
        ({ ended } = await visitor.follow());
      },
      folder.path,
    );
    await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^The inspector is at http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n/);
  });

  it('plays a scenario while one watches, and stays when it has ended [H12 H13]', async () => {
    using folder = temporaryFolder();
    const { code } = await looked(
      ['serve', '--port', '0', '--scenario', scenarioFile('pears')],
      async (url) => {
        const visitor = await visit(url);
        const follower = await visitor.follow('?after=x');
        await expect
          .poll(async () => (await visitor.nodes()).get('plums')?.outcome, { timeout: 10_000 })
          .toBe('completed');
        const root = (await visitor.nodes()).get('root');
        expect(root).toMatchObject({ live: true, can: { prompt: true } });
        const prompt = { text: 'And now?', messageId: 'message-1' };
        expect((await visitor.post(`/api/sessions/${root?.id ?? ''}/prompt`, prompt)).status).toBe(200);
        follower.leave();
      },
      folder.path,
    );
    expect(code).toBe(0);
  });

  it('ends in order in a process of its own [H12]', async () => {
    using folder = temporaryFolder();
    const { process: child, ended } = spawnDsh(['serve', '--port', '0', '--store', folder.path]);
    const url = await new Promise<string>((resolve) => {
      let text = '';
      child.stdout?.on('data', (part: string) => {
        text += part;
        const link = linkIn(text);
        if (link !== undefined && text.includes('\n')) resolve(link);
      });
    });
    const visitor = await visit(url);
    const follower = await visitor.follow();
    await follower.until('hello');
    child.kill('SIGTERM');
    await follower.ended;
    expect(await ended).toMatchObject({ code: 0, err: '' });
    expect(follower.events.at(-1)).toEqual({ type: 'bye' });
  });

  it.each([
    [['--port', '70000'], '--port "70000" is no port: write a number up to 65535'],
    [['--port', 'x'], '--port "x" is no port: write a number up to 65535'],
    [['--resume', 'x'], '--resume goes with --scenario'],
    [['--model', 'nobody/x'], '"nobody/x" is no model'],
    [['--host', '0.0.0.0'], 'say --allow-remote where that is meant'],
  ])('refuses %j in one line, before anything is started [H14]', async (args, line) => {
    using folder = temporaryFolder();
    const { code, out, err } = await dsh(['serve', ...args], { cwd: folder.path });
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says that a port is in use, and takes no other one [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const { port } = new URL(stage.url);
    const { code, err } = await dsh(['serve', '--store', `${folder.path}/other`, '--port', port]);
    expect(code).toBe(2);
    expect(err).toBe(
      `dsh: the inspector cannot listen on 127.0.0.1 port ${port}: it is in use; choose another with --port\n`,
    );
  });

  it('listens elsewhere only where that was asked for twice, and says what it means [H14]', () => {
    for (const here of ['127.0.0.1', '127.8.8.8', 'localhost', '::1'])
      expect(remoteWarning(here, false)).toBeUndefined();
    for (const there of ['0.0.0.0', '::', '192.168.0.7', 'desk', '127.0.0.1.example'])
      expect(() => remoteWarning(there, false)).toThrow(/other machines can reach the page/);
    expect(remoteWarning('0.0.0.0', true)).toContain('unencrypted');
  });
});

describe('--inspect', () => {
  it('shows a run on a page, and keeps the link out of its JSON lines [H12]', async () => {
    using folder = temporaryFolder();
    const args = [
      'run',
      '--scenario',
      scenarioFile('pears'),
      '--store',
      folder.path,
      '--json',
      '--inspect',
      '0',
    ];
    const { code, out, err } = await dsh(args);
    expect(code).toBe(0);
    expect(linkIn(err)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    for (const line of out.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it('takes another port where the usual one is in use, but not in place of one that was named [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(`${folder.path}/one`);
    const { port } = new URL(stage.url);
    const args = [
      'run',
      '--scenario',
      scenarioFile('held'),
      '--store',
      `${folder.path}/two`,
      '--inspect',
      port,
    ];
    expect(await dsh(args)).toMatchObject({ code: 2, err: expect.stringContaining('is in use') as string });
    await using other = await inspected(`${folder.path}/two`, { port: Number(port), orAnyPort: true });
    expect(new URL(other.url).port).not.toBe(port);
    expect((await other.raw('/api/state')).status).toBe(200);
  });
});
