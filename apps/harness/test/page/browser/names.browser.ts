import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TranscriptReply } from '../../../src/inspector/protocol.ts';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { narrow, useChromium } from './chromium.ts';
import { addressee, entries, openAgent, row, sees, transcript } from './parts.ts';
import { manyChildren } from './stores.ts';

const browser = useChromium();

/** Whether the first letter of a text lies within the box that cuts it. Runs in the page. */
const firstLetter = `(element) => {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, 1);
  const letter = range.getBoundingClientRect();
  const { left, right } = element.getBoundingClientRect();
  return letter.width > 0 && letter.left >= left - 1 && letter.right <= right + 1;
}`;

const beginsInView = (page: Page, box: string): Promise<boolean> =>
  page.evaluate<boolean>(`(${firstLetter})(document.querySelector('${box}'))`);

const long = 'goes on, and on, and on, until it is far longer than any line of the page has room for';

for (const [direction, name] of [
  ['from the left', `pears ${long}`],
  ['from the right', `שלום ${long}`],
] as const) {
  it(`keeps the beginning of a long name in view that is read ${direction} [H12 H13]`, async () => {
    using folder = temporaryFolder();
    const scripts = { root: ['Hello.'] };
    await using program = await inspected(join(folder.path, 'store'), { scripts });
    await program.begin(name);
    await using visit = await browser.open(program.url, narrow);
    const { page } = visit;
    await page.getByRole('treeitem').first().click();
    await sees(entries(page, 'assistant'), 'Hello.');
    expect(await beginsInView(page, '.agent-line h2')).toBe(true);
    expect(await beginsInView(page, '.addressee strong')).toBe(true);
    expect((await addressee(page).locator('strong').boundingBox())?.width).toBeGreaterThan(120);
  });
}

it('opens a sequence at its newest message, and keeps times and names in view in a wide one [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await manyChildren(join(folder.path, 'store'), 28, 2);
  await using visit = await browser.open(program.url, narrow);
  const { page } = visit;
  await openAgent(page, 'child 30');
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('link', { name: 'Sequence' }).click();
  await page.getByRole('button', { name: 'Picture' }).click();
  const arrows = page.locator('.arrow');
  await expect.poll(() => arrows.count()).toBeGreaterThan(55);
  const inView = async (where: Locator) => {
    const box = await where.boundingBox();
    return box !== null && box.x >= -1 && box.x + Math.min(box.width, 20) <= 390 && box.y > 0 && box.y < 780;
  };
  // Of the agent that is shown the lane is in view, and the times stay beside it.
  await expect.poll(() => inView(page.locator('.lane-head.shown'))).toBe(true);
  expect(await page.evaluate<number>(`document.querySelector('.picture-box').scrollLeft`)).toBeGreaterThan(
    300,
  );
  expect(await inView(page.locator('.times span').last())).toBe(true);
  program.model('child 30').release('child 30');
  await sees(page.locator('.arrow-text').last(), 'ended: completed');
  await expect.poll(() => inView(page.locator('.times span').last())).toBe(true);
  const widths = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.lane-head')].map(({ clientWidth }) => clientWidth)`,
  );
  expect(Math.max(...widths)).toBeLessThan(60);
});

it('shows the rest where one record cannot be drawn [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(join(folder.path, 'store'), { scripts: { root: ['Hello.'] } });
  await program.begin('Hi.');
  await using visit = await browser.open(program.url);
  const { page, problems } = visit;
  await page.route('**/transcript*', async (route) => {
    const reply = await route.fetch();
    const body = (await reply.json()) as TranscriptReply;
    const entriesOfIt = body.entries.map((one) =>
      one.kind === 'assistant' ? { ...one, blocks: null } : one,
    );
    await route.fulfill({ response: reply, json: { ...body, entries: entriesOfIt } });
  });
  await page.reload();
  await sees(transcript(page), 'This record cannot be shown.');
  await sees(entries(page, 'human'), 'Hi.');
  await sees(row(page, 'Hi.'), 'idle');
  expect(problems.length).toBeGreaterThan(0);
  problems.length = 0;
});
