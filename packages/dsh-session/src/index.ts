/** Durable conversations: header, descriptor, append-only log, and the front of a store over any medium. */
export { systemClock, type Clock, type Diagnostic, type OnDiagnostic, type Registration } from './clock.ts';
export { contentProblem, type ContentRole } from './log/content-check.ts';
export {
  defineDescriptor,
  type Descriptor,
  type DescriptorOptions,
  type DescriptorReading,
  type DescriptorSource,
} from './descriptor.ts';
export type * from './driver.ts';
export { SessionError, sessionError, type KnownSessionCode, type PlaceHolder } from './errors.ts';
export type * from './event.ts';
export type { SeedPrefix, SessionHeader } from './header.ts';
export { parseSessionId, type MessageId, type SessionId } from './ids.ts';
export { newMessageId, newSessionId } from './new-id.ts';
export { freezeJson, type JsonObject, type JsonValue } from './json.ts';
export { memoryDriver, type MemoryDriver, type MemoryDriverOptions } from './memory/driver.ts';
export { memoryMedium, type MemoryMedium } from './memory/medium.ts';
export type { MemoryDamage } from './memory/stored.ts';
export type * from './message.ts';
export { openSessionStore } from './open-store.ts';
export type { Session, WaitOptions } from './session.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './standard-schema.ts';
export type * from './store.ts';
