/** A process of its own that writes to a store, see `runWriter`. */
import { runWriter } from '@dsh-internal/driver-testing';
import { sqliteDriver } from '@deepseek-ai/dsh-session-sqlite';

await runWriter((path, leaseMs) => sqliteDriver({ path, leaseMs }));
