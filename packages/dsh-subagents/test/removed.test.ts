/** What the later design has taken away stays away: in names, in schemas and in texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { drainMicrotasks } from '@deepseek-ai/dsh-agent/testing';
import { describe, expect, it } from 'vitest';
import * as surface from '../src/index.ts';
import { openWorld, text } from './rig/world.ts';

const packages = ['dsh-subagents', 'dsh-tool-subagent', 'dsh-tool-send-message'];

function sourcesOf(name: string): readonly (readonly [string, string])[] {
  const folder = new URL(`../../${name}/src/`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [`${name}/${path}`, readFileSync(new URL(path, folder), 'utf8')] as const);
}

const everything = packages.flatMap(sourcesOf);
const found = (pattern: RegExp): readonly string[] =>
  everything.filter(([, source]) => pattern.test(source)).map(([path]) => path);

describe('what was removed', () => {
  it('is no operation of the runtime: it writes by sendMessage alone [M12]', async () => {
    const { runtime } = await openWorld();
    expect(Object.keys(runtime).sort()).toEqual([
      ...[
        'drain',
        'drainContinuableDescendants',
        'getProvider',
        'interrupt',
        'listChildren',
        'listDescendants',
      ],
      ...['on', 'protocol', 'providers', 'readTranscript', 'registerProvider', 'sendMessage', 'start'],
      ...['startContinuable', 'usage', 'whenQuiescent'],
    ]);
    expect(Object.keys(surface).filter((name) => /followup|report|steer|resume/i.test(name))).toEqual([]);
  });

  it('cannot come back through a source, a delivery mode or a route of the caller [M12 M15 M16]', async () => {
    const world = await openWorld();
    const root = await world.root();
    world.model('kiwi').push({ text: 'x', hold: 'end' });
    const { childId } = await world.start(root.agent, 'kiwi');
    // The child is in its first step, so that the message waits.
    await drainMicrotasks();
    const more = { source: { kind: 'user' }, delivery: 'queue', messageId: 'm1' as never };
    const result: unknown = await world.runtime.sendMessage(root.agent, childId, text('hello'), more);
    expect(result).toBe('m1');
    const entry = world.agents.get(childId)?.inbox.list().at(-1);
    expect(entry).toMatchObject({ boundary: 'step', message: { source: { kind: 'agent-message' } } });
  });

  it('is in no name and no text: no report tool, no report section, no task handles [M12 M37]', () => {
    expect(everything.length).toBeGreaterThan(50);
    expect(found(/tool:report|subagent-report|reportDelivery|report_to_parent|name: 'report'/i)).toEqual([]);
    expect(found(/task_output|task_kill|TaskId\b|SubagentProviderResumeRequest/)).toEqual([]);
    expect(found(/\bsubagent_id\b/)).toEqual([]);
  });

  it('is no part of a one-shot run or of a provider: neither can be steered or resumed [M20 M49]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const run = await world.runtime.start('spawn', { label: 'once', prompt: 'x', parent: root.agent });
    expect(Object.keys(run).sort()).toEqual(['dispose', 'id', 'result']);
    await run.result;
    await run.dispose();
    for (const provider of world.runtime.providers())
      expect(Object.keys(provider).sort()).toEqual(['capabilities', 'name', 'prepareContinuable', 'start']);
  });
});
