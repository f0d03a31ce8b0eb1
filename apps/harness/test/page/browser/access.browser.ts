import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { useChromium } from './chromium.ts';
import { entries, sees } from './parts.ts';

const browser = useChromium('--host-resolver-rules=MAP evil.test 127.0.0.1');

const scripts = { root: ['Hello.', 'Again.'] };

/** A page of somebody else, on the same machine. */
async function foreignPage(): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>foreign</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

it('lets nobody in with a wrong token, and the owner with the right one [H14 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  await program.begin('Hi.');
  const wrong = new URL(program.url);
  wrong.searchParams.set('token', 'x'.repeat(43));
  await using visit = await browser.open(wrong.href);
  const { page } = visit;
  await sees(page.locator('body'), 'open the link');
  expect(await page.locator('#page').count()).toBe(0);
  await page.goto(program.url);
  await sees(entries(page, 'assistant'), 'Hello.');
});

it('says in a sentence that its entry is gone, and goes on when this browser has one again [H12 H14]', async () => {
  using folder = temporaryFolder();
  const store = join(folder.path, 'store');
  const first = await inspected(store, { scripts });
  await first.begin('Hi.');
  await using visit = await browser.open(first.url);
  const { page } = visit;
  await sees(entries(page, 'assistant'), 'Hello.');
  await first[Symbol.asyncDispose]();
  await rm(`${store}.inspector-key`);
  await using second = await inspected(store, { port: Number(new URL(first.url).port) });
  await sees(page.locator('.banner'), 'This browser has no entry to the server.');
  await sees(page.locator('.connection'), 'No entry');
  const other = await page.context().newPage();
  await other.goto(second.url);
  await sees(page.locator('.connection'), 'Live');
  await sees(entries(page, 'assistant'), 'Hello.');
});

it('is nothing under another host name, whatever that resolves to [H14 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  const other = new URL(program.url);
  other.hostname = 'evil.test';
  await using visit = await browser.open(other.href);
  const { page } = visit;
  await sees(page.locator('body'), 'another host');
  expect(await page.locator('#page').count()).toBe(0);
  expect(await page.context().cookies()).toEqual([]);
});

it('takes nothing from another page, and shows itself in none [H14 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  const root = await program.begin('Hi.');
  await using foreign = await foreignPage();
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(entries(page, 'assistant'), 'Hello.');
  const other = await page.context().newPage();
  await other.goto(foreign.url);
  const { origin } = new URL(program.url);
  const send = `async ([path, type]) => {
    const body = JSON.stringify({ text: 'From elsewhere.', messageId: 'elsewhere-1' });
    const headers = { 'content-type': type };
    const post = { method: 'POST', body, credentials: 'include', mode: 'no-cors', headers };
    const sent = await fetch(path, post).then(() => 'sent', () => 'refused');
    const read = await fetch(path.replace('/prompt', '/inbox'), { credentials: 'include' }).then(() => 'read', () => 'refused');
    return [sent, read];
  }`;
  const path = `${origin}/api/sessions/${root.id}/prompt`;
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    expect(await other.evaluate(`(${send})(${JSON.stringify([path, type])})`)).toEqual([
      'refused',
      'refused',
    ]);
  }
  await other.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${origin}/' }))`,
  );
  await other.waitForFunction(`frames.length === 1`);
  await expect
    .poll(() =>
      other
        .frames()[1]
        ?.locator('#page')
        .count()
        .catch(() => 0),
    )
    .toBe(0);
  await page.reload();
  await sees(entries(page, 'assistant'), 'Hello.');
  expect(await entries(page, 'human').count()).toBe(1);
});

it('refuses a body that is too large before it is read, and stays [H14 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  const root = await program.begin('Hi.');
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(entries(page, 'assistant'), 'Hello.');
  const status = await page.evaluate(`(async () => {
    const body = JSON.stringify({ text: 'x'.repeat(4_000_000), messageId: 'too-large-1' });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch('/api/sessions/${root.id}/prompt', { method: 'POST', headers, body }).catch(() => undefined);
    return reply === undefined ? 'cut' : [reply.status, (await reply.json()).code];
  })()`);
  expect(['cut', [413, 'TOO_LARGE']]).toContainEqual(status);
  await sees(page.locator('.connection'), 'Live');
  expect(await entries(page, 'human').count()).toBe(1);
});
