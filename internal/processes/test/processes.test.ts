import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { shownDead } from '../src/death.ts';
import type { ProcessState, ProcessView } from '../src/process-view.ts';
import { systemProcesses } from '../src/system-processes.ts';

const seeing = (state: ProcessState, machine?: string): ProcessView => ({
  self: { pid: 1, host: 'here', ...(machine === undefined ? {} : { machine }) },
  look: () => state,
});
const there = { kind: 'there', startTime: '7' } as const;

test.each([
  ['gone', { machine: 'm', startTime: '7' }, seeing({ kind: 'gone' }, 'm'), true],
  ['there', { machine: 'm', startTime: '7' }, seeing(there, 'm'), false],
  ['there, as a later process', { machine: 'm', startTime: '6' }, seeing(there, 'm'), true],
  ['there, started at a time that is not known', { machine: 'm' }, seeing(there, 'm'), false],
  ['perhaps there', { machine: 'm', startTime: '7' }, seeing({ kind: 'unknown' }, 'm'), false],
  ['gone here, of another machine', { machine: 'n', startTime: '7' }, seeing({ kind: 'gone' }, 'm'), false],
  ['gone here, of a machine without a name', { startTime: '7' }, seeing({ kind: 'gone' }), false],
] as const)('a process that is %s [S20]', (_, process, view, dead) => {
  expect(shownDead({ pid: 2, ...process }, view)).toBe(dead);
});

test('this process is there, with its number and host [S20]', () => {
  const processes = systemProcesses();
  expect(processes.self).toMatchObject({ pid: process.pid, host: hostname() });
  expect(processes.look(process.pid).kind).not.toBe('gone');
  expect(shownDead(processes.self, processes)).toBe(false);
});

test('a process that has ended is gone [S20]', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  expect(systemProcesses().look(child.pid!).kind).toBe('gone');
});

test.runIf(process.platform === 'linux')(
  'a process that has ended and was not yet collected is gone [S20]',
  async () => {
    const shell = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = (await once(shell.stdout, 'data')) as [Buffer];
    const [zombie, processes] = [Number(output.toString()), systemProcesses()];
    while (processes.look(zombie).kind !== 'gone') await new Promise((resolve) => setTimeout(resolve, 5));
    expect(process.kill(zombie, 0)).toBe(true);
    shell.kill();
  },
);
