/** A process of its own that writes to a store, see `runWriter`. */
import { runWriter } from '@dsh-internal/driver-testing';
import { fileDriver } from '@deepseek-ai/dsh-session-file';

await runWriter((root, leaseMs) => fileDriver({ root, leaseMs }));
