/** [pure] What the lists of planted bugs consist of. `tools/run-mutants.mjs` reads them. */

/** One bug that is planted on purpose. */
export interface Mutant {
  readonly name: string;
  /** The rules that it breaks. */
  readonly breaks: string;
  /** A file of a package's sources. */
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  /** The seed to begin with where only some schedules can find it. Default 0. */
  readonly from?: number;
}
