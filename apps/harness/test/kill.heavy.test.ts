/** Processes that are killed in the middle of a run, and another one that goes on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSessionStore, type SessionEvent, type SessionId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { openDriver, storeDrivers } from '../src/plugins/store-driver.ts';
import { dsh, scenarioFile, spawnDsh, temporaryFolder } from './command-line.ts';
import { jsonLines } from './stable-transcript.ts';

/** Every stored Session with its events as they lie there. */
async function stored(root: string): Promise<ReadonlyMap<SessionId, readonly SessionEvent[]>> {
  await using store = await openSessionStore({ driver: openDriver(root, undefined, () => undefined) });
  const found = new Map<SessionId, SessionEvent[]>();
  for await (const entry of store.list()) {
    expect(entry.kind).toBe('session');
    const events: SessionEvent[] = [];
    for await (const record of store.read(entry.id)) {
      expect(record.kind).not.toBe('damaged');
      if (record.kind !== 'damaged') events.push(record.event as SessionEvent);
    }
    found.set(entry.id, events);
  }
  return found;
}

/** What the killed process had seen as durable, by Session. Its last line may be torn. */
function seenDurable(out: string): ReadonlyMap<string, number> {
  const whole = out.slice(0, out.lastIndexOf('\n') + 1);
  const seen = new Map<string, number>();
  if (whole === '') return seen;
  for (const line of jsonLines(whole)) {
    const { agent, durable } = line as { readonly agent?: string; readonly durable?: number };
    if (agent !== undefined && durable !== undefined)
      seen.set(agent, Math.max(durable, seen.get(agent) ?? 0));
  }
  return seen;
}

async function expectNothingLost(
  folder: string,
  out: string,
): Promise<ReadonlyMap<SessionId, readonly SessionEvent[]>> {
  const listed = await dsh(['sessions', 'list', '--all', '--json', '--store', folder]);
  expect([listed.code, listed.err]).toEqual([0, '']);
  const before = await stored(folder);
  const lines = listed.out === '' ? [] : jsonLines(listed.out);
  expect(lines.map(({ id }) => id)).toEqual([...before.keys()]);
  for (const [id, durable] of seenDurable(out)) {
    expect(before.get(id as SessionId)?.length ?? 0).toBeGreaterThanOrEqual(durable);
  }
  return before;
}

const messageIds = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'user/message' ? [event.data.id] : []));

