/**
 * The file port over `node:fs`.
 * Calls that touch only names or a few kilobytes are synchronous: each takes a few microseconds, and a trip
 * through the thread pool costs ten times that. Whatever waits for the device goes through the pool.
 */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf, type FileFacts, type FilePort, type OpenFile } from './file-port.ts';

const SMALL = 64 * 1024;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const fdatasync = promisify(fs.fdatasync);
const fsync = promisify(fs.fsync);
const readAsync = promisify(fs.read) as unknown as (
  fd: number,
  into: Buffer,
  offset: number,
  length: number,
  at: number,
) => Promise<{ bytesRead: number }>;
const writeAsync = promisify(fs.write) as unknown as (
  fd: number,
  bytes: Buffer,
  offset: number,
  length: number,
  at: number,
) => Promise<{ bytesWritten: number }>;

function unlessCode<T, U>(codes: readonly string[], otherwise: U, run: () => T): T | U {
  try {
    return run();
  } catch (error) {
    if (codes.includes(errnoOf(error) ?? '')) return otherwise;
    throw error;
  }
}
const GONE = ['ENOENT', 'ENOTDIR'];

function openFile(fd: number): OpenFile {
  return {
    size: async () => fs.fstatSync(fd).size,
    async read(into, at) {
      let done = 0;
      while (done < into.length) {
        const left = into.length - done;
        const got =
          left <= SMALL
            ? fs.readSync(fd, into, done, left, at + done)
            : (await readAsync(fd, into, done, left, at + done)).bytesRead;
        if (got === 0) break;
        done += got;
      }
      return done;
    },
    async write(bytes, at) {
      let done = 0;
      while (done < bytes.length) {
        const left = bytes.length - done;
        done +=
          left <= SMALL
            ? fs.writeSync(fd, bytes, done, left, at + done)
            : (await writeAsync(fd, bytes, done, left, at + done)).bytesWritten;
      }
    },
    sync: () => fdatasync(fd),
    async close() {
      fs.closeSync(fd);
    },
  };
}

/** Opens a new file. The mode is set again, since the umask may have taken bits from it. */
function openNew(path: string): number {
  const fd = fs.openSync(path, 'wx', FILE_MODE);
  fs.fchmodSync(fd, FILE_MODE);
  return fd;
}

/**
 * Level by level: Node's own way down (`recursive`) never returns below a folder that answers ENOENT, such as
 * `/proc`. Gives the first level that was made.
 */
function makeFolders(path: string): string | undefined {
  const stat = unlessCode(GONE, undefined, () => fs.statSync(path, { throwIfNoEntry: false }));
  if (stat?.isDirectory() === true) return undefined;
  const above = dirname(path) === path ? undefined : makeFolders(dirname(path));
  const made = unlessCode(['EEXIST'], false, () => {
    fs.mkdirSync(path, FOLDER_MODE);
    return true;
  });
  if (!made && !fs.statSync(path).isDirectory()) throw notAFolder(path);
  if (made) fs.chmodSync(path, FOLDER_MODE);
  return above ?? (made ? path : undefined);
}

function notAFolder(path: string): Error {
  return Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' });
}

function factsOf(stat: fs.Stats): FileFacts {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
    size: stat.size,
    identity: `${String(stat.dev)}:${String(stat.ino)}:${String(stat.birthtimeMs)}`,
    changedAt: stat.mtimeMs,
  };
}

export const nodeFiles: FilePort = {
  async facts(path) {
    const stat = unlessCode(['ENOTDIR'], undefined, () => fs.lstatSync(path, { throwIfNoEntry: false }));
    return stat === undefined ? undefined : factsOf(stat);
  },
  names: async (folder) => unlessCode(['ENOENT'], undefined, () => fs.readdirSync(folder)),
  load: async (path) => unlessCode(['ENOENT'], undefined, () => fs.readFileSync(path)),
  openRead: async (path) => unlessCode(GONE, undefined, () => openFile(fs.openSync(path, 'r'))),
  async openWrite(path) {
    const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, FILE_MODE);
    if (fs.fstatSync(fd).size === 0) fs.fchmodSync(fd, FILE_MODE);
    return openFile(fd);
  },
  async makeFolder(path) {
    const made = unlessCode(['EEXIST'], false, () => {
      fs.mkdirSync(path, FOLDER_MODE);
      return true;
    });
    if (made) fs.chmodSync(path, FOLDER_MODE);
    return made;
  },
  makeFolders: async (path) => makeFolders(path),
  async put(path, bytes, durable) {
    const fd = openNew(path);
    try {
      const file = openFile(fd);
      await file.write(bytes, 0);
      if (durable) await file.sync();
    } finally {
      fs.closeSync(fd);
    }
  },
  link: async (from, to) =>
    unlessCode(GONE, 'missing' as const, () =>
      unlessCode(['EEXIST'], 'exists' as const, () => {
        fs.linkSync(from, to);
        return 'linked' as const;
      }),
    ),
  async rename(from, to) {
    fs.renameSync(from, to);
  },
  async remove(path) {
    unlessCode(GONE, undefined, () => {
      fs.unlinkSync(path);
    });
  },
  removeFolder: async (path) =>
    unlessCode(['ENOTEMPTY', 'EEXIST'], false, () =>
      unlessCode(['ENOENT'], true, () => {
        fs.rmdirSync(path);
        return true;
      }),
    ),
  removeTree: (path) => fs.promises.rm(path, { recursive: true, force: true }),
  async copy(from, to) {
    await fs.promises.copyFile(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
    await fs.promises.chmod(to, FILE_MODE);
  },
  async syncFolder(path) {
    // Windows cannot open a folder; its file systems keep names with their own journal.
    if (process.platform === 'win32') return;
    const fd = fs.openSync(path, 'r');
    try {
      await fsync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
  async touch(path, at) {
    const there = unlessCode(['ENOENT'], false, () => {
      fs.utimesSync(path, at / 1000, at / 1000);
      return true;
    });
    if (there) return;
    fs.closeSync(openNew(path));
    fs.utimesSync(path, at / 1000, at / 1000);
  },
};
