import type { SessionId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** The leading events of another Session: a reference, never the events themselves. */
export interface SeedPrefix {
  /** Whose events they are. */
  readonly session: SessionId;
  /** How many events, counted from seq 0. */
  readonly length: number;
}

/** What is known of a Session from its first moment on. Written once. Unknown members are kept verbatim (S2). */
export interface SessionHeader {
  /** Of this shape. `open` refuses a newer one with `UNSUPPORTED_VERSION`. */
  readonly version: 1;
  /** The Session's own. */
  readonly id: SessionId;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number;
  /** An absolute path. */
  readonly cwd?: string;
  /** The durable direct parent (delegation). */
  readonly parentSession?: SessionId;
  /** The top of that chain, recorded at creation. */
  readonly rootSession?: SessionId;
  /** Whose leading events were inherited. */
  readonly forkedFrom?: SeedPrefix;
  /** How many events were inherited. The own events start at this seq. */
  readonly seedLength?: number;
  /** `subagent` for delegated children. */
  readonly origin?: string;
  /** 0 when absent. */
  readonly delegationDepth?: number;
  /** The deployer's own, kept verbatim. */
  readonly meta?: JsonObject;
}
