import { describe, expect, it } from 'vitest';
import {
  canSend,
  messageIdOf,
  noDraft,
  promptProblem,
  withDraft,
  type Draft,
  type DraftEvent,
  type Drafts,
} from '../../page/src/state/drafts.ts';
import { keyCommand, sendsPrompt } from '../../page/src/state/keys.ts';

const typed = (text: string): DraftEvent => ({ type: 'typed', text });
const sent = (messageId: string): DraftEvent => ({ type: 'sent', messageId });
const answered = (type: 'accepted' | 'refused' | 'unsure', messageId: string, sentence = ''): DraftEvent => ({
  ...{ type, messageId, sentence },
});

const play = (events: readonly DraftEvent[], to = 'a', from: Drafts = new Map()): Drafts =>
  events.reduce((drafts, event) => withDraft(drafts, to, event), from);
const of = (events: readonly DraftEvent[]): Draft => play(events).get('a') ?? noDraft;

describe('a draft', () => {
  it.each<[string, readonly DraftEvent[], Draft]>([
    ['is what was typed', [typed('Hi')], { text: 'Hi', phase: { kind: 'writing' } }],
    [
      'does not change while it is sent',
      [typed('Hi'), sent('1'), typed('Hi!')],
      { text: 'Hi', messageId: '1', phase: { kind: 'sending' } },
    ],
    [
      'is sent once',
      [typed('Hi'), sent('1'), sent('2')],
      { text: 'Hi', messageId: '1', phase: { kind: 'sending' } },
    ],
    ['is not sent blank', [typed('  '), sent('1')], { text: '  ', phase: { kind: 'writing' } }],
    [
      'is empty once it was accepted',
      [typed('Hi'), sent('1'), answered('accepted', '1')],
      { text: '', phase: { kind: 'accepted' } },
    ],
    [
      'keeps its text and its id after a refusal',
      [typed('Hi'), sent('1'), answered('refused', '1', 'No.')],
      { text: 'Hi', messageId: '1', phase: { kind: 'refused', sentence: 'No.' } },
    ],
    [
      'keeps its id when it is sent again without an answer',
      [typed('Hi'), sent('1'), answered('unsure', '1', '?'), sent('1')],
      { text: 'Hi', messageId: '1', phase: { kind: 'sending' } },
    ],
    [
      'is another message, of another id, when its text has changed',
      [typed('Hi'), sent('1'), answered('unsure', '1', '?'), typed('Hi!')],
      { text: 'Hi!', phase: { kind: 'writing' } },
    ],
    [
      'is not emptied by an answer to another message',
      [typed('Hi'), sent('1'), answered('unsure', '1', '?'), typed('Ho'), answered('accepted', '1')],
      { text: 'Ho', phase: { kind: 'writing' } },
    ],
  ])('%s [H13]', (_what, events, draft) => {
    expect(of(events)).toEqual(draft);
  });

  it('belongs to one addressee, whatever happens at another [H13]', () => {
    const drafts = play([typed('For a'), sent('1')], 'a', play([typed('For b')], 'b'));
    const after = play([answered('accepted', '1')], 'b', drafts);
    expect(after.get('b')?.text).toBe('For b');
    expect(after.get('a')?.phase.kind).toBe('sending');
    expect(withDraft(drafts, 'b', typed('For b'))).toBe(drafts);
  });

  it('can be sent when there is something in it, and nothing under way [H13]', () => {
    expect(canSend(noDraft)).toBe(false);
    expect(canSend(of([typed('Hi')]))).toBe(true);
    expect(canSend(of([typed('Hi'), sent('1')]))).toBe(false);
  });

  it.each([
    ['ok', undefined],
    ['a'.repeat(65_536), undefined],
    ['a'.repeat(65_537), /65,537 bytes/],
    ['ä'.repeat(32_769), /65,538 bytes/],
    ['😀'.repeat(16_385), /65,540 bytes/],
    [' \n', /nothing to send/],
  ])('of %s is as long as the server takes, in bytes [H13]', (text, problem) => {
    if (problem === undefined) expect(promptProblem(text)).toBeUndefined();
    else expect(promptProblem(text)).toMatch(problem);
  });

  it('has an id that the server takes [H13]', () => {
    expect(messageIdOf(new Uint8Array([0, 255, 16]))).toBe('page-00ff10');
    expect(messageIdOf(new Uint8Array(12))).toMatch(/^[\w-]{8,64}$/);
  });
});

describe('the Enter key', () => {
  const press = {
    ...{ key: 'Enter', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false },
    ...{ isComposing: false, sinceComposition: Infinity },
  };
  it.each([
    ['sends', {}, true],
    ['with Shift makes a line', { shiftKey: true }, false],
    ['belongs to an input method that composes', { isComposing: true }, false],
    ['that ends a composition belongs to it too', { sinceComposition: 3 }, false],
    ['sends again after that', { sinceComposition: 500 }, true],
    ['with Control is left alone', { ctrlKey: true }, false],
    ['is no other key', { key: 'a' }, false],
  ])('%s [H13]', (_what, more, sends) => {
    expect(sendsPrompt({ ...press, ...more })).toBe(sends);
  });
});

describe('keys of the page', () => {
  const press = { ctrlKey: false, altKey: false, metaKey: false, isComposing: false, writing: false };
  it.each([
    ['j', {}, 'next'],
    ['k', {}, 'previous'],
    ['/', {}, 'search'],
    ['?', {}, 'help'],
    ['j', { writing: true }, undefined],
    ['Escape', { writing: true }, 'leave'],
    ['Escape', { isComposing: true }, undefined],
    ['k', { ctrlKey: true }, undefined],
    ['x', {}, undefined],
  ] as const)('%s with %o means something, or nothing [H12]', (key, more, command) => {
    expect(keyCommand({ ...press, key, ...more })).toBe(command);
  });
});
