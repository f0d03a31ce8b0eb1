/**
 * [pure] Names and ids of calls as providers take them. A log keeps what a model wrote, also the name of a tool that does
 * not exist or an id of another provider; where a provider refuses the form, it would refuse every later request.
 * I1. A tool that is offered keeps its name, and whatever has the common form stays as it is.
 * I2. A call and its result are spelled alike.
 */
export interface Spelling {
  name(name: string): string;
  callId(callId: string): string;
}

/** `plainIds`: the provider takes ids of the common form alone. Others have forms of their own, and want them back. */
export function spellingFor(tools: readonly { readonly name: string }[], plainIds: boolean): Spelling {
  const offered = new Set(tools.map(({ name }) => name));
  return {
    name: (name) => (offered.has(name) || commonName.test(name) ? name : plainName(name)),
    callId: (callId) => (plainIds ? callId.replace(/[^\w-]/gu, byNumber) : callId),
  };
}

const commonName = /^[\w-]{1,64}$/;

function plainName(name: string): string {
  return name.replace(/[^\w-]/gu, '_').slice(0, 64) || 'unnamed';
}

/** Two ids that differ still do. */
function byNumber(character: string): string {
  return `_${(character.codePointAt(0) ?? 0).toString(16)}_`;
}
