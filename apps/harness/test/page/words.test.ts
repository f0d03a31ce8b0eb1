import { describe, expect, it } from 'vitest';
import { flowOf, personLane, pictureOf, withEdges } from '../../page/src/state/flow.ts';
import { arrowWords, edgeRoute } from '../../page/src/state/flow-words.ts';
import { bytes, clock, cost, counted, duration } from '../../page/src/state/format.ts';
import { interruptSentence } from '../../page/src/state/receipts.ts';
import { treeOf } from '../../page/src/state/tree.ts';
import {
  answerMarks,
  kinship,
  nameOf,
  promptHindrance,
  stateWord,
  turnEndWords,
} from '../../page/src/state/words.ts';
import type { FlowEdge } from '../../page/src/wire.ts';
import { agent, stateOf } from './nodes.ts';

describe('numbers and times', () => {
  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [61_000, '1 min'],
    [7_200_000, '2 h'],
    [200_000_000, '2 d'],
  ])('%i ms are %s [H12]', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it('say the date only of another day [H12]', () => {
    const noon = new Date(2026, 4, 3, 12, 5, 9).getTime();
    expect(clock(noon, noon + 1_000)).toBe('12:05:09');
    expect(clock(noon, noon + 86_400_000)).toBe('2026-05-03 12:05:09');
  });

  it.each([
    [undefined, undefined],
    [0, '0.00 USD'],
    [12.5, '12.50 USD'],
    [0.0123, '0.012 USD'],
    [0.00000012, '< 0.000001 USD'],
  ])('a cost of %s is told with the digits that say something [H12]', (sum, words) => {
    const tokens = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };
    expect(cost({ tokens, ...(sum === undefined ? {} : { cost: sum }) }, 'USD')).toBe(words);
  });

  it('count one and many [H12]', () => {
    expect([
      counted(1, 'agent'),
      counted(2_000, 'agent'),
      counted(0, 'message waits', 'messages wait'),
    ]).toEqual(['1 agent', '2,000 agents', '0 messages wait']);
    expect([bytes(1), bytes(2_048), bytes(3_145_728)]).toEqual(['1 byte', '2.0 KiB', '3.0 MiB']);
  });
});

describe('an agent in words', () => {
  const jam = agent('root-id', { label: 'jam' });
  it.each([
    [agent('x', { label: '' }), undefined, 'root'],
    [agent('x', { parent: 'root-id' }), jam, 'child of jam'],
    [agent('x', { parent: 'root-id', kind: 'one-shot' }), jam, 'one-shot child of jam'],
    [agent('x', { parent: 'gone-parent-of-it' }), undefined, 'child of gone-par…'],
    [agent('x', { kind: 'continuable', orphan: true }), undefined, 'child, its parent is gone'],
  ])('is said to be whose it is %# [H13]', (node, parent, words) => {
    expect(kinship(node, parent)).toBe(words);
  });

  it.each([
    [{ can: { prompt: true, interrupt: false, stop: false } }, undefined],
    [{ state: 'damaged' }, /log is damaged/],
    [{ kind: 'one-shot' }, /not continuable/],
    [{ orphan: true }, /its parent is gone/],
    [{ kind: 'continuable', parent: 'r' }, /root is not live/],
    [{}, /stored only/],
  ] as const)('that cannot be written to says why: %o [H13]', (more, sentence) => {
    const node = agent('x', { can: { prompt: false, interrupt: false, stop: false }, ...more });
    if (sentence === undefined) expect(promptHindrance(node)).toBeUndefined();
    else expect(promptHindrance(node)).toMatch(sentence);
  });

  it('is named by its label, else by a part of its id, and never by what is invisible [H12]', () => {
    expect(nameOf(agent('x', { label: 'a\u202eb' }), 'x')).toBe('a[U+202E]b');
    expect(nameOf(undefined, '01a22f54-ab1f-764f')).toBe('01a22f54…');
  });

  it('that has ended otherwise than by completing says how [H12]', () => {
    expect(stateWord({ state: 'settled', outcome: 'completed' })).toBe('settled');
    expect(stateWord({ state: 'settled', outcome: 'error' })).toBe('error');
    expect(stateWord({ state: 'running', outcome: 'error' })).toBe('running');
    const stopped = turnEndWords(3, 'aborted', 'user');
    const failed = turnEndWords(3, 'error', 'BUSY: too many');
    expect([stopped, failed, turnEndWords(3, 'aborted', 'odd'), turnEndWords(3, 'new-reason')]).toEqual([
      'Turn 4 was stopped by a person',
      'Turn 4 failed: BUSY: too many',
      'Turn 4 was stopped: odd',
      'Turn 4 ended: new-reason',
    ]);
  });

  it.each([
    [{ interrupted: true, finish: 'other' }, ['interrupted']],
    [{ finish: 'max-tokens' }, ['max-tokens']],
    [{ finish: 'tool-calls' }, []],
  ] as const)('whose answer ended as %j has one mark for it at most [H12]', (answer, marks) => {
    expect(answerMarks(answer)).toEqual(marks);
  });

  it('that was interrupted says what waits, and what goes on [H13]', () => {
    expect(interruptSentence({ turn: 2, kept: 1, descendantsRunning: 2 })).toBe(
      'Turn 3 was interrupted. 1 message waits until somebody writes to it. 2 agents below it go on.',
    );
    expect(interruptSentence({ kept: 0, descendantsRunning: 0 })).toBe(
      'It was between turns, and is held there.',
    );
  });
});

