import type { Atomic } from './atomic.ts';
import type { Children } from './children.ts';
import type { Epochs } from './epoch.ts';
import type { FilePort } from './file-port.ts';
import type { Holders } from './holders.ts';
import type { Layout } from './layout.ts';
import type { OpenFiles } from './open-files.ts';
import type { FolderOrder } from './folder-order.ts';

/** What the parts of one driver share. */
export interface Medium {
  readonly files: FilePort;
  readonly atomic: Atomic;
  readonly holders: Holders;
  readonly epochs: Epochs;
  readonly children: Children;
  readonly order: FolderOrder;
  readonly openFiles: OpenFiles;
  readonly layout: Layout;
  readonly newId: () => string;
  /** Makes the names in a folder durable. */
  readonly syncFolder: (folder: string) => Promise<void>;
}
