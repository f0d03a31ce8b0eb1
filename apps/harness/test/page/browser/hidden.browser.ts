import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { useChromium } from './chromium.ts';
import { entries, row, sees } from './parts.ts';

const browser = useChromium();

const scripts = {
  root: [
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } }] },
    'A helper is at work.',
    'Noted.',
  ],
  pears: [{ text: 'Every sort ...', hold: 'pears' }],
};

/** Chromium without a window shows every page: what a page is told of it is put in its mouth. */
const visibility = `
  let state = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => state });
  globalThis.show = (next) => { state = next; document.dispatchEvent(new Event('visibilitychange')); };
`;

async function tab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(visibility);
  await page.goto(url);
  await sees(page.locator('.connection'), 'Live');
  return page;
}

const show = (page: Page, state: 'hidden' | 'visible') => page.evaluate(`show('${state}')`);

it('holds no connection in a hidden tab, so that more of them than a browser has connections go on [H12 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(join(folder.path, 'store'), { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url);
  const context = visit.page.context();
  await sees(visit.page.locator('.connection'), 'Live');
  const { origin } = new URL(program.url);
  const tabs: Page[] = [];
  // Two rounds of four, with the first page, are more than Chromium's six connections to one host.
  for (let round = 0; round < 2; round += 1) {
    const some = await Promise.all(Array.from({ length: 4 }, () => tab(context, origin)));
    for (const one of some) await show(one, 'hidden');
    for (const one of some) await sees(one.locator('.connection'), 'Paused');
    tabs.push(...some);
  }
  const last = await tab(context, origin);
  await sees(row(last, 'pears'), 'running');

  program.model('pears').release('pears');
  await sees(entries(last, 'notice'), 'pears');
  const [first] = tabs;
  if (first === undefined) throw new Error('there is no tab');
  expect(await entries(first, 'notice').count()).toBe(0);
  await show(first, 'visible');
  await sees(first.locator('.connection'), 'Live');
  await sees(entries(first, 'notice'), 'pears');
  expect(await first.locator('.banner').count()).toBe(0);
});

it('goes on without a break when it was hidden for a moment only [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(join(folder.path, 'store'), { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url);
  const page = await tab(visit.page.context(), new URL(program.url).origin);
  let streams = 0;
  page.on('request', (request) => (streams += request.url().includes('/api/events') ? 1 : 0));
  await show(page, 'hidden');
  await show(page, 'visible');
  program.model('pears').release('pears');
  await sees(entries(page, 'notice'), 'pears');
  expect(streams).toBe(0);
});
