/** The real files, where some calls fail as a test wants it. */
import { nodeFiles } from '../../src/node-files.ts';
import type { FilePort, OpenFile } from '../../src/file-port.ts';

export interface Faults {
  /** So many bytes of logs and small files can still be written. */
  space: number;
  /** Runs before the method of that name; what it throws is the answer. */
  before: (method: keyof FilePort | keyof OpenFile, path: string) => void | Promise<void>;
}

export const errno = (code: string): Error => Object.assign(new Error(code), { code });

export function faultyFiles(faults: Faults): FilePort {
  const spend = (bytes: number): number => {
    const room = Math.max(0, Math.min(bytes, faults.space));
    faults.space -= room;
    return room;
  };
  const watched = (path: string, file: OpenFile): OpenFile => ({
    ...file,
    async write(bytes, at) {
      await faults.before('write', path);
      const room = spend(bytes.length);
      await file.write(bytes.subarray(0, room), at);
      if (room < bytes.length) throw errno('ENOSPC');
    },
    async sync() {
      await faults.before('sync', path);
      await file.sync();
    },
  });
  return {
    ...nodeFiles,
    async openWrite(path) {
      await faults.before('openWrite', path);
      return watched(path, await nodeFiles.openWrite(path));
    },
    async put(path, bytes, durable) {
      await faults.before('put', path);
      const room = spend(bytes.length);
      await nodeFiles.put(path, bytes.subarray(0, room), durable);
      if (room < bytes.length) throw errno('ENOSPC');
    },
    async link(from, to) {
      await faults.before('link', to);
      return nodeFiles.link(from, to);
    },
    async copy(from, to) {
      await faults.before('copy', to);
      await nodeFiles.copy(from, to);
    },
    async syncFolder(path) {
      await faults.before('syncFolder', path);
      await nodeFiles.syncFolder(path);
    },
    async remove(path) {
      await faults.before('remove', path);
      await nodeFiles.remove(path);
    },
    async touch(path, at) {
      await faults.before('touch', path);
      await nodeFiles.touch(path, at);
    },
  };
}

/** The real files without the waiting for the device, for tests of what lies on the disk. */
export const quickFiles: FilePort = {
  ...nodeFiles,
  openWrite: async (path) => ({ ...(await nodeFiles.openWrite(path)), sync: async () => {} }),
  openRead: async (path) => {
    const file = await nodeFiles.openRead(path);
    return file === undefined ? undefined : { ...file, sync: async () => {} };
  },
  put: (path, bytes) => nodeFiles.put(path, bytes, false),
  syncFolder: async () => {},
};

export function noFaults(): Faults {
  return { space: Infinity, before: () => undefined };
}
