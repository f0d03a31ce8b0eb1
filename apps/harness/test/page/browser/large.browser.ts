import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { narrow, useChromium } from './chromium.ts';
import { entries, sees, transcript } from './parts.ts';
import { longTranscript, manyChildren } from './stores.ts';

const browser = useChromium();

it('shows running ones first and folds the ended ones among 500 children [H12 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await manyChildren(folder.path, 497, 3);
  await using visit = await browser.open(program.url);
  const { page } = visit;
  const items = page.getByRole('treeitem');
  await sees(items, '497 ended');
  expect(await items.count()).toBe(5);
  await sees(items.nth(1), 'running');
  await items.filter({ hasText: '497 ended' }).click();
  await sees(items, 'child 1');
  // Only what is in view is in the document.
  await expect.poll(() => items.count()).toBeLessThan(60);
  const tree = page.getByRole('tree');
  await tree.focus();
  await page.keyboard.press('End');
  const name = page.locator('.agent-line h2');
  const before = await name.innerText();
  await page.keyboard.press('Enter');
  await expect.poll(() => name.innerText()).not.toBe(before);
  const last = await name.innerText();
  await page.keyboard.press('k');
  await expect.poll(() => name.innerText()).not.toBe(last);
  await page.keyboard.press('j');
  await sees(name, last);
  await page.keyboard.press('/');
  await page.keyboard.type('child 25');
  await expect.poll(() => items.count()).toBe(12);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await sees(items, '497 ended');
  program.model('child 500').release('child 500');
  await sees(items, '498 ended');
});

it('opens 5,000 messages at their end, and moves through them page by page [H12 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await longTranscript(folder.path, 5_000);
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(entries(page, 'assistant'), 'Message 4999.');
  const all = page.locator('.entry');
  expect(await all.count()).toBeLessThanOrEqual(100);
  const box = transcript(page);
  await box.hover();
  const first = async (): Promise<number> => Number(await all.first().getAttribute('data-seq'));
  const top = await first();
  await page.mouse.wheel(0, -100_000);
  await expect.poll(first).toBeLessThan(top);
  await sees(page.locator('.to-end'), 'To the end');
  for (let at = 0; at < 6; at += 1) {
    const before = await first();
    await page.mouse.wheel(0, -100_000);
    await expect.poll(first).toBeLessThan(before);
  }
  expect(await all.count()).toBeLessThanOrEqual(400);
  await page.locator('.to-end').click();
  await sees(entries(page, 'assistant'), 'Message 4999.');
  await page.locator('.to-end').waitFor({ state: 'detached' });
});

it('keeps what is read in its place while older records come, and while newer ones do [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await longTranscript(folder.path, 1_000);
  await using visit = await browser.open(program.url);
  const { page } = visit;
  const place = page.locator('.entry', { hasText: 'Message 905.' });
  await place.scrollIntoViewIfNeeded();
  const all = page.locator('.entry');
  await expect.poll(() => all.count()).toBeGreaterThan(100);
  await expect.poll(() => place.isVisible()).toBe(true);
  const top = (await place.boundingBox())?.y ?? 0;
  expect(top).toBeGreaterThan(0);
  expect(top).toBeLessThan(800);
});

it('leads by a link to one message of 5,000, and marks it [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await longTranscript(folder.path, 5_000);
  await using visit = await browser.open(program.url, narrow);
  const { page } = visit;
  await page.getByRole('treeitem').first().click();
  await sees(entries(page, 'assistant'), 'Message 4999.');
  const link = `${page.url()}/transcript/1234`;
  await page.goto(link);
  const target = page.locator('.entry.target');
  await sees(target, 'Message 1234.');
  expect(await target.boundingBox().then((box) => box !== null && box.y > 0 && box.y < 780)).toBe(true);
  await page.getByRole('searchbox').count();
  await page.getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('searchbox').fill('Message 2345.');
  await page.locator('.search-results a').first().click();
  await sees(target, 'Message 2345.');
});
