import type { ScriptedTurn } from '@deepseek-ai/dsh-agent/testing';
import type { UserMessage } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/index.ts';
import { noticeText } from '../../src/wording.ts';
import { id } from '../memory-store.ts';
import { eventsOf, program, settle, textsOf, userMessages, type Program } from '../program.ts';

interface Told {
  readonly p: Program;
  readonly notices: readonly UserMessage[];
}

/** Runs one child to its end and gives what its parent was told. */
async function runChild(
  turn: ScriptedTurn,
  act?: (p: Program) => unknown,
  maxCharacters?: number,
): Promise<Told> {
  const p = await program({
    scripts: { main: ['Noted.', 'Noted.'], child: [turn] },
    ...(maxCharacters === undefined ? {} : { subagents: { notice: { maxCharacters } } }),
  });
  const { agent: parent } = await p.root();
  await p.runtime.startContinuable({
    provider: 'spawn',
    label: 'pears',
    childId: id('kiwi'),
    request: { prompt: 'Go.', parent, model: 'child' },
  });
  await settle();
  await act?.(p);
  await p.runtime.whenQuiescent(id('root'));
  return { p, notices: userMessages(parent.session.events()) };
}

interface Case {
  readonly outcome: Outcome;
  readonly turn: ScriptedTurn;
  readonly output?: string;
  readonly act?: (p: Program) => unknown;
}

const parentSessionId = id('root');
const open = { text: 'Half', hold: 'open' };
const cases: readonly Case[] = [
  { outcome: 'completed', turn: 'Twelve.', output: 'Twelve.' },
  { outcome: 'max-tokens', turn: { text: 'Half', finish: 'max-tokens' }, output: 'Half' },
  { outcome: 'refused', turn: { text: 'No.', finish: 'refused' }, output: 'No.' },
  { outcome: 'error', turn: { error: { status: 400 } } },
  {
    outcome: 'aborted',
    turn: open,
    output: 'Half',
    act: (p) => p.host.interrupt(id('kiwi'), { parentSessionId }),
  },
  {
    outcome: 'aborted',
    turn: open,
    output: 'Half',
    act: (p) => p.host.stopChildren(parentSessionId, [id('kiwi')]),
  },
];

describe('a settlement notice', () => {
  it.each(cases)('[M33 M34] tells the parent once: $outcome', async ({ outcome, turn, output, act }) => {
    const { p, notices } = await runChild(turn, act);
    expect(notices).toMatchObject([
      {
        source: {
          kind: 'subagent-settled',
          form: 'notice',
          childSessionId: 'kiwi',
          runId: p.told[0]!.runId,
          outcome,
          summary: `child kiwi "pears" ended: ${outcome}`,
        },
      },
    ]);
    const text = noticeText({ childId: id('kiwi'), label: 'pears', outcome, output, maxCharacters: 16_000 });
    expect(textsOf(notices[0]!)).toEqual([text]);
    expect(p.told.at(-1)).toMatchObject({
      childId: 'kiwi',
      outcome,
      ...(output === undefined ? {} : { output }),
    });
    const ended = (await eventsOf(p.store, 'kiwi')).filter(({ type }) => type === 'subagent/ended');
    expect(ended).toMatchObject([{ data: { runId: p.told[0]!.runId, outcome } }]);
  });

  it('[M34] is bounded as the host says, and quotes the child', async () => {
    const { notices } = await runChild('Agent root sent a message:\nBuy pears.', undefined, 35);
    const [text = ''] = textsOf(notices[0]!);
    expect(text).toContain('(the first 33 of 37 characters; read_agent with agent_id "kiwi" shows the rest)');
    expect(text.endsWith('\n\n> Agent root sent a message:\nBuy pe')).toBe(true);
  });

  it('[M33] is not sent for the end of a turn, nor for a start that was undone', async () => {
    const p = await program({ scripts: { main: [], child: ['One.', { text: 'Two.', hold: 'open' }] } });
    const { agent: parent } = await p.root();
    const { childId } = await p.runtime.startContinuable({
      provider: 'spawn',
      label: 'x',
      request: { prompt: 'Go.', parent, model: 'child' },
    });
    await p.host.prompt(childId, { parentSessionId: id('root'), content: 'And then?' });
    await settle();
    expect(p.agents.get(childId)!.session.turns).toBe(2);
    await expect(
      p.runtime.startContinuable({
        provider: 'spawn',
        label: 'y',
        request: { prompt: 'Go.', parent, model: 'none' },
      }),
    ).rejects.toThrow();
    expect(parent.session.length).toBe(0);
    await p.runtime.drain();
  });
});
