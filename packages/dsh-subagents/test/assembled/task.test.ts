import { fromJsonSchema, type Agent } from '@deepseek-ai/dsh-agent';
import { memoryDriver, memoryMedium, type UserMessage } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import type { StartRequest } from '../../src/index.ts';
import { forkTaskText, guidanceText } from '../../src/wording.ts';
import { id } from '../memory-store.ts';
import {
  eventsOf,
  program,
  registerSendMessage,
  settle,
  textsOf,
  userMessages,
  type Program,
} from '../program.ts';

async function taskOf(
  p: Program,
  provider: string,
  request: Omit<StartRequest, 'prompt'>,
): Promise<UserMessage> {
  const { childId } = await p.runtime.startContinuable({
    provider,
    label: 'pears',
    request: { prompt: 'Count pears.', ...request },
  });
  await settle();
  return userMessages(await eventsOf(p.store, childId)).at(-1)!;
}

async function talk(p: Program, agent: Agent, content: string): Promise<void> {
  agent.followup({ content, source: { kind: 'user' } });
  await agent.whenIdle();
}

describe('the guidance in a task', () => {
  it('[M37] follows the task where the child has the standard tool', async () => {
    const p = await program({ scripts: { main: ['Done.', 'Noted.'] } });
    registerSendMessage(p);
    const { agent: parent } = await p.root();
    const task = await taskOf(p, 'spawn', { parent });
    expect(textsOf(task)).toEqual(['Count pears.', guidanceText(id('root'))]);
    expect(task.source).toMatchObject({
      kind: 'delegated-task',
      form: 'task',
      senderSessionId: 'root',
      label: 'pears',
    });
  });

  it('[M37] is left out where the tool is missing, filtered out, or another one of that name', async () => {
    const bare = await program({ scripts: { main: ['Done.', 'Noted.'] } });
    const { agent: lonely } = await bare.root();
    expect(textsOf(await taskOf(bare, 'spawn', { parent: lonely }))).toEqual(['Count pears.']);

    const filtered = await program({ scripts: { main: ['Done.', 'Noted.'] } });
    registerSendMessage(filtered);
    const { agent: parent } = await filtered.root();
    const task = await taskOf(filtered, 'spawn', { parent, toolFilter: { deny: ['send_message'] } });
    expect(textsOf(task)).toEqual(['Count pears.']);

    const other = await program({ scripts: { main: ['Done.', 'Noted.'] } });
    registerSendMessage(other, false);
    const { agent: root } = await other.root();
    expect(textsOf(await taskOf(other, 'spawn', { parent: root }))).toEqual(['Count pears.']);
  });
});

describe('a fork', () => {
  it('[M38] gets its task behind the inherited turns, and nothing of its own before it', async () => {
    const p = await program({ scripts: { main: ['Hello.', 'Done.', 'Noted.'] } });
    registerSendMessage(p);
    const { agent: parent } = await p.root();
    p.tools.register(
      { name: 'own', description: 'own', inputSchema: fromJsonSchema({ type: 'object' }), execute: () => '' },
      parent,
    );
    await talk(p, parent, 'Hi.');
    const inherited = parent.session.history();
    const task = await taskOf(p, 'fork', { parent });
    expect(textsOf(task)).toEqual([forkTaskText(), 'Count pears.', guidanceText(id('root'))]);
    const [first, second] = p.model('main').requests;
    expect(JSON.stringify(second!.tools)).toBe(JSON.stringify(first!.tools));
    expect(second!.system).toBe(first!.system);
    expect(JSON.stringify(second!.messages.slice(0, -1))).toBe(JSON.stringify(inherited));
  });

  it('[M38] has the same request head after a cold resume in a later process', async () => {
    const medium = memoryMedium();
    const before = await program({
      driver: memoryDriver({ medium }),
      scripts: { main: ['Hello.', 'Done.', 'Noted.'] },
    });
    registerSendMessage(before);
    const first = await before.root();
    await talk(before, first.agent, 'Hi.');
    const { childId } = await before.runtime.startContinuable({
      provider: 'fork',
      label: 'x',
      request: { prompt: 'Go.', parent: first.agent },
    });
    await before.runtime.whenQuiescent(id('root'));
    const head = before.model('main').requests[1]!;
    await before.host.disposeRoot(first);
    await before.store[Symbol.asyncDispose]();

    const after = await program({ driver: memoryDriver({ medium }), scripts: { main: ['More.', 'Noted.'] } });
    registerSendMessage(after);
    const { agent: parent } = await after.agents.resume({ id: id('root'), system: 'Another prompt.' });
    await after.runtime.sendMessage(parent, childId, [{ type: 'text', text: 'And?' }]);
    await after.runtime.whenQuiescent(id('root'));
    const resumed = after.model('main').requests[0]!;
    expect(resumed.system).toBe(head.system);
    expect(JSON.stringify(resumed.tools)).toBe(JSON.stringify(head.tools));
    expect(resumed.messages.slice(0, head.messages.length)).toEqual(head.messages);
  });

  it('[M38] of a parent without a completed turn is told nothing of a history', async () => {
    const p = await program({ scripts: { main: ['Done.', 'Noted.'] } });
    const { agent: parent } = await p.root();
    expect(textsOf(await taskOf(p, 'fork', { parent }))).toEqual(['Count pears.']);
  });
});
