import { describe, expect, it } from 'vitest';
import { dsh, scenarioFile, temporaryFolder } from './command-line.ts';
import { jsonLines } from './stable-transcript.ts';

interface Listed {
  readonly id: string;
  readonly header: { readonly parentSession?: string };
  readonly orphan?: boolean;
}

describe('dsh sessions delete of a Session with children', { timeout: 60_000 }, () => {
  it('is refused and names delete-tree; with --keep-children the children are shown as roots [H7]', async () => {
    using folder = temporaryFolder();
    const store = ['--store', folder.path];
    const sessions = (...args: string[]) => dsh(['sessions', ...args, ...store]);
    const listed = async (...args: string[]) =>
      jsonLines((await sessions('list', '--json', ...args)).out) as unknown as readonly Listed[];

    await dsh(['run', '--scenario', scenarioFile('waiting'), ...store]);
    const all = await listed('--all');
    const root = all.find(({ header }) => header.parentSession === undefined)?.id ?? '';
    const child = all.find(({ header }) => header.parentSession === root)?.id ?? '';
    const leaf = all.find(({ header }) => header.parentSession === child)?.id ?? '';

    expect(await sessions('delete', root)).toMatchObject({
      code: 2,
      out: '',
      err: `dsh: ${root} has children: delete-tree ${root} deletes them too, --keep-children leaves them without a parent\n`,
    });
    expect(await listed('--all')).toHaveLength(3);

    expect(await sessions('delete', root, '--keep-children')).toMatchObject({
      code: 0,
      out: `${root} was deleted\n`,
    });
    expect(await listed()).toMatchObject([{ id: child, orphan: true }]);
    expect((await sessions('list')).out).toMatch(new RegExp(`^${child}  \\S+  its parent is gone\n$`));
    expect((await sessions('tree')).out).toBe(
      `root  its parent is gone  ${child}\n└─ pears  ended: completed  ${leaf}\n`,
    );
    expect(await sessions('delete-tree', child)).toMatchObject({ code: 0, err: '' });
    expect((await sessions('list', '--all')).out).toBe('');
  });
});
