/** [pure] What a failure says in words. Where the SDK's own sentence says nothing, the body or the cause does. */

/** The longest part of a body that is shown. */
const longest = 300;

/** `message` with what the body adds to it. Pages made for people, and what `message` says already, add nothing. */
export function withBody(message: string, body: string): string {
  const added = saidIn(body).trim().slice(0, longest);
  return added === '' || added.startsWith('<') || message.includes(added) ? message : `${message}: ${added}`;
}

function saidIn(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  const { error, message, detail, msg } = membersOf(parsed);
  const said = [membersOf(error)['message'], message, detail, error, msg];
  return said.find((text) => typeof text === 'string') ?? '';
}

/** The SDK says this alone of an answer that broke off or was none. */
const wrapper = /^Failed to process (?:successful|error) response$/;

export function unwrapped(message: string, cause: unknown): string {
  const below = membersOf(cause)['message'];
  return wrapper.test(message) && typeof below === 'string' && below !== ''
    ? `the answer could not be read: ${below}`
    : message;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
