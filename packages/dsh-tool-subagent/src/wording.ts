/** [pure] Every text of this package that a model reads. They are pinned word for word. */

/** What a new child will know, by what its provider gives it (T7). */
export type ChildKnowledge = 'nothing' | 'completed-turns';

export interface DelegationFacts {
  readonly mode: 'one-shot' | 'continuable';
  readonly knows: ChildKnowledge;
}

export function delegationDescription({ mode, knows }: DelegationFacts): string {
  return `Delegate a task to ${knows === 'nothing' ? 'a new subagent' : 'a copy of yourself'}. ${knowledge[knows]} ${waiting[mode]}`;
}

export const knowledge: Readonly<Record<ChildKnowledge, string>> = {
  nothing:
    'It knows nothing of this conversation: the prompt must hold everything that it needs, and say what to report.',
  'completed-turns':
    'It knows this conversation up to the end of your last completed turn, but nothing of the present turn: the ' +
    'prompt must hold what it needs of that, and say what to report.',
};

const waiting: Readonly<Record<DelegationFacts['mode'], string>> = {
  continuable:
    'It works in the background. The result is its id, with which you can write to it, also after it has finished. ' +
    'It writes to you when it has something to report, and you are told when it has ended. Do not wait for it in a ' +
    'loop: end your turn when there is nothing else to do. With run_in_background false you wait for one result ' +
    'instead, and cannot write to it afterwards.',
  'one-shot':
    'You wait for its result, and cannot write to it afterwards. With run_in_background true you go on at once, and ' +
    'are told its result when it has ended.',
};

export const descriptionOfLabel = 'A name for the task in three to five words.';
export const descriptionOfPrompt = 'The task.';
export const descriptionOfBackground: Readonly<Record<DelegationFacts['mode'], string>> = {
  continuable: 'Default true. False: wait for one result.',
  'one-shot': 'Default false. True: go on at once.',
};

const plainId = /^[A-Za-z0-9._-]+$/;
const longestShown = 200;
/** What a cut leaves of a surrogate pair. */
const halfPair = /[\ud800-\udbff]$/;

/** An id as it is where nothing in it could mislead, else as JSON. */
function shownId(id: string): string {
  if (plainId.test(id) && id.length <= longestShown) return id;
  return JSON.stringify(
    id.length > longestShown ? `${id.slice(0, longestShown).replace(halfPair, '')}…` : id,
  );
}

export function started(id: string): string {
  return `started subagent ${shownId(id)}`;
}

export const blankPrompt = 'No subagent was started: the prompt is empty.';
export const blankLabel = 'No subagent was started: the description is empty.';
export const emptyResult = 'The subagent has finished and left no text.';

export function endedEarly(id: string, reason: string, output: string): string {
  const first = `Subagent ${shownId(id)} did not complete its task: it ended with ${reason}.`;
  return output.trim() === '' ? `${first} It left no text.` : `${first} Its text so far:\n\n${output}`;
}

export function runFailed(id: string): string {
  return `Subagent ${shownId(id)} could not be run to its end. It left no text.`;
}

/** What failed, in the words of the runtime where these are for models. */
export function notStarted(code: string, message: string): string {
  switch (code) {
    case 'DEPTH_EXCEEDED':
    case 'LIMIT_REACHED':
      return sentence(message);
    case 'DRAINING':
      return 'No subagent was started: agents are being shut down here. Do not try again.';
    case 'ACTIVATION_CLOSING':
    case 'UNAUTHORIZED':
      return 'No subagent was started: you are being shut down.';
    case 'NO_PROVIDER':
    case 'PROVIDER_FAILED':
    case 'UNSUPPORTED_CAPABILITY':
      return `No subagent was started: delegation does not work at present (${code}). Do this work yourself.`;
    default:
      return `No subagent was started: it was refused (${code}). Do this work yourself.`;
  }
}

function sentence(message: string): string {
  if (/^No (?:subagent|child) was started/.test(message)) return message;
  return `No subagent was started: ${message.replace(/^Not delivered: /, '')}`;
}

export const startCancelled = 'The call was cancelled before a subagent was started.';
export const startFailed = 'No subagent was started: the program failed. Do this work yourself.';

export const listDescription =
  'List the subagents that you started: their ids, what they are called, and what they are doing.';
export const descriptionOfScope =
  'children (default): those that you started yourself; descendants: those that they started as well.';
export const nobody = 'You have no subagents.';

export interface ListedAgent {
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  readonly mode: string;
  readonly condition: string | undefined;
  readonly lastOutcome: string | undefined;
}

export function listedAgent({ id, label, depth, mode, condition, lastOutcome }: ListedAgent): string {
  const ended = lastOutcome === undefined ? 'ended' : `ended: ${lastOutcome}`;
  const once = mode === 'one-shot' ? ', cannot be written to' : '';
  return `${'  '.repeat(depth)}${shownId(id)} ${JSON.stringify(label)} (${condition ?? ended}${once})`;
}

export function listedProblem(id: string, code: string, depth: number): string {
  return `${'  '.repeat(depth)}${shownId(id)} (cannot be read: ${code})`;
}

export function moreAgents(shown: number): string {
  return `Only the first ${shown} are shown.`;
}

export const readDescription =
  'Read what a subagent that you started has done: a page of its conversation, oldest first. It is not disturbed ' +
  'by that.';
export const descriptionOfReadId = 'The id of the subagent.';
export const descriptionOfFrom =
  'The place to begin at. Default: where its own work begins. The end of a page names the next place.';
export const descriptionOfLimit =
  'How many places to look at: 1 to 200. Default 50. Long texts are cut; with limit 1 a text is shown whole.';

export const emptyPage = 'Nothing is recorded there.';
/** Where a text was cut. `at`: its place, where it can be read alone. */
export function cutText(left: number, at: number | undefined): string {
  const rest = at === undefined ? '' : `; call read_agent with from ${at} and limit 1 to read all`;
  return `… (${left} more characters${rest})`;
}

export const lastPage = '(end)';
export function nextPage(from: number): string {
  return `(goes on: call read_agent with from ${from})`;
}

export const interruptDescription =
  'Interrupt what a subagent is doing at present. It keeps what it knows, what waits for it, and its own subagents; ' +
  'it goes on when it is written to.';
export const descriptionOfInterruptId = 'The id of the subagent.';

export function interrupted(id: string, facts: { turn: boolean; kept: number; descendants: number }): string {
  const { turn, kept, descendants } = facts;
  const what = turn
    ? `The turn of subagent ${shownId(id)} was interrupted.`
    : `Subagent ${shownId(id)} was not at work; nothing was interrupted.`;
  const waits = kept === 0 ? '' : ` Messages that wait for it: ${kept}.`;
  const below = descendants === 0 ? '' : ` Subagents below it that go on: ${descendants}.`;
  return `${what}${waits}${below}`;
}

/** `what` is a phrase such as `Nothing was read`. */
export function refused(what: string, code: string, target: string, below: readonly string[]): string {
  switch (code) {
    case 'UNAUTHORIZED':
      return `${what}: ${shownId(target)} is not the id of a subagent of yours. ${known(below)}`;
    case 'DRAINING':
    case 'ACTIVATION_CLOSING':
      return `${what}: agents are being shut down here. Do not try again.`;
    default:
      return `${what}: it was refused (${code}).`;
  }
}

function known(ids: readonly string[]): string {
  if (ids.length === 0) return nobody;
  return `Your newest subagents: ${ids.map((id) => JSON.stringify(id)).join(', ')}.`;
}
