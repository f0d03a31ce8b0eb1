import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolContext } from '@deepseek-ai/dsh-agent';
import { checkedModel, scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { describe, expect, it, vi } from 'vitest';
import { createApp, type App } from '../../src/app/create-app.ts';
import { runProcess } from '../../src/workspace/command-process.ts';
import { runCommandTool } from '../../src/workspace/run-command.ts';
import { dsh, spawnDsh, temporaryFolder } from '../command-line.ts';

const limits = { timeoutMs: 20_000, outputBytes: 1_000, environment: { PATH: '/usr/bin:/bin' }, cwd: '/' };
const never = new AbortController().signal;

/** Gone, or dead and not yet collected by whoever adopted it. */
function isGone(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || readFileSync(stat, 'utf8').split(') ')[1]?.[0] === 'Z';
}

describe('a command', () => {
  it('ends with its whole process group [H9]', async () => {
    const ended = await runProcess('sleep 300 & echo $!', { ...limits, signal: never });
    expect(ended.code).toBe(0);
    expect(isGone(ended.output.trim())).toBe(true);
  });

  it('ends with its group when the turn is interrupted, also where it ignores that [H9]', async () => {
    const signal = AbortSignal.timeout(200);
    const ended = await runProcess('trap "" TERM; sleep 300 & echo $!; wait; sleep 300', {
      ...limits,
      signal,
    });
    expect(ended.cut).toBe('signal');
    expect(isGone(ended.output.trim())).toBe(true);
  });

  it('ends with the program, also where a second signal ends that at once [H3 H9]', async () => {
    using folder = temporaryFolder();
    const pidFile = join(folder.path, 'pid');
    const asked = join(folder.path, 'asked');
    const command = `trap "echo > ${asked}" TERM; echo $$ > ${pidFile}; while :; do sleep 1; done`;
    const file = join(folder.path, 's.yaml');
    const calls = [{ tool: 'run_command', input: { command } }];
    writeFileSync(file, JSON.stringify({ prompts: [{ text: 'Go.' }], agents: { root: [{ calls }] } }));
    const store = ['--store', join(folder.path, 'store')];
    const { process: run, ended } = spawnDsh(['run', '--scenario', file, '--allow-commands', ...store]);
    const pid = (): string => (existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : '');
    await vi.waitUntil(() => pid() !== '', { timeout: 50_000 });
    run.kill('SIGTERM');
    await vi.waitUntil(() => existsSync(asked), { timeout: 10_000 });
    run.kill('SIGTERM');
    expect((await ended).code).toBe(143);
    await vi.waitUntil(() => isGone(pid()), { timeout: 1_500 });
  }, 60_000);

  it('ends when its time is up, and its output is bounded [H9]', async () => {
    const ended = await runProcess('yes pears', { ...limits, timeoutMs: 100, signal: never });
    expect(ended.cut).toBe('time');
    expect(ended.output.length).toBe(1_000);
    expect(ended.dropped).toBeGreaterThan(0);
  });

  it('sees no key, and nothing but what it needs [H9]', async () => {
    using folder = temporaryFolder();
    const environment = (name: string) => (name === 'PATH' ? '/usr/bin:/bin' : 'secret');
    const tool = runCommandTool(
      { root: folder.path },
      { environment, ask: false, timeoutMs: 20_000, outputBytes: 9_999 },
    );
    const { content } = (await tool.execute({ command: 'env; pwd' }, { signal: never } as ToolContext)) as {
      content: string;
    };
    expect(content).toMatch(/^exit code 0\n/);
    expect(content).toContain(`${folder.path}\n`);
    expect(content).not.toContain('API_KEY');
    const names = [...content.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual([
      'HOME',
      'LANG',
      'LC_ALL',
      'LC_CTYPE',
      'LOGNAME',
      'PATH',
      'PWD',
      'SHELL',
      'TERM',
      'TMPDIR',
      'TZ',
      'USER',
    ]);
  });
});

describe('dsh run', () => {
  const scenario = `prompts: [{ text: Go. }]
agents:
  root:
    - calls: [{ tool: run_command, input: { command: 'echo $((6 * 7))' } }]
    - Done.
`;
  it('has commands only with the flag [H9]', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 's.yaml');
    writeFileSync(file, scenario);
    const results: string[] = [];
    for (const flags of [[], ['--allow-commands']]) {
      const store = ['--store', join(folder.path, 'store')];
      const run = await dsh(['run', '--scenario', file, '--json', ...store, ...flags], {
        environment: { PATH: '/usr/bin:/bin' },
      });
      expect([run.code, run.err]).toEqual([0, '']);
      const root = /"root":"([^"]+)"/.exec(run.out)?.[1] ?? '';
      results.push((await dsh(['sessions', 'show', root, ...store])).out);
    }
    expect(results[0]).not.toContain('exit code 0');
    expect(results[1]).toContain('exit code 0\\n42');
  });
});

describe('the tools of children', () => {
  it('are never more than those of their parent, and a person is asked for them too [H9]', async () => {
    using folder = temporaryFolder();
    const model = scriptedModel([
      { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'x' } }] },
      {
        when: { contains: 'x' },
        calls: [
          { tool: 'run_command', input: { command: 'echo pears > made' } },
          { tool: 'write_file', input: { path: 'made', content: 'pears' } },
        ],
      },
      'Done.',
      'Done.',
      'Done.',
    ]);
    const asked: string[] = [];
    const app: App = await createApp({
      store: join(folder.path, 'store'),
      model: 'm',
      environment: (name) => process.env[name],
      extraModels: { m: checkedModel(model, () => app.ctx.agents.list()) },
      workspace: folder.path,
      commands: 'ask',
      approve: ({ agent, call }) => {
        asked.push(`${agent.session.header.parentSession === undefined ? 'root' : 'child'} ${call.name}`);
        return false;
      },
    });
    const { agent } = await app.ctx.agents.create({ toolFilter: { deny: ['write_file'] } });
    agent.followup({ content: 'Go.', source: { kind: 'user' } });
    await app.ctx.subagents.whenQuiescent(agent.id);
    expect(asked).toEqual(['child run_command']);
    expect(existsSync(join(folder.path, 'made'))).toBe(false);
    for (const { tools } of model.requests) {
      expect(tools.map(({ name }) => name)).toContain('run_command');
      expect(tools.map(({ name }) => name)).not.toContain('write_file');
    }
    await app.stop();
  });
});
