import { describe, expect, it } from 'vitest';
import { interruptAgentTool, readAgentTool } from '../src/index.ts';
import { notices, results, say, smallProgram, type Scripts } from './small-program.ts';

const call = (tool: string, description: string, more: object = {}) => ({
  calls: [{ tool, input: { description, prompt: `Study ${description}.`, ...more } }],
});

describe('over the real runtime', () => {
  it('starts a continuable child by each of the two tools, and keeps its id in the log [T6 T7]', async () => {
    const scripts: Scripts = { root: [call('subagent', 'pears')], pears: ['Ripe.'], plums: ['Ripe too.'] };
    await using program = await smallProgram(scripts);
    const { root, runtime } = program;
    say(root, 'Study.');
    await runtime.whenQuiescent(root.id);
    scripts['root'] = [call('subagent_fork', 'plums')];
    say(root, 'And plums.');
    await runtime.whenQuiescent(root.id);
    const started = results(root).map((text) => /^ok: started subagent (\S+)$/.exec(text)?.[1]);
    const kept = root.session
      .events()
      .flatMap((event) => (event.type === 'tool/progress' ? [event.data.data] : []));
    expect(kept).toEqual(started.map((subagentId) => ({ subagentId })));
    expect(notices(root)).toEqual([
      `child ${started[0]} "pears" ended: completed`,
      `child ${started[1]} "plums" ended: completed`,
    ]);
  });

  it('waits for a one-shot result in the agent of a one-shot run [T6 M49]', async () => {
    const scripts: Scripts = {
      root: [call('ask', 'pears')],
      pears: [call('subagent', 'sorts'), 'Conference it is.'],
      sorts: ['Conference.'],
    };
    await using program = await smallProgram(scripts);
    const { root, runtime } = program;
    const below: string[] = [];
    program.agents.on('agent/tool/end', ({ agent, outcome }) => {
      if (agent !== root) below.push(outcome, ...results(agent));
    });
    say(root, 'Study.');
    await runtime.whenQuiescent(root.id);
    expect(results(root)).toEqual(['ok: Conference it is.']);
    expect(below[0]).toBe('ok');
    expect(notices(root)).toEqual([]);
  });

  it('announces a one-shot in the background when it has ended [T6]', async () => {
    const scripts: Scripts = {
      root: [call('ask', 'pears', { run_in_background: true })],
      pears: ['Ripe.'],
    };
    await using program = await smallProgram(scripts);
    const { root } = program;
    const announced = new Promise<void>((resolve) => {
      root.on('agent/inbox/dequeue', ({ message }) => {
        if (message.source.kind === 'subagent-settled') resolve();
      });
    });
    say(root, 'Study.');
    await announced;
    expect(notices(root)).toEqual([expect.stringMatching(/^child \S+ "pears" ended: completed$/)]);
  });

  it('does not announce a one-shot in the background that a drain ended [T6 M41]', async () => {
    const scripts: Scripts = {
      root: [call('ask', 'pears', { run_in_background: true })],
      pears: [{ text: 'Ripe.', hold: 'for ever' }],
    };
    await using program = await smallProgram(scripts);
    const { root, runtime } = program;
    say(root, 'Study.');
    await root.whenIdle();
    await runtime.drain();
    await new Promise((resolve) => setImmediate(resolve));
    expect(notices(root)).toEqual([]);
    expect(root.inbox.list()).toEqual([]);
    expect(program.agents.list()).toEqual([root]);
  });

  it('reads the whole of a text that a notice has cut, and of a fork what it did itself [M34 T8]', async () => {
    const long = Array.from({ length: 6_000 }, (_, line) => `line ${line}`).join('\n');
    const scripts: Scripts = { root: ['First.', call('subagent_fork', 'pears')], pears: [long] };
    await using program = await smallProgram(scripts);
    const { root, runtime } = program;
    for (const words of ['Hello.', 'Study.']) {
      say(root, words);
      await runtime.whenQuiescent(root.id);
    }
    const agentId = /started subagent (\S+)/.exec(results(root)[0] ?? '')?.[1] ?? '';
    const read = async (more: object): Promise<string> => {
      const tool = readAgentTool(runtime);
      const call = {
        agent: root,
        callId: 'x',
        signal: new AbortController().signal,
        progress: () => undefined,
      };
      return ((await tool.execute({ agent_id: agentId, ...more }, call)) as { content: string }).content;
    };
    const page = await read({});
    expect(page).not.toContain('First.');
    const [, from] = /read_agent with from (\d+) and limit 1/.exec(page) ?? [];
    expect(await read({ from: Number(from), limit: 1 })).toContain('line 5999');
  });

  it('refuses a text that is no id like every other stranger [T8]', async () => {
    await using program = await smallProgram({});
    const { root, runtime } = program;
    const call = {
      agent: root,
      callId: 'x',
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    for (const tool of [readAgentTool(runtime), interruptAgentTool(runtime)])
      for (const odd of ['', 'a\nb', 'x'.repeat(300)])
        expect(await tool.execute({ agent_id: odd }, call)).toMatchObject({
          isError: true,
          content: expect.stringMatching(
            /^Nothing was \w+: .* is not the id of a subagent of yours\./,
          ) as unknown,
        });
  });
});
