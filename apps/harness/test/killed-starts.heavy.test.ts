/** The process that starts a child is killed at each point of that, and the next one looks at what is left. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { checkedModel, scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { openSessionStore, type SessionId } from '@deepseek-ai/dsh-session';
import { createSubagents, forkProvider, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { expect, it } from 'vitest';
import { driverNamed } from './durable-inbox/driver.ts';

const program = fileURLToPath(new URL('killed-starts/process.ts', import.meta.url));
const root = 'root' as SessionId;
const kiwi = 'kiwi' as SessionId;

/** What the process said until it was killed, or until its end. */
async function startedUntil(
  driver: string,
  folder: string,
  provider: string,
  point?: number,
): Promise<{ readonly said: string; readonly killed: boolean }> {
  const args = [driver, folder, provider, ...(point === undefined ? [] : [String(point)])];
  const child = spawn(process.execPath, ['--conditions=@deepseek-ai/source', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // What the first process has compiled, the others need not compile again.
    env: { ...process.env, NODE_COMPILE_CACHE: join(dirname(folder), 'compiled') },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (...how) => {
      resolve(how);
    });
  });
  expect([code, signal]).toEqual(signal === null ? [0, null] : [null, 'SIGKILL']);
  return { said, killed: signal !== null };
}

/** A stored child can be written to; where there is none, one of that name can be started. Either way it settles once. */
async function goOn(driver: string, folder: string, provider: string): Promise<'child' | 'nothing'> {
  await using sessions = await openSessionStore({ driver: driverNamed(driver, folder) });
  const model = scriptedModel(() => 'done');
  await using agents = createAgentRegistry({
    ...{ sessions, tools: createToolRegistry() },
    models: () => checkedModel(model, () => agents.list()),
    defaults: { model: 'scripted' },
  });
  const { runtime } = createSubagents({ agents, sessions });
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  const parent = (await agents.resume({ id: root })).agent;
  const stored: string[] = [];
  for await (const entry of sessions.list()) {
    expect(entry.kind).toBe('session');
    stored.push(entry.id);
  }
  const ends: string[] = [];
  runtime.on('subagent/end', ({ outcome }) => ends.push(outcome));
  if (stored.includes(kiwi)) await runtime.sendMessage(parent, kiwi, [{ type: 'text', text: 'and plums' }]);
  else
    await runtime.startContinuable({
      ...{ provider, label: 'kiwi', childId: kiwi },
      request: { prompt: 'Study kiwis.', parent },
    });
  await runtime.whenQuiescent(root);
  expect(ends).toEqual(['completed']);
  return stored.includes(kiwi) ? 'child' : 'nothing';
}

it.concurrent.each([
  ['file', 'spawn'],
  ['file', 'fork'],
  ['sqlite', 'spawn'],
  ['sqlite', 'fork'],
])(
  'a start on the %s store by %s that is killed at any of its points leaves nothing, or a whole child [M5 S4 S14]',
  async (driver, provider) => {
    const folder = await mkdtemp(join(tmpdir(), 'dsh-killed-starts-'));
    const { said } = await startedUntil(driver, join(folder, 'whole'), provider);
    const points = Number(/points (\d+)/.exec(said)?.[1]);
    expect(points).toBeGreaterThan(40);
    const left = new Set<string>();
    for (let point = 0; point < points; point += 1) {
      const place = join(folder, String(point));
      const { said: facts } = await startedUntil(driver, place, provider, point);
      const found = await goOn(driver, place, provider);
      if (facts.includes('durable')) expect(found, `point ${String(point)}`).toBe('child');
      if (!facts.includes('accepted')) expect(found, `point ${String(point)}`).toBe('nothing');
      left.add(found);
    }
    expect([...left].sort()).toEqual(['child', 'nothing']);
    await rm(folder, { recursive: true, force: true });
  },
  600_000,
);
