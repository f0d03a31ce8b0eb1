/** What the driver needs of a file system. A narrow port, so that tests can fail or forget what was written. */

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  /** Tells this file from another one that later has its name. */
  readonly identity: string;
  /** Unix epoch, milliseconds. */
  readonly changedAt: number;
}

export interface OpenFile {
  size(): Promise<number>;
  /** Fills as much of `into` as there is from byte `at` on; gives how many bytes that were. */
  read(into: Buffer, at: number): Promise<number>;
  /** Writes everything, or rejects with an unknown part of it written. */
  write(bytes: Buffer, at: number): Promise<void>;
  /** Resolves when the content is durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Every method rejects with the error of the system where it does not say otherwise. */
export interface FilePort {
  /** `undefined`: nothing is there. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** The names in a folder; `undefined`: it is not there. */
  names(folder: string): Promise<readonly string[] | undefined>;
  /** A whole small file; `undefined`: it is not there. */
  load(path: string): Promise<Buffer | undefined>;
  /** `undefined`: it is not there. */
  openRead(path: string): Promise<OpenFile | undefined>;
  /** Creates the file with mode 0600 where it is missing. */
  openWrite(path: string): Promise<OpenFile>;
  /** Makes one folder with mode 0700; `false`: there was one. */
  makeFolder(path: string): Promise<boolean>;
  /** Makes a folder and those above it; gives the topmost that it made. */
  makeFolders(path: string): Promise<string | undefined>;
  /** A new file with mode 0600, made durable first where asked for. */
  put(path: string, bytes: Buffer, durable: boolean): Promise<void>;
  /** `exists`: the new name is taken. `missing`: the old name, or the folder of the new one, is not there. */
  link(from: string, to: string): Promise<'linked' | 'exists' | 'missing'>;
  rename(from: string, to: string): Promise<void>;
  /** A missing file is fine. */
  remove(path: string): Promise<void>;
  /** `false`: it is not empty. A missing folder is fine. */
  removeFolder(path: string): Promise<boolean>;
  removeTree(path: string): Promise<void>;
  /** Shares the blocks where the medium can, else copies them. */
  copy(from: string, to: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** Sets the time of the last change; creates the file where it is missing. */
  touch(path: string, at: number): Promise<void>;
}

export function errnoOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
