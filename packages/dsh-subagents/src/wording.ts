/**
 * [pure] Every text of this package that a model reads.
 * I1. What the runtime says stands before what a child wrote, so that no child can add to it.
 * I2. A line of a child or a sender that looks like the runtime's own opening is quoted (M16).
 */
import type { ContentBlock, SessionId } from '@deepseek-ai/dsh-session';
import type { Outcome } from './outcome.ts';

/** How every settlement notice begins, and no message of an agent does. */
export const noticeOpening = 'Notice from the subagent runtime:';
const messageOpening = 'Agent ';
const messageEnding = ' sent a message:';

/** Separators first where they pair up; then all that some reader takes for the end of a line. */
const lineEnds = /(\r\n|[\n\v\f\r\u0085\u2028\u2029])/;
/** A blank, or a character that nobody sees. */
const blank = /[\s\p{Cf}\p{Cc}]/u;
/** What JSON leaves alone and some readers take for the end of a line or do not show. */
const unshown = /[\u007f-\u009f\u2028\u2029]/g;
const plainId = /^[A-Za-z0-9._-]+$/;
const longestLabel = 200;
const mostReachable = 10;

/** The content of an agent's message as its receiver's log holds it (M16). */
export function framedContent(
  senderId: SessionId,
  content: readonly ContentBlock[],
): readonly ContentBlock[] {
  return [
    { type: 'text', text: `${messageOpening}${shownId(senderId)}${messageEnding}` },
    ...content.map(quotedBlock),
  ];
}

function quotedBlock(block: ContentBlock): ContentBlock {
  if (block.type === 'text') return { ...block, text: quotedLines(block.text) };
  return block.type === 'tool-result' ? { ...block, content: block.content.map(quotedBlock) } : block;
}

/** Puts `> ` in front of each line that could be taken for the beginning of a message or a notice. */
export function quotedLines(text: string): string {
  // Splitting at a group keeps the separators: the lines stand at the even places.
  return text
    .split(lineEnds)
    .map((part, index) => (index % 2 === 0 && looksOfficial(part) ? `> ${part}` : part))
    .join('');
}

function looksOfficial(line: string): boolean {
  const text = withoutEdges(line);
  if (text.startsWith(noticeOpening)) return true;
  return text.startsWith(messageOpening) && text.endsWith(messageEnding);
}

