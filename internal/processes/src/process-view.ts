/** Names one process among all that ever ran. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The kernel's boot and process numbering that `pid` belongs to, where that can be known. */
  readonly machine?: string;
  /** When the process started, in the kernel's count, where that can be known. */
  readonly startTime?: string;
}

export type ProcessState =
  { readonly kind: 'gone' | 'unknown' } | { readonly kind: 'there'; readonly startTime: string };

/** What the machine tells of processes. */
export interface ProcessView {
  readonly self: ProcessIdentity;
  /** `unknown`: a process of that number may be there, or not. */
  look(pid: number): ProcessState;
}