async function goOn(folder: string, root: string): Promise<void> {
  const before = await stored(folder);
  const ended = await dsh([
    ...['run', '--scenario', scenarioFile('cold-resume'), '--store', folder, '--json', '--resume', root],
  ]);
  expect(ended.err).toBe('');
  const after = await stored(folder);
  for (const [id, events] of before) {
    expect(after.get(id)?.slice(0, events.length)).toEqual(events);
    const ids = messageIds(after.get(id) ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  }
}

it.each(storeDrivers)(
  'a run that killed itself goes on with everything that was durable, on the %s store [H5 H11 Q5]',
  { timeout: 120_000 },
  async (driver) => {
    using folder = temporaryFolder();
    const killed = await spawnDsh([
      'run',
      '--scenario',
      scenarioFile('killed'),
      '--store',
      folder.path,
      '--json',
      ...['--driver', driver],
    ]).ended;
    expect(killed.code).toBeNull();
    const [{ root } = { root: '' }] = jsonLines(killed.out) as unknown as { readonly root: string }[];
    const before = await expectNothingLost(folder.path, killed.out);
    expect([...before.keys()]).toContain(root);
    const child = [...before.values()].find((events) =>
      events.some(({ type }) => type === 'subagent/descriptor'),
    );
    expect(child?.at(-1)?.type).not.toBe('turn/end');

    await goOn(folder.path, root);
    const after = await stored(folder.path);
    const texts = JSON.stringify(after.get(root as SessionId));
    expect(texts).toContain('Pears are ripe in September.');
    expect(texts).toContain('Two weeks, then.');
    // The turn that the crash left open was closed, and not done again.
    const ends = [...after.values()]
      .flat()
      .flatMap((event) => (event.type === 'turn/end' ? [event.data.reason.kind] : []));
    expect(ends).toContain('interrupted');
  },
);

const rounds = process.env['DSH_LONG_TESTS'] === '1' ? 40 : 4;

it.each(storeDrivers)(
  'a run that is killed at any moment goes on with everything that was durable, on the %s store [H5 Q5]',
  { timeout: rounds * 30_000 },
  async (driver) => {
    for (let round = 0; round < rounds; round += 1) {
      using folder = temporaryFolder();
      const run = spawnDsh([
        ...['run', '--scenario', scenarioFile('pears'), '--json'],
        ...['--store', folder.path, '--driver', driver],
      ]);
      const started = new Promise<void>((resolve) => {
        run.process.stdout?.once('data', () => {
          resolve();
        });
      });
      await Promise.race([started, run.ended]);
      await delay((round * 137) % 900);
      run.process.kill('SIGKILL');
      const killed = await run.ended;
      await expectNothingLost(folder.path, killed.out);
      const [{ root } = { root: '' }] = jsonLines(
        killed.out.slice(0, killed.out.indexOf('\n')),
      ) as unknown as { root: string }[];
      // A Session that never had an event left nothing behind.
      if ((await stored(folder.path)).has(root as SessionId)) await goOn(folder.path, root);
    }
  },
);

it.each(storeDrivers)(
  'a run on the %s store that gets SIGTERM unwinds, and ends with its code [H3]',
  { timeout: 60_000 },
  async (driver) => {
    using folder = temporaryFolder();
    const run = spawnDsh([
      ...['run', '--scenario', scenarioFile('held'), '--json'],
      ...['--store', folder.path, '--driver', driver],
    ]);
    let asked = false;
    run.process.stdout?.on('data', (text: string) => {
      if (asked || !text.includes('"At work."')) return;
      asked = true;
      run.process.kill('SIGTERM');
    });
    const { code, out, err } = await run.ended;
    expect(code).toBe(143);
    // Nothing but the warning of the scenario.
    expect(err).toMatch(
      /^dsh: warning: \S+: agents\.pears\[0\]\.hold: nothing releases the hold "for ever": [^\n]*\n$/,
    );
    const lines = jsonLines(out);
    expect(lines.at(-1)).toMatchObject({ type: 'summary', outcome: 'SIGTERM' });
    expect(lines.some(({ type, outcome }) => type === 'subagent/end' && outcome === 'aborted')).toBe(true);
    expect(
      [...(await stored(folder.path)).values()].every((events) => events.at(-1)?.type !== 'turn/start'),
    ).toBe(true);
  },
);

const foreground = `
prompts:
  - { text: Study pears. }
  - { after: 'held:books', kill: true }
agents:
  root:
    - calls:
        - { tool: subagent, input: { description: pears, prompt: Study pears., run_in_background: false } }
  pears:
    - { text: Every sort that was ever grown ..., hold: books, delayMs: 300 }
`;

it.each(storeDrivers)(
  'a call that a kill left open names its child when it is closed, on the %s store [T6 S17]',
  { timeout: 60_000 },
  async (driver) => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    const scenario = join(elsewhere.path, 'foreground.yaml');
    writeFileSync(scenario, foreground);
    const killed = await spawnDsh([
      ...['run', '--scenario', scenario, '--json'],
      ...['--store', folder.path, '--driver', driver],
    ]).ended;
    const lines = jsonLines(killed.out) as unknown as readonly {
      type: string;
      root?: string;
      child?: string;
    }[];
    const root = lines[0]?.root as SessionId;
    const child = lines.find(({ type }) => type === 'subagent/start')?.child ?? 'none';
    await goOn(folder.path, root);
    const closed = (await stored(folder.path)).get(root)?.find(({ type }) => type === 'tool/result');
    expect(closed?.data).toMatchObject({ name: 'subagent', outcome: 'unknown' });
    expect(JSON.stringify(closed?.data)).toContain(child);
  },
);
