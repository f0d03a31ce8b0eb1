/**
 * What people do in a scenario: its prompts, one after the other.
 * I1. A prompt is carried out when what it waits for has happened; where the tree has come to rest before that,
 *     it never will, and the scenario is wrong.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { HostControls, SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { UsageError } from '../run/usage-error.ts';
import type { Directory, KnownChild } from './directory.ts';
import type { ScenarioPrompt } from './schema.ts';
import type { Stage } from './stage.ts';

export interface Performance {
  readonly root: Agent;
  readonly subagents: Pick<SubagentRuntime, 'whenQuiescent' | 'drainContinuableDescendants'>;
  readonly host: HostControls;
  readonly stage: Stage;
  readonly directory: Directory;
  /** Ends this process as if from outside. */
  readonly kill: () => void;
}

export async function perform(prompts: readonly ScenarioPrompt[], performance: Performance): Promise<void> {
  for (const prompt of prompts) {
    if (prompt.after !== undefined) await reached(prompt.after, performance);
    await carryOut(prompt, performance);
  }
}

async function reached(after: string | number, performance: Performance): Promise<void> {
  if (typeof after === 'number') {
    await delay(after);
    return;
  }
  if (after === 'idle') {
    await performance.root.whenIdle();
    return;
  }
  const { stage } = performance;
  const name = after.slice(after.indexOf(':') + 1);
  const test = (): boolean => {
    if (after.startsWith('held:')) return stage.isHeld(name);
    const child = stage.child(name);
    return child !== undefined && (after.startsWith('started:') || (!child.live && child.ended > 0));
  };
  if (!(await happens(test, performance)))
    throw new UsageError(`the scenario waits for ${after}, which never comes`);
}

/** Whether `test` holds before the tree has come to rest (I1). */
async function happens(test: () => boolean, { stage, subagents, root }: Performance): Promise<boolean> {
  const wait = stage.until(test);
  try {
    await Promise.race([wait.reached, subagents.whenQuiescent(root.id)]);
    return test();
  } finally {
    wait.dispose();
  }
}

async function carryOut(prompt: ScenarioPrompt, performance: Performance): Promise<void> {
  const { root, subagents, host, stage } = performance;
  if (prompt.text !== undefined) await write(prompt.to ?? 'root', prompt.text, performance);
  if (prompt.interrupt === 'root') root.cancel('user', { keepInbox: true });
  else if (prompt.interrupt !== undefined) {
    const { id, parentId } = await childNamed(prompt.interrupt, performance);
    await host.interrupt(id, { parentSessionId: parentId });
  }
  if (prompt.stop !== undefined) {
    const { id, parentId } = await childNamed(prompt.stop, performance);
    await host.stopChildren(parentId, [id]);
  }
  if (prompt.drain !== undefined) await subagents.drainContinuableDescendants([root]);
  if (prompt.release !== undefined) stage.release(prompt.release);
  if (prompt.kill === true) performance.kill();
}

async function write(to: string, text: string, performance: Performance): Promise<void> {
  if (to === 'root') {
    performance.root.followup({ content: text, source: { kind: 'user' } });
    return;
  }
  const { id, parentId } = await childNamed(to.slice('child:'.length), performance);
  await performance.host.prompt(id, { parentSessionId: parentId, content: text, wakeAncestors: true });
}

async function childNamed(label: string, performance: Performance): Promise<KnownChild> {
  const { directory } = performance;
  if (directory.child(label) === undefined) await directory.refresh();
  await happens(() => directory.child(label) !== undefined, performance);
  const child = directory.child(label);
  if (child === undefined)
    throw new UsageError(`the scenario names the child ${JSON.stringify(label)}, and there is none`);
  return child;
}
