/** [pure] Every text of this package that a model reads. They are pinned word for word. */

export const toolName = 'send_message';

export const toolDescription =
  'Send a message to an agent that you work with: to a child that you started, with the id that starting it ' +
  'returned, or to the agent that started you, with the id that it gave you. A child that has finished can be ' +
  'written to as well; it goes on with everything that it knew. The result says that the message was accepted, ' +
  'not that it was read: an answer, if there is one, comes as a message of its own.';

export const agentIdDescription = 'The id of the agent that gets the message.';
export const messageDescription =
  'The text. It must be understood without the rest of your conversation, which the other agent does not see.';

const plainId = /^[A-Za-z0-9._-]+$/;
const longestShown = 200;
/** What a cut leaves of a surrogate pair. */
const halfPair = /[\ud800-\udbff]$/;

/** What a model wrote as an id, as it is where nothing in it could mislead, else as JSON. */
function shownId(id: string): string {
  if (plainId.test(id) && id.length <= longestShown) return id;
  const part = id.length > longestShown ? `${id.slice(0, longestShown).replace(halfPair, '')}…` : id;
  return JSON.stringify(part);
}

export function accepted(target: string): string {
  return `The message to agent ${shownId(target)} was accepted.`;
}

export const blankMessage =
  'Message not sent: it is empty. Call send_message again with a text, or do without a message.';

export function tooLarge(bytes: number, limit: number): string {
  return (
    `Message not sent: it has ${bytes} bytes, and at most ${limit} are allowed. Send the part that matters, ` +
    'or several messages.'
  );
}

export const noCaller = `${toolName} was called without a calling agent. Nothing was delivered.`;

export function mayHaveArrived(target: string, how: 'cancelled' | 'failed'): string {
  const what = how === 'cancelled' ? 'The call was cancelled' : 'The call failed';
  return (
    `${what} before its outcome was known. The message to agent ${shownId(target)} may or may not have been ` +
    'delivered. Do not take it for delivered, and do not repeat it unless it may arrive twice.'
  );
}

/** What a model is told of an error by which nothing was delivered. */
export interface RefusalFacts {
  readonly code: string;
  readonly target: string;
  /** Ids that the sender can reach. */
  readonly reachable: readonly string[];
  /** What a limit says of itself. */
  readonly message: string;
}

export function refusal({ code, target, reachable, message }: RefusalFacts): string {
  return `Message not delivered: ${reason(code, shownId(target), reachable, message)}`;
}

function reason(code: string, target: string, reachable: readonly string[], message: string): string {
  switch (code) {
    case 'UNAUTHORIZED':
      return `no agent with the id ${target} can be reached from here. ${reach(reachable)}`;
    case 'NOT_RESUMABLE':
      return `agent ${target} cannot be continued. Start a new subagent for the rest of its work.`;
    case 'PARENT_UNAVAILABLE':
      return 'the agent that started you is gone. Finish your work and put the result into your final answer.';
    case 'BUSY_ELSEWHERE':
      return `agent ${target} is in use by another process. Go on with other work and try again later.`;
    case 'DRAINING':
      return 'agents are being shut down here. Do not send again.';
    case 'ACTIVATION_CLOSING':
      return 'one of the two agents is being shut down. Do not send again in this turn.';
    case 'LIMIT_REACHED':
      return `a limit was reached. ${withoutOpening(message)}`;
    case 'INBOX_FULL':
      return `too many messages wait at agent ${target}. Go on with other work and try again later.`;
    default:
      return `it was refused (${code}). Go on without this message.`;
  }
}

function reach(ids: readonly string[]): string {
  if (ids.length === 0) return 'No agent can be reached at present.';
  return `Ids that can be reached: ${ids.map((id) => JSON.stringify(id)).join(', ')}.`;
}

function withoutOpening(message: string): string {
  return message.replace(/^Not delivered: /, '').replace(/^./u, (first) => first.toUpperCase());
}
