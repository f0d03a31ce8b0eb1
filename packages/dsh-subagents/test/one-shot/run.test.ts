import { fromJsonSchema } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { childDescriptor } from '../../src/resume/descriptor.ts';
import { collect, id } from '../memory-store.ts';
import { eventsOf, program, settle, textsOf, userMessages } from '../program.ts';

const usage = { inputTokens: 5, outputTokens: 2 };

describe('a one-shot run', () => {
  it('[M49] runs an agent to the end of its turn and gives its result', async () => {
    const p = await program({ scripts: { main: [{ text: 'Twelve pears.', usage }] } });
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'pears', prompt: 'Count pears.', parent });
    expect(await run.result).toEqual({ stopReason: 'completed', output: 'Twelve pears.', usage });
    const child = p.agents.get(run.id)!;
    expect(child.session.header).toMatchObject({
      parentSession: 'root',
      rootSession: 'root',
      origin: 'subagent',
      delegationDepth: 1,
      cwd: '/work',
    });
    expect(childDescriptor.read(child.session)).toEqual({
      kind: 'ok',
      value: {
        mode: 'one-shot',
        provider: 'spawn',
        label: 'pears',
        model: 'main',
        inbox: 'process',
        system: 'default',
        maxDepth: 3,
      },
    });
    expect(userMessages(child.session.events())).toMatchObject([
      {
        content: [{ text: 'Count pears.' }],
        source: { kind: 'delegated-task', senderSessionId: 'root', label: 'pears' },
      },
    ]);
  });

  it('[M49] is told once at its start and once at its end, and its log says how it ended', async () => {
    const p = await program({ scripts: { main: [{ text: 'Done.', usage }] } });
    const { agent: parent } = await p.root();
    const run = await p.runtime.start('spawn', { label: 'pears', prompt: 'Go.', parent });
    await run.result;
    await run.dispose();
    const common = {
      childId: run.id,
      parentId: 'root',
      provider: 'spawn',
      label: 'pears',
      mode: 'one-shot',
      resumed: false,
    };
    expect(p.told).toEqual([
      { ...common, runId: expect.any(String) as string },
      { ...common, runId: p.told[0]!.runId, outcome: 'completed', output: 'Done.', usage, duration: 0 },
    ]);
    expect((await eventsOf(p.store, run.id)).at(-1)).toMatchObject({
      type: 'subagent/ended',
      data: { outcome: 'completed', output: 'Done.' },
    });
    expect(p.agents.get(run.id)).toBeUndefined();
    expect(await collect(p.runtime.listChildren(id('root')))).toMatchObject([
      { id: run.id, mode: 'one-shot', lastOutcome: 'completed' },
    ]);
  });

  it('[M49] adds a persona to the system prompt and narrows the tools', async () => {
    const p = await program({ scripts: { main: ['Done.'] } });
    for (const name of ['a', 'b', 'c']) {
      p.tools.register({
        name,
        description: name,
        inputSchema: fromJsonSchema({ type: 'object' }),
        execute: () => '',
      });
    }
    const { agent: parent } = await p.agents.create({ id: id('root'), toolFilter: { allow: ['a', 'b'] } });
    await using run = await p.runtime.start('spawn', {
      label: 'x',
      prompt: 'Go.',
      parent,
      persona: 'A gardener.',
      toolFilter: { deny: ['a'] },
    });
    await run.result;
    expect(p.model('main').requests[0]).toMatchObject({
      system: 'You are helpful.\n\nA gardener.',
      tools: [{ name: 'b' }],
    });
    expect(p.agents.get(run.id)!.options.toolFilter).toEqual({ allow: ['a', 'b'], deny: ['a'] });
  });

  it.each([
    ['max-tokens', { text: 'Half', finish: 'max-tokens' as const }, 'Half'],
    ['refused', { text: 'No.', finish: 'refused' as const }, 'No.'],
    ['error', { error: { status: 400 } }, ''],
  ])('[M49] that ends %s says so, with the text that there is', async (stopReason, answer, output) => {
    const p = await program({ scripts: { main: [answer] } });
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    expect(await run.result).toMatchObject({ stopReason, output });
  });

  it('[M49] is cancelled by its signal alone, with the text that had arrived', async () => {
    const p = await program({ scripts: { main: [{ text: 'Half a thought', hold: 'open' }] } });
    const { agent: parent } = await p.root();
    const asking = new AbortController();
    await using run = await p.runtime.start('spawn', {
      label: 'x',
      prompt: 'Go.',
      parent,
      signal: asking.signal,
    });
    await settle();
    asking.abort();
    expect(await run.result).toEqual({ stopReason: 'aborted', output: 'Half a thought' });
    expect(p.told).toHaveLength(2);
  });

  it('[M49] is cancelled before its first claim too', async () => {
    const p = await program({ scripts: { main: ['Never.'] } });
    const { agent: parent } = await p.root();
    const asking = new AbortController();
    p.runtime.on('subagent/start', () => {
      queueMicrotask(() => {
        asking.abort(new Error('enough'));
      });
    });
    const starting = p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent, signal: asking.signal });
    await using run = await starting;
    expect(await run.result).toEqual({ stopReason: 'aborted', output: '' });
    expect(p.told.at(-1)).toMatchObject({ outcome: 'aborted' });
  });

  it('[M49] that is aborted while it begins leaves nothing', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    const early = AbortSignal.abort(new Error('early'));
    await expect(
      p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent, signal: early }),
    ).rejects.toThrow('early');
    const asking = new AbortController();
    const starting = p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent, signal: asking.signal });
    asking.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
    const told = new AbortController();
    p.runtime.on('subagent/start', () => {
      told.abort(new Error('told'));
    });
    await expect(
      p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent, signal: told.signal }),
    ).rejects.toThrow('told');
    expect(p.told.map((event) => ('outcome' in event ? event.outcome : 'start'))).toEqual([
      'start',
      'aborted',
    ]);
    await settle();
    expect(p.agents.list()).toEqual([parent]);
    expect(await collect(p.runtime.listChildren(id('root')))).toEqual([]);
    expect(p.diagnostics).toEqual([]);
  });

  it('[M49] that cannot be created rejects, and leaves nothing', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    const starting = p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent, model: 'missing' });
    await expect(starting).rejects.toThrow(/missing/);
    expect(p.told).toEqual([]);
    expect(await collect(p.runtime.listChildren(id('root')))).toEqual([]);
  });

  it('[M46 M49] keeps to the depth limit', async () => {
    const p = await program({ scripts: { main: ['a', 'b'] } });
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent, maxDepth: 1 });
    const child = p.agents.get(run.id)!;
    await expect(
      p.runtime.start('spawn', { label: 'y', prompt: 'Go.', parent: child }),
    ).rejects.toMatchObject({
      code: 'DEPTH_EXCEEDED',
    });
    await expect(
      p.runtime.start('spawn', { label: 'y', prompt: 'Go.', parent, maxDepth: 0 }),
    ).rejects.toMatchObject({ code: 'DEPTH_EXCEEDED' });
  });

  it('[M49] is no continuable child: nobody can write to it, and it starts none', async () => {
    const p = await program({ scripts: { main: [{ text: 'x', hold: 'open' }] } });
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    const child = p.agents.get(run.id)!;
    await expect(
      p.runtime.sendMessage(parent, run.id, [{ type: 'text', text: 'Hello.' }]),
    ).rejects.toMatchObject({ code: 'NOT_RESUMABLE' });
    await expect(
      p.runtime.startContinuable({
        provider: 'spawn',
        label: 'y',
        request: { prompt: 'Go.', parent: child },
      }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' });
  });

  it('[M49] that waits for a hook which lets its task go ends without a turn of its own', async () => {
    const p = await program({
      hooks: { beforeStep: ({ agent }) => (agent.id === 'root' ? undefined : { kind: 'defer' }) },
    });
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    expect(await run.result).toMatchObject({ output: '' });
    expect(p.told).toHaveLength(2);
  });

  it('[M49] whose task is discarded as soon as it was accepted ends at once', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    p.agents.on('agent/inbox/enqueue', ({ agent }) => {
      agent.cancel('user');
    });
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    expect(await run.result).toEqual({ stopReason: 'aborted', output: '' });
    expect(p.model('main').requests).toEqual([]);
  });

  it('[M49] whose task is discarded before its first claim ends then', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    p.agents.get(run.id)!.cancel('user');
    expect(await run.result).toEqual({ stopReason: 'aborted', output: '' });
  });

  it('[M49] does nothing more once it has given its result', async () => {
    const p = await program({ scripts: { main: ['Done.', 'More.'] } });
    const { agent: parent } = await p.root();
    await using run = await p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    await run.result;
    const child = p.agents.get(run.id)!;
    expect(() => child.followup({ content: 'And?', source: { kind: 'user' } })).toThrow();
    expect(p.model('main').requests).toHaveLength(1);
  });
});

describe('a forked one-shot run', () => {
  it("[M38 M49 M50] goes on from its parent's completed turns with the same request head", async () => {
    const p = await program({ scripts: { main: ['Hello.', 'Twelve.'] } });
    const { agent: parent } = await p.root();
    p.tools.register(
      { name: 'own', description: 'own', inputSchema: fromJsonSchema({ type: 'object' }), execute: () => '' },
      parent,
    );
    parent.followup({ content: 'Hi.', source: { kind: 'user' } });
    await parent.whenIdle();
    await using run = await p.runtime.start('fork', { label: 'x', prompt: 'Count pears.', parent });
    await run.result;
    const [first, second] = p.model('main').requests;
    expect(second).toMatchObject({ system: first!.system, tools: first!.tools });
    expect(second!.messages.slice(0, 2)).toEqual(parent.session.history());
    const [, task] = userMessages(p.agents.get(run.id)!.session.events());
    expect(textsOf(task!)).toEqual([expect.stringMatching(/^You are a delegated copy\./), 'Count pears.']);
    await expect(
      p.runtime.start('fork', { label: 'x', prompt: 'Go.', parent, persona: 'A gardener.' }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' });
  });
});
