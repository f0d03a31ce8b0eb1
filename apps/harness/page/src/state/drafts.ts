/**
 * [pure] What a person is writing, and to whom.
 * I1. A draft belongs to one addressee for ever: it is kept, sent and answered under that id alone.
 * I2. A text that was sent keeps its message id until it is accepted, so that sending it again is accepted once. A
 *     changed text is another message.
 */

export type DraftPhase =
  | { readonly kind: 'writing' }
  | { readonly kind: 'sending' }
  /** It is in the inbox. */
  | { readonly kind: 'accepted' }
  /** It was not accepted, and will not be by itself. */
  | { readonly kind: 'refused'; readonly sentence: string }
  /** No answer came: it can be sent again safely. */
  | { readonly kind: 'unsure'; readonly sentence: string };

export interface Draft {
  readonly text: string;
  readonly messageId?: string | undefined;
  readonly phase: DraftPhase;
}

/** Addressee -> draft. */
export type Drafts = ReadonlyMap<string, Draft>;

export const noDraft: Draft = { text: '', phase: { kind: 'writing' } };

export type DraftEvent =
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'sent'; readonly messageId: string }
  | {
      readonly type: 'accepted' | 'refused' | 'unsure';
      readonly messageId: string;
      /** For people; empty where it was accepted. */
      readonly sentence: string;
    };

export function withDraft(drafts: Drafts, to: string, event: DraftEvent): Drafts {
  const old = drafts.get(to) ?? noDraft;
  const next = after(old, event);
  if (next === old) return drafts;
  return new Map(drafts).set(to, next);
}

function after(old: Draft, event: DraftEvent): Draft {
  switch (event.type) {
    case 'typed':
      if (old.phase.kind === 'sending' || event.text === old.text) return old;
      return { text: event.text, phase: { kind: 'writing' } };
    case 'sent':
      if (!canSend(old)) return old;
      return { text: old.text, messageId: event.messageId, phase: { kind: 'sending' } };
    case 'accepted':
      if (old.messageId !== event.messageId) return old;
      return { text: '', phase: { kind: 'accepted' } };
    case 'refused':
    case 'unsure':
      if (old.messageId !== event.messageId) return old;
      return { ...old, phase: { kind: event.type, sentence: event.sentence } };
  }
}

export const canSend = ({ text, phase }: Draft): boolean => text.trim() !== '' && phase.kind !== 'sending';

/** The bound of the server, in bytes of UTF-8. */
const promptLimit = 65_536;

/** Why a text is not sent at all. */
export function promptProblem(text: string): string | undefined {
  if (text.trim() === '') return 'There is nothing to send yet.';
  const bytes = utf8Length(text);
  if (bytes <= promptLimit) return undefined;
  return `This is too long: ${bytes.toLocaleString('en')} bytes, and ${promptLimit.toLocaleString('en')} can be sent. Nothing was sent.`;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Makes an id for a message from random bytes. */
export function messageIdOf(bytes: Uint8Array): string {
  return `page-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
