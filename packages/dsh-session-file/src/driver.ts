/** The driver: one store of Sessions in a folder. Content, batching and policy are the front's. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { contained, memo } from '@dsh-internal/async';
import { systemProcesses, type ProcessView } from '@dsh-internal/processes';
import { systemClock, type Clock, type OnDiagnostic, type SessionDriver } from '@deepseek-ai/dsh-session';
import { createAtomic } from './atomic.ts';
import { createChildren } from './children.ts';
import { createEpochs } from './epoch.ts';
import type { FilePort } from './file-port.ts';
import { createFolderSync } from './folder-sync.ts';
import { createHeldPlaces } from './held-places.ts';
import { createHolders } from './holders.ts';
import { layoutOf } from './layout.ts';
import { listEntries } from './listing.ts';
import type { Medium } from './medium.ts';
import { nodeFiles } from './node-files.ts';
import { createOpenFiles } from './open-files.ts';
import { createFolderOrder } from './folder-order.ts';
import { readHead, readStored } from './reading.ts';
import { remove } from './removal.ts';
import { rewriteLog } from './repair.ts';
import { requireHeader } from './taking.ts';

/** What {@link fileDriver} takes. */
export interface FileDriverOptions {
  /** The folder of the store. It is made, with those above it, when the first place is taken. */
  readonly root: string;
  /** Default: the machine's own. Processes on several machines need clocks that agree to within the lease. */
  readonly clock?: Clock;
  /** Makes names that nobody else uses. Default: random UUIDs. */
  readonly newId?: () => string;
  /** Hears `lease-not-renewed`: the life sign of this driver could not be renewed. What it throws is dropped. */
  readonly onDiagnostic?: OnDiagnostic;
  /**
   * How long a writer that cannot be shown dead may be silent before its places can be taken over, in milliseconds.
   * Default 30,000. A process whose event loop stands still for longer loses its places.
   */
  readonly leaseMs?: number;
  /** How many logs are kept open for writing at most. Default 256. */
  readonly maxOpenFiles?: number;
}

/** What tests put in the place of the machine. */
export interface FileDriverPorts {
  readonly files?: FilePort;
  readonly processes?: ProcessView;
}

function createMedium(options: FileDriverOptions, ports: FileDriverPorts): Medium {
  const { clock = systemClock, newId = randomUUID, leaseMs = 30_000, maxOpenFiles = 256 } = options;
  const { files = nodeFiles, processes = systemProcesses() } = ports;
  const layout = layoutOf(resolve(options.root));
  const atomic = createAtomic(files, newId);
  const children = createChildren(files, layout, newId);
  const onDiagnostic = contained(options.onDiagnostic);
  const writer = newId();
  const holders = createHolders({
    files,
    folder: layout.writers,
    processes,
    clock,
    leaseMs,
    writer,
    onDiagnostic,
  });
  return {
    files,
    atomic,
    holders,
    epochs: createEpochs(files, atomic, holders),
    children,
    order: createFolderOrder(files, layout, children),
    openFiles: createOpenFiles(files, maxOpenFiles),
    layout,
    newId,
    syncFolder: createFolderSync(files),
  };
}

export function createFileDriver(options: FileDriverOptions, ports: FileDriverPorts = {}): SessionDriver {
  const medium = createMedium(options, ports);
  const { files, holders, layout } = medium;
  const places = createHeldPlaces(medium);
  return {
    protocol: { name: 'dsh-session/driver', version: 1 },
    manifest: { name: 'file', outlivesProcess: true, sharesPrefix: true, fences: true, keepsSummary: true },
    async take(id, intent, { prefix, signal }) {
      signal?.throwIfAborted();
      return places.take(id, intent, prefix);
    },
    append: (parts) => Promise.all(parts.map((part) => places.append(part))),
    release: (place, kept) => places.release(place, kept),
    async header(id, { signal }) {
      signal?.throwIfAborted();
      return requireHeader(medium, id);
    },
    async head(id, { startBytes, signal }) {
      signal?.throwIfAborted();
      return readHead(medium, id, startBytes);
    },
    read: (id, range) => readStored(medium, id, range),
    list: (query) => listEntries(medium, query),
    async delete(id, { signal }) {
      signal?.throwIfAborted();
      await remove(medium, id);
    },
    async repair(place, work) {
      const writer = places.writer(place);
      await writer.rewrite((point, check) => rewriteLog(medium, writer.folder, point, { ...work, check }));
    },
    [Symbol.asyncDispose]: memo(async () => {
      await places.close();
      if ((await files.facts(layout.writers)) !== undefined) await holders.leave();
    }),
  };
}
