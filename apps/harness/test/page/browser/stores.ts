/** Stores that are hard on a page: very many children, a very long log, and texts of somebody who means harm. */
import { newMessageId, type NewEvent } from '@deepseek-ai/dsh-session';
import { human, inspected, type Inspected, type Scripts } from '../../inspector/inspected.ts';

const call = (label: string) => ({
  tool: 'subagent',
  input: { description: label, prompt: `Study ${label}.` },
});

/** A root whose children have all ended, but for the last few, which are at work. */
export async function manyChildren(store: string, ended: number, running: number): Promise<Inspected> {
  const names = Array.from({ length: ended + running }, (_, at) => `child ${at + 1}`);
  const held = names
    .slice(ended)
    .map((name) => [name, [{ text: `${name} is at work.`, hold: name }]] as const);
  const scripts: Scripts = { root: [{ calls: names.map(call) }], ...Object.fromEntries(held) };
  const program = await inspected(store, { scripts });
  const ends = new Promise<void>((resolve) => {
    let left = ended;
    program.app.ctx.subagents.on('subagent/end', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  await program.begin('Study everything.');
  await ends;
  return program;
}

/** A stored conversation of so many messages, each with its number. */
export async function longTranscript(store: string, messages: number): Promise<Inspected> {
  const program = await inspected(store);
  const { sessions } = program.app.ctx;
  const session = await sessions.create();
  const events = Array.from({ length: messages }, (_, at): NewEvent => {
    const content = [
      { type: 'text', text: `Message ${at}. ${'It goes on for a while. '.repeat(at % 7)}` },
    ] as const;
    const id = newMessageId();
    if (at % 2 === 0) return { type: 'user/message', data: { id, role: 'user', content, source: human } };
    return {
      type: 'assistant/message',
      data: { id, role: 'assistant', content, finish: 'stop', model: 'm' },
    };
  });
  session.appendAll(events);
  await sessions.close(session);
  return program;
}

const html =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><b>bold</b>';
const bidi = 'ab\u202edcba\u202c\u2066x\u2069 \u0000\u0007\u001b[31m\u200b\ufeff \ud800 end';
const wide = 'W'.repeat(400);

/** What is in every text that somebody else decides on. */
export const harm = `${html} ${bidi} ${wide}`;
/** Characters of it that must reach the page in no text. */
export const invisible = /(?![\t\n])\p{Cc}|[\u202e\u2066\u200b\ufeff]|\p{Surrogate}/u;

/** A tree in which each text is {@link harm}. */
export async function hostileTree(store: string): Promise<Inspected> {
  const scripts: Scripts = {
    root: [
      {
        reasoning: harm,
        text: harm,
        calls: [
          call(harm),
          { tool: 'list_agents', input: { [harm]: harm } },
          { tool: 'none', rawInput: harm },
        ],
      },
      harm,
      harm,
    ],
    [harm]: [
      { calls: [{ tool: 'send_message', input: { agent_id: harm, message: harm } }] },
      { error: { status: 400, message: harm } },
    ],
  };
  const program = await inspected(store, { scripts });
  await program.begin(harm);
  await program.app.ctx.subagents.whenQuiescent(program.root.id);
  return program;
}
