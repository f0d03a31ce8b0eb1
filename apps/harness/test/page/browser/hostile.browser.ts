import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { narrow, useChromium, type Visit } from './chromium.ts';
import { entries, sees } from './parts.ts';
import { harm, hostileTree, invisible } from './stores.ts';

const browser = useChromium();

/** Nothing of it has become part of the page, moves other text about, or makes the page wider than its window. */
async function isHarmless(page: Page): Promise<void> {
  expect(await page.title()).toContain('dsh inspector');
  expect(await page.locator('#page :is(script, b, iframe, img:not([src^="data:"]))').count()).toBe(0);
  const text = await page.evaluate<string>('document.body.textContent');
  expect(text).not.toMatch(invisible);
  const [width = 0, window = 0] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  expect(width).toBeLessThanOrEqual(window);
}

async function look(visit: Visit): Promise<void> {
  const { page } = visit;
  const rows = page.getByRole('treeitem');
  await sees(rows, 'error');
  for (const at of [0, 1]) {
    await page.evaluate(`location.hash = location.hash.replace(/\\/\\w+$/, '/agents')`);
    await rows.nth(at).click();
    await sees(page.locator('.text'), '<b>bold</b>');
    await sees(page.locator('.text .mark'), 'U+202E');
    await isHarmless(page);
    for (const pane of ['sequence', 'details', 'agents']) {
      await page.evaluate(`location.hash = location.hash.split('/').slice(0, 3).join('/') + '/${pane}'`);
      await page.locator(`.app[data-pane="${pane}"]`).waitFor();
      if (pane === 'sequence') await sees(page.locator('.sequence'), '<img');
      await isHarmless(page);
    }
  }
}

for (const [name, options] of [
  ['wide', {}],
  ['narrow', narrow],
] as const) {
  it(`shows hostile texts harmlessly in every place of a ${name} window [H14 H15]`, async () => {
    using folder = temporaryFolder();
    await using program = await hostileTree(join(folder.path, '<b>store'));
    await using visit = await browser.open(program.url, options);
    await look(visit);
  });
}

it('searches for and sends hostile texts as they are [H14 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await hostileTree(folder.path);
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(entries(page, 'human'), '<b>bold</b>');
  await page.getByRole('searchbox').fill('<script>');
  await sees(page.locator('.search-results mark'), '<script>');
  await isHarmless(page);
  await page.getByRole('searchbox').fill('');
  await page.locator('.composer textarea').fill(harm);
  await page.locator('.composer textarea').press('Enter');
  await expect.poll(() => entries(page, 'human').count()).toBe(2);
  await isHarmless(page);
});
