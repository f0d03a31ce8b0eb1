/**
 * A disk in memory that forgets at a power cut what was never synced, the names in folders included.
 * What was not synced may be there all the same, whole, in part, or as zeros: `lucky` decides it.
 */
import { basename, dirname } from 'node:path';
import type { FilePort, OpenFile } from '../../src/file-port.ts';

interface Entries {
  now: Map<string, Node>;
  durable: Map<string, Node>;
}
type Node =
  | { kind: 'file'; number: number; bytes: Buffer; durable: Buffer; changedAt: number }
  | ({ kind: 'folder'; number: number } & Entries);

const fail = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });

export interface MemoryDisk extends FilePort {
  /** Every open file of before is of no use afterwards. */
  cutPower(lucky: () => number): void;
}

export function memoryDisk(): MemoryDisk {
  let numbers = 0;
  const newFolder = (): Node & { kind: 'folder' } => {
    numbers += 1;
    return { kind: 'folder', number: numbers, now: new Map(), durable: new Map() };
  };
  const newFile = (): Node & { kind: 'file' } => {
    numbers += 1;
    return { kind: 'file', number: numbers, bytes: Buffer.alloc(0), durable: Buffer.alloc(0), changedAt: 0 };
  };
  const top = newFolder();

  const find = (path: string): Node | undefined => {
    let node: Node | undefined = top;
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (node?.kind === 'file') throw fail('ENOTDIR', path);
      node = node?.now.get(name);
    }
    return node;
  };
  const folderAt = (path: string): Node & { kind: 'folder' } => {
    const node = find(path);
    if (node === undefined) throw fail('ENOENT', path);
    if (node.kind === 'file') throw fail('ENOTDIR', path);
    return node;
  };
  const fileAt = (path: string): (Node & { kind: 'file' }) | undefined => {
    const node = find(path);
    if (node?.kind === 'folder') throw fail('EISDIR', path);
    return node;
  };
  const put = (path: string, node: Node): void => {
    folderAt(dirname(path)).now.set(basename(path), node);
  };
  const handle = (file: Node & { kind: 'file' }): OpenFile => ({
    size: async () => file.bytes.length,
    read: async (into, at) => (at >= file.bytes.length ? 0 : file.bytes.copy(into, 0, at)),
    async write(bytes, at) {
      const size = Math.max(file.bytes.length, at + bytes.length);
      const grown = Buffer.concat([file.bytes, Buffer.alloc(size - file.bytes.length)]);
      bytes.copy(grown, at);
      file.bytes = grown;
    },
    async sync() {
      file.durable = file.bytes;
    },
    async close() {},
  });

  const cut = (node: Node, lucky: () => number): void => {
    if (node.kind === 'file') {
      node.bytes = node.durable = survivor(node.bytes, node.durable, lucky);
      return;
    }
    const names = new Set([...node.now.keys(), ...node.durable.keys()]);
    const left = new Map<string, Node>();
    for (const name of names) {
      const [now, durable] = [node.now.get(name), node.durable.get(name)];
      const kept = now === durable || lucky() < 0.5 ? durable : now;
      if (kept !== undefined) left.set(name, kept);
    }
    node.now = left;
    node.durable = new Map(left);
    for (const child of left.values()) cut(child, lucky);
  };

  return {
    cutPower(lucky) {
      cut(top, lucky);
    },
    async facts(path) {
      let node: Node | undefined;
      try {
        node = find(path);
      } catch {
        return undefined;
      }
      if (node === undefined) return undefined;
      const [size, changedAt] = node.kind === 'file' ? [node.bytes.length, node.changedAt] : [0, 0];
      return { kind: node.kind, size, identity: String(node.number), changedAt };
    },
    async names(folder) {
      const node = find(folder);
      if (node?.kind === 'file') throw fail('ENOTDIR', folder);
      return node === undefined ? undefined : [...node.now.keys()];
    },
    load: async (path) => fileAt(path)?.bytes,
    async openRead(path) {
      const file = fileAt(path);
      return file === undefined ? undefined : handle(file);
    },
    async openWrite(path) {
      const file = fileAt(path) ?? newFile();
      put(path, file);
      return handle(file);
    },
    async makeFolder(path) {
      if (folderAt(dirname(path)).now.has(basename(path))) return false;
      put(path, newFolder());
      return true;
    },
    async makeFolders(path) {
      if (find(path) !== undefined) return undefined;
      const above = await this.makeFolders(dirname(path));
      put(path, newFolder());
      return above ?? path;
    },
    async put(path, bytes, durable) {
      if (folderAt(dirname(path)).now.has(basename(path))) throw fail('EEXIST', path);
      const file = newFile();
      file.bytes = bytes;
      if (durable) file.durable = bytes;
      put(path, file);
    },
    async link(from, to) {
      const [node, folder] = [fileAt(from), find(dirname(to))];
      if (node === undefined || folder?.kind !== 'folder') return 'missing';
      if (folder.now.has(basename(to))) return 'exists';
      put(to, node);
      return 'linked';
    },
    async rename(from, to) {
      const node = find(from);
      if (node === undefined) throw fail('ENOENT', from);
      put(to, node);
      folderAt(dirname(from)).now.delete(basename(from));
    },
    async remove(path) {
      const folder = find(dirname(path));
      if (folder?.kind === 'folder') folder.now.delete(basename(path));
    },
    async removeFolder(path) {
      const node = find(path);
      if (node?.kind !== 'folder') return true;
      if (node.now.size > 0) return false;
      folderAt(dirname(path)).now.delete(basename(path));
      return true;
    },
    async removeTree(path) {
      folderAt(dirname(path)).now.delete(basename(path));
    },
    async copy(from, to) {
      await this.put(to, fileAt(from)?.bytes ?? Buffer.alloc(0), false);
    },
    async syncFolder(path) {
      const folder = folderAt(path);
      folder.durable = new Map(folder.now);
    },
    async touch(path, at) {
      const file = fileAt(path) ?? newFile();
      file.changedAt = at;
      put(path, file);
    },
  };
}

/** Files only grow here: what is behind the durable part is lost, cut, zeros, or whole. */
function survivor(bytes: Buffer, durable: Buffer, lucky: () => number): Buffer {
  if (bytes === durable || bytes.length <= durable.length) return durable;
  const kind = lucky();
  if (kind < 0.4) return durable;
  const cut = bytes.subarray(0, durable.length + Math.floor(lucky() * (bytes.length - durable.length + 1)));
  if (kind < 0.7) return cut;
  return kind < 0.85 ? Buffer.concat([cut, Buffer.alloc(bytes.length - cut.length)]) : bytes;
}
