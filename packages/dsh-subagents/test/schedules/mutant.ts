/** One bug that is planted on purpose. */
export interface Mutant {
  readonly name: string;
  /** The rules that it breaks. */
  readonly breaks: string;
  /** A file of a package's sources. */
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  /** The first seed of the schedules that can find it. Default 0. */
  readonly from?: number;
}

export const subagents = 'packages/dsh-subagents/src/';
export const agent = 'packages/dsh-agent/src/';
export const session = 'packages/dsh-session/src/';
