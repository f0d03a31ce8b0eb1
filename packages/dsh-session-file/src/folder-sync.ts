/**
 * Makes the names in folders durable, together for all who ask at the same time.
 * I1. A sync covers only those who asked before it began; who comes later waits for the next one.
 */
import type { FilePort } from './file-port.ts';

interface Turn {
  readonly running: Promise<void>;
  next?: Promise<void>;
}

export function createFolderSync(files: FilePort): (folder: string) => Promise<void> {
  const turns = new Map<string, Turn>();

  const begin = (folder: string): Promise<void> => {
    const running = files.syncFolder(folder).finally(() => {
      if (turns.get(folder)?.running === running) turns.delete(folder);
    });
    turns.set(folder, { running });
    return running;
  };
  return (folder) => {
    const turn = turns.get(folder);
    if (turn === undefined) return begin(folder);
    const start = (): Promise<void> => begin(folder);
    turn.next ??= turn.running.then(start, start);
    return turn.next;
  };
}