describe('who wrote to whom', () => {
  const edge = (
    key: string,
    time: number,
    from: string | undefined,
    to: string,
    more: Partial<FlowEdge> = {},
  ): FlowEdge => ({
    ...{
      key,
      time,
      to,
      seq: 4,
      messageId: key,
      text: `text ${key}`,
      kind: from === undefined ? 'human' : 'agent',
    },
    ...(from === undefined ? {} : { from }),
    ...more,
  });
  const flow = flowOf({
    root: 'r',
    truncated: false,
    edges: [
      edge('3', 30, 'a', 'r'),
      edge('1', 10, undefined, 'r'),
      edge('2', 20, 'r', 'a', { kind: 'task' }),
    ],
  });

  it('has a lane for each who takes part, people first, then the root, and arrows in their order [H12]', () => {
    const { lanes, arrows, earlier } = pictureOf(flow, { most: 10 });
    expect(lanes).toEqual([personLane, 'r', 'a']);
    expect(arrows.map(({ edge: { key }, row, from, to }) => [key, row, from, to])).toEqual([
      ['1', 0, 0, 1],
      ['2', 1, 1, 2],
      ['3', 2, 2, 1],
    ]);
    expect(earlier).toBe(0);
  });

  it('shows the newest ones, or those of one agent [H12]', () => {
    expect(pictureOf(flow, { most: 1 })).toMatchObject({ earlier: 2, lanes: ['r', 'a'] });
    expect(pictureOf(flow, { most: 9, about: 'a' }).arrows.map(({ edge: { key } }) => key)).toEqual([
      '2',
      '3',
    ]);
  });

  it('takes in what comes late in its place, and what comes twice once [H12]', () => {
    const next = withEdges(flow, [edge('0', 5, undefined, 'r'), edge('3', 30, 'a', 'r')]);
    expect(next.edges.map(({ key }) => key)).toEqual(['0', '1', '2', '3']);
    expect(withEdges(flow, [])).toBe(flow);
  });

  it('is told in a sentence, and leads to where the message is read [H12]', () => {
    const tree = treeOf(stateOf([agent('r', { label: 'jam' }), agent('a', { parent: 'r', label: 'pears' })]));
    const notice = edge('9', 0, 'a', 'r', { kind: 'notice', outcome: 'completed' });
    expect(arrowWords(notice, tree)).toMatch(/Notice of the runtime \(completed\), pears to jam: text 9$/);
    expect(arrowWords(edge('1', 0, undefined, 'r'), tree)).toMatch(/Person, Person to jam/);
    expect(edgeRoute(notice)).toBe('#/s/r/transcript/4');
  });
});
