import { PassThrough } from 'node:stream';
import { join } from 'node:path';
import { deferred } from '@dsh-internal/async';
import { expect, it } from 'vitest';
import { dsh, temporaryFolder } from '../command-line.ts';

it('shows the chat on a page beside it, which goes with it [H6 H12]', async () => {
  using folder = temporaryFolder();
  const typed = Object.assign(new PassThrough(), { isTTY: false });
  const link = deferred<string>();
  const ended = dsh(['chat', '--model', 'deepseek/x', '--inspect', '0', '--store', join(folder.path, 's')], {
    environment: { DEEPSEEK_API_KEY: 'k' },
    input: typed,
    onError: link.resolve,
  });
  const [, url = ''] =
    /^dsh: the inspector: (http:\/\/127\.0\.0\.1:\d+\/\S+)\n$/.exec(await link.promise) ?? [];
  const answer = await fetch(url, { redirect: 'manual' });
  expect(answer.status).toBeLessThan(400);
  expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict|SameSite=Strict.*HttpOnly/i);
  typed.end();
  expect((await ended).code).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});
