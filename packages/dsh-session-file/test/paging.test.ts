import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { id, kiwi, plum, stored } from '@dsh-internal/driver-testing';
import { nodeFiles } from '../src/node-files.ts';
import { openStage, type Stage } from './support/stage.ts';

const children = Array.from({ length: 12 }, (_, index) => `child-${String(index).padStart(2, '0')}`);
const longAgo = new Date(1_000_000_000_000);

let stage: Stage;
let driver: SessionDriver;
/** The folders whose names were read. */
let reads: string[];
beforeEach(async () => {
  stage = await openStage();
  reads = [];
  const names = async (folder: string): Promise<readonly string[] | undefined> => {
    reads.push(folder);
    return nodeFiles.names(folder);
  };
  driver = stage.driver({ files: { ...nodeFiles, names } });
  for (const child of children) await make(driver, child);
  await seemUnchanged();
});
afterEach(() => stage.dispose());

async function make(by: SessionDriver, child: string): Promise<void> {
  await by.release(await stored(by, id(child), 1, { parentSession: plum }));
}

/** The folders look as if nothing had come since. */
async function seemUnchanged(parent = plum): Promise<void> {
  for (const folder of ['sessions', `by-parent/${parent}`])
    await utimes(join(stage.root, folder), longAgo, longAgo);
}

async function page(after: string | undefined, parent?: SessionId): Promise<readonly string[]> {
  const found: string[] = [];
  const query = { ...(after === undefined ? {} : { after }), ...(parent === undefined ? {} : { parent }) };
  for await (const { cursor } of driver.list(query)) {
    found.push(cursor);
    if (found.length === 5) break;
  }
  return found;
}

const readsOf = (folder: string): number => reads.filter((one) => one === join(stage.root, folder)).length;

describe('page after page', () => {
  it.each([
    ['of all', 'sessions', undefined],
    ['of the children of one parent', 'by-parent/plum', plum],
  ])('the names %s are read once [S18]', async (_, folder, parent) => {
    reads = [];
    const found: string[] = [];
    for (let last: readonly string[] = ['']; last.length > 0;) {
      last = await page(found.at(-1), parent);
      found.push(...last);
      if (last.length < 5) break;
    }
    expect(found).toEqual(children);
    expect(readsOf(folder)).toBe(1);
  });

  it('what another process stores meanwhile is in the rest [S18]', async () => {
    await page(undefined, plum);
    await make(stage.driver(), 'child-04-and-a-half');
    expect(await page('child-04', plum)).toContain('child-04-and-a-half');
  });

  it('what this process stores meanwhile is in the rest, even if no time tells [S18]', async () => {
    await page(undefined, plum);
    await make(driver, 'child-04-and-a-half');
    await seemUnchanged();
    expect(await page('child-04', plum)).toContain('child-04-and-a-half');
  });

  it('a listing that starts again reads the names again [S18]', async () => {
    await page(undefined, plum);
    await make(stage.driver(), 'a-child');
    await seemUnchanged();
    expect(await page(undefined, plum)).toContain('a-child');
  });

  it('the order of one parent is not taken for that of another [S18]', async () => {
    await driver.release(await stored(driver, id('other'), 1, { parentSession: kiwi }));
    await seemUnchanged(kiwi);
    await page(undefined, plum);
    expect(await page('child-04', kiwi)).toEqual(['other']);
  });
});
