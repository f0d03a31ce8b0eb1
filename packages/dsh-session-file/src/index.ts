/** A store driver that keeps each Session in a folder: durable, readable with `less` and `jq`, with one writer. */
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { createFileDriver, type FileDriverOptions } from './driver.ts';

export type { FileDriverOptions } from './driver.ts';

/**
 * Opens the store in the folder `root`. Nothing is read or written before the first call of a method.
 * Dispose of it to give back every place that it holds.
 */
export function fileDriver(options: FileDriverOptions): SessionDriver {
  return createFileDriver(options);
}
