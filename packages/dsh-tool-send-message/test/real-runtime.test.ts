import { newSessionId, type SessionId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { sendMessageTool } from '../src/index.ts';
import { context } from './fake-runtime.ts';
import { received, results, say, smallProgram, type Scripts } from './small-program.ts';

const send = (agent_id: string, message: string, callId?: string) => ({
  calls: [
    { tool: 'send_message', input: { agent_id, message }, ...(callId === undefined ? {} : { callId }) },
  ],
});

describe('over the real runtime', () => {
  it('carries a message to a child and one back, by the same tool [T1 T3]', async () => {
    const scripts: Scripts = {};
    await using program = await smallProgram(scripts);
    const { root, runtime } = program;
    const { childId } = await program.start('pears', root);
    await runtime.whenQuiescent(root.id);
    scripts['root'] = [send(childId, 'Which sort?')];
    scripts['pears'] = [send(root.id, 'Conference.')];
    say(root, 'Ask pears.');
    await runtime.whenQuiescent(root.id);
    expect(received(root)).toEqual([`Agent ${childId} sent a message:|Conference.`]);
    expect(results(root)).toEqual([`ok: The message to agent ${childId} was accepted.`]);
  });

  it('is shown to parents and children with the same bytes [T2]', async () => {
    await using program = await smallProgram({});
    const { root, runtime, model } = program;
    await program.start('pears', root);
    await runtime.whenQuiescent(root.id);
    const shown = model.requests.map(({ tools }) => JSON.stringify(tools));
    expect(model.requests.length).toBeGreaterThanOrEqual(2);
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]).toContain('send_message');
  });

  it('refuses everybody but the parent and the own children in one way [T4]', async () => {
    await using program = await smallProgram({});
    const { root, runtime } = program;
    const first = await program.start('first', root);
    const second = await program.start('second', root);
    const other = (await program.agents.create()).agent;
    const foreign = await program.start('foreign', other);
    await Promise.all([runtime.whenQuiescent(root.id), runtime.whenQuiescent(other.id)]);
    const tool = sendMessageTool(runtime);
    const targets = [newSessionId(), root.id, other.id, foreign.childId, `${first.childId} ` as SessionId];
    const texts = await Promise.all(
      targets.map(async (id, at) => {
        const output = await tool.execute(
          { agent_id: id, message: 'x' },
          context({ agent: root, callId: `call-${at}` }),
        );
        return JSON.stringify(output).replace(/id \S+(?: \\")? can/, 'id X can');
      }),
    );
    expect(new Set(texts).size).toBe(1);
    for (const known of [first.childId, second.childId]) expect(texts[0]).toContain(known);
    for (const hidden of [other.id, foreign.childId]) expect(texts[0]).not.toContain(hidden);
    expect(received(other)).toEqual([]);
  });

  it('accepts a call once that is made again under its id in a later turn [T3]', async () => {
    const scripts: Scripts = {};
    await using program = await smallProgram(scripts);
    const { root, runtime } = program;
    const { childId } = await program.start('pears', root);
    await runtime.whenQuiescent(root.id);
    for (const text of ['Ask.', 'Go on.']) {
      scripts['root'] = [send(childId, 'Which sort?', 'same')];
      say(root, text);
      await runtime.whenQuiescent(root.id);
    }
    const { records } = await runtime.readTranscript(root, childId, { limit: 100 });
    const messages = records.filter(
      (record) =>
        record.kind === 'event' &&
        record.event.type === 'user/message' &&
        record.event.data.source.kind === 'agent-message',
    );
    expect(results(root)).toHaveLength(2);
    expect(messages).toHaveLength(1);
  });
});