/** By hand: a pattern for the trailing blanks would look at a long run of them once for each of its members. */
function withoutEdges(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && blank.test(line.charAt(start))) start += 1;
  while (end > start && blank.test(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

/** What the notice of an ended child says. */
export interface NoticeFacts {
  /** The child. */
  readonly childId: SessionId;
  /** Its short name; shown in one line and bounded. */
  readonly label: string;
  /** How it ended. */
  readonly outcome: Outcome;
}

/** What a parent reads when a child has ended (M34). `maxCharacters` bounds the child's own text in it. */
export function noticeText(
  facts: NoticeFacts & { readonly output: string | undefined; readonly maxCharacters: number },
): string {
  const { childId, label, outcome, output, maxCharacters } = facts;
  const first = `${noticeOpening} child ${shownId(childId)}, labelled ${shownLabel(label)}, has ended with outcome ${outcome}.`;
  if (outcome === 'teardown-failed')
    return `${first} Its final text is withheld, because it could not be shut down cleanly.`;
  if (output === undefined || output.trim() === '') return `${first} It left no final text.`;
  const shown = boundedQuote(output, maxCharacters);
  if (shown.whole) return `${first} Its final text:\n\n${shown.text}`;
  const howMuch = `the first ${shown.taken} of ${output.length} characters`;
  const rest = `read_agent with agent_id ${JSON.stringify(childId)} shows the rest`;
  return `${first} Its final text (${howMuch}; ${rest}):\n\n${shown.text}`;
}

/** A notice for people, in one line. */
export function noticeSummary({ childId, label, outcome }: NoticeFacts): string {
  return `child ${shownId(childId)} ${shownLabel(label)} ended: ${outcome}`;
}

/** Cuts before it quotes: a cut can make a line lone. */
function boundedQuote(text: string, max: number): { text: string; taken: number; whole: boolean } {
  let part = cut(text, max);
  let quoted = quotedLines(part);
  while (quoted.length > max && part !== '') {
    part = cut(part, part.length - Math.min(part.length, quoted.length - max));
    quoted = quotedLines(part);
  }
  return { text: quoted, taken: part.length, whole: part.length === text.length };
}

/** At most `max` UTF-16 units, never half of a pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const before = text.charCodeAt(max - 1);
  const split = before >= 0xd800 && before <= 0xdbff && isLowSurrogate(text.charCodeAt(max));
  return text.slice(0, Math.max(0, split ? max - 1 : max));
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Follows a child's task (M37). */
export function guidanceText(parentId: SessionId): string {
  return (
    `The agent that gave you this task has the id ${JSON.stringify(parentId)}. It does not see what you write here. ` +
    `Before you finish, send it one self-contained result: call send_message with that id as agent_id. ` +
    `Send it earlier whatever it could act on at once.`
  );
}

/** Stands before the task of a fork (M38). */
export function forkTaskText(): string {
  return (
    'You are a delegated copy. The history above is that of your parent, up to the last turn that it had completed. ' +
    'What was delegated there is under way or done: do not delegate it again. Your own task is the following.'
  );
}

/** Follows the task of a one-shot agent that is to give a structured result (M49). */
export function deliveryText(): string {
  return 'Deliver your result by calling deliver_result exactly once. Nothing else that you write is taken as the result.';
}

export function deliveryToolText(): string {
  return 'Delivers the result of your task. Its arguments are the result.';
}

export function deliveredText(): string {
  return 'Delivered. Nothing is left to do.';
}

/** The arguments were wrong a second time. */
export function notDeliveredText(): string {
  return 'This is no valid result either, and there is no further attempt.';
}

/** Asks for a result that a turn has ended without. */
export function deliveryReminderText(): string {
  return 'No result has arrived. Call deliver_result now, with the result of your task as its arguments.';
}

/** One text for everything that is not adjacent, so that nothing is revealed (M12, M39). */
export function unauthorizedText(reachable: readonly SessionId[]): string {
  const ids = reachable.slice(0, mostReachable).map((id) => JSON.stringify(id));
  const who =
    ids.length === 0 ? 'No agent can be reached at present.' : `Ids that can be reached: ${ids.join(', ')}.`;
  return `Not delivered: no agent with that id can be reached from here. ${who}`;
}

/** `reason` is a phrase (M11, M21). */
export function notResumableText(childId: SessionId, reason: string): string {
  return `Not delivered: child ${shownId(childId)} cannot be resumed: ${reason}.`;
}

export function parentUnavailableText(parentId: SessionId): string {
  return `Not delivered: the parent ${shownId(parentId)} is not live, and nothing is kept for it.`;
}

/** `holder` says who has the writer's place, as far as that is known (M23). */
export function busyElsewhereText(
  childId: SessionId,
  holder?: { readonly pid?: number; readonly host?: string },
): string {
  const pid = holder?.pid === undefined ? '' : ` ${String(holder.pid)}`;
  const host = holder?.host === undefined ? '' : ` on ${shownText(holder.host)}`;
  return `Not delivered: child ${shownId(childId)} is held by another process${pid}${host}.`;
}

export function drainingText(what: string): string {
  return `${what}: agents are being shut down here, and nothing new is accepted.`;
}

export function closingText(what: string, id: SessionId): string {
  return `${what}: agent ${shownId(id)} is being shut down.`;
}

/** What a model reads of a limit, and what it can do (M46, M47). */
export function depthExceededText(depth: number, limit: number): string {
  return (
    `No child was started: it would stand at level ${depth}, and the limit here is level ${limit}. ` +
    `Do this work yourself.`
  );
}

const limitNames = {
  maxLive: ['children are live in this tree', 'Wait until one of them has ended, or do this work yourself.'],
  maxTotal: ['children were started in this tree', 'Write to a child that exists, or do this work yourself.'],
} as const;

export function limitText(
  what: string,
  {
    limit,
    count,
    most,
  }: { readonly limit: keyof typeof limitNames; readonly count: number; readonly most: number },
): string {
  const [counted, advice] = limitNames[limit];
  return `${what}: ${count} ${counted}, and the limit ${limit} is ${most}. ${advice}`;
}

export function hopLimitText(what: string, hops: number, limit: number): string {
  return (
    `${what}: this message would be ${hops} steps away from the last human message, and the limit is ${limit}. ` +
    `Finish your turn; a person has to write first.`
  );
}

/** An id as it is where nothing in it could mislead, else as JSON. */
function shownId(id: SessionId): string {
  return plainId.test(id) ? id : shownText(id);
}

function shownLabel(label: string): string {
  return shownText(label.length > longestLabel ? `${cut(label, longestLabel - 1)}…` : label);
}

/** JSON in one line whose every character is seen. */
function shownText(text: string): string {
  return JSON.stringify(text).replace(
    unshown,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
