/** [pure] What a key means, outside of text fields and inside of them. */

export type KeyCommand = 'next' | 'previous' | 'search' | 'help' | 'leave' | 'write' | 'end' | 'theme';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  /** The focus is in a text field. */
  readonly writing: boolean;
}

const commands = new Map<string, KeyCommand>([
  ['j', 'next'],
  ['k', 'previous'],
  ['/', 'search'],
  ['?', 'help'],
  ['i', 'write'],
  ['G', 'end'],
  ['t', 'theme'],
]);

export function keyCommand(press: KeyPress): KeyCommand | undefined {
  if (press.isComposing || press.ctrlKey || press.altKey || press.metaKey) return undefined;
  if (press.key === 'Escape') return 'leave';
  return press.writing ? undefined : commands.get(press.key);
}

/** Some browsers tell of the Enter that ends a composition just after it, as of any other. */
const afterComposition = 50;

/** Enter sends; with Shift it is a new line, and while an input method composes it belongs to that. */
export function sendsPrompt(
  press: Omit<KeyPress, 'writing'> & {
    readonly shiftKey: boolean;
    /** Milliseconds since an input method has ended a composition. */
    readonly sinceComposition: number;
  },
): boolean {
  if (press.key !== 'Enter' || press.isComposing || press.sinceComposition < afterComposition) return false;
  return !press.shiftKey && !press.altKey && !press.ctrlKey && !press.metaKey;
}

export const keyHelp: readonly (readonly [keys: string, what: string])[] = [
  ['j, k', 'the next and the previous agent'],
  ['↑ ↓ ← →', 'in the tree: move, fold and unfold; Enter opens'],
  ['/', 'search agents and transcripts'],
  ['i', 'write to the agent that is shown'],
  ['Shift G', 'to the end of the transcript, and follow it'],
  ['t', 'colours: as the system, light, dark'],
  ['Enter', 'in the text field: send; Shift Enter makes a new line'],
  ['?', 'this help'],
  ['Esc', 'leave a field, a search, or a dialog'],
];
