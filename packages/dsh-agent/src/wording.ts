/** [pure] Every text that this package itself shows to a model. */

type Place = readonly PropertyKey[] | undefined;

export function unknownTool(name: string, known: readonly string[]): string {
  const rest = known.length === 0 ? 'There are no tools.' : `Known tools: ${known.join(', ')}.`;
  return `Unknown tool ${JSON.stringify(name)}. ${rest}`;
}

export function malformedArguments(name: string): string {
  return `The arguments of ${name} are not valid JSON. The tool was not run. Call it again with one JSON object.`;
}

export function invalidArguments(
  name: string,
  issues: readonly { readonly message: string; readonly path?: Place }[],
): string {
  const lines = issues.map(({ message, path }) => `- ${place(path)}${message}`);
  return [`The arguments of ${name} do not fit. The tool was not run.`, ...lines].join('\n');
}

function place(path: Place): string {
  return path === undefined || path.length === 0 ? '' : `${path.map(String).join('.')}: `;
}

export function toolFailed(name: string, message: string): string {
  return message === '' ? `${name} failed.` : `${name} failed: ${message}`;
}

export function invalidOutput(name: string, message: string): string {
  return `${name} ran, but its output could not be kept: ${message}`;
}

export function invalidReplacement(name: string, message: string): string {
  return `${name} was not run, and what a hook gave in its place could not be kept: ${message}`;
}

export function notApproved(name: string): string {
  return `${name} was not run: it needs an approval that was not given.`;
}

export const notStarted = 'Not started: the turn was cancelled before this call began.';

export const incompleteAnswer = 'Not started: the answer that holds this call was cut short.';

export const outcomeUnknown =
  'Outcome unknown: the turn was cancelled while this call ran, and it did not end in time. It may have had effects.';
