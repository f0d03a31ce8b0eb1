/** What the suite needs of a medium and of the runner. */
import type { SessionDriver } from '../driver.ts';
import type { SessionId } from '../ids.ts';

/** What can be done to stored bytes behind a driver's back. */
export type DamageKind =
  /** The last own record is cut in the middle, as by a crash during a write. */
  | 'torn-tail'
  /** One byte of the own record `seq` is changed. */
  | 'flipped-byte'
  /** The header is overwritten with something that is none. */
  | 'garbage-header';

/** A place to store to, empty at first, and the processes that use it. */
export interface Medium {
  /** A driver of a further living process over this medium. */
  driver(): Promise<SessionDriver>;
  /** A driver of a new process; all processes before it are dead by then, without having said goodbye. */
  reopen(): Promise<SessionDriver>;
  /** Damages a stored Session that nobody holds. Absent where the medium cannot be damaged. */
  damage?(id: SessionId, kind: DamageKind, seq?: number): Promise<void>;
  /** The lease of whoever holds the place of `id` runs out, though the holder lives. Needed where the manifest says `fences`. */
  expire?(id: SessionId): Promise<void>;
  /** Removes everything again. */
  dispose?(): Promise<void>;
}

/** The test runner, whichever it is: `describe` and `it` of vitest, of `node:test`, of mocha, ... */
export interface Runner {
  /** Declares a group of tests, synchronously. */
  readonly describe: (name: string, body: () => void) => unknown;
  /** Declares one test. It has passed when its promise resolves. */
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** What the suite needs of who runs it. */
export interface ConformanceOptions extends Runner {
  /** An empty medium. Called once per test. */
  readonly open: () => Promise<Medium>;
}

/** One test over a medium of its own. */
export type Case = (medium: Medium) => Promise<void>;

/** Tests by name. A name carries the numbers of the rules that it shows. */
export interface Group {
  readonly name: string;
  readonly cases: Readonly<Record<string, Case>>;
}

export function declare({ describe, it, open }: ConformanceOptions, groups: readonly Group[]): void {
  for (const { name, cases } of groups)
    describe(name, () => {
      for (const [title, body] of Object.entries(cases)) it(title, () => onMedium(open, body));
    });
}

async function onMedium(open: ConformanceOptions['open'], body: Case): Promise<void> {
  const medium = await open();
  try {
    await body(medium);
  } finally {
    await medium.dispose?.();
  }
}
