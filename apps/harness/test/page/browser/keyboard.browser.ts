import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { useChromium } from './chromium.ts';
import { addressee, entries, field, row, sees, shownState } from './parts.ts';
import { longTranscript } from './stores.ts';

const browser = useChromium();

const scripts = {
  root: [
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } }] },
    'A helper is at work.',
    'Noted.',
  ],
  pears: [
    { text: 'Every sort ...', hold: 'pears' },
    { text: 'Once more ...', hold: 'again' },
  ],
};

/** What has the focus, and whether a person can see that it has. */
async function focused(page: Page): Promise<{ readonly what: string; readonly visible: boolean }> {
  return page.evaluate(`(() => {
    const at = document.activeElement;
    // The tree marks one of its rows, and an arrow the ground below it.
    const marked = at.querySelector('[role="treeitem"].current, :scope > .hit') ?? at;
    const { outlineStyle, outlineWidth, stroke } = getComputedStyle(marked);
    const what = at === document.body ? 'BODY' : (at.ariaLabel ?? (at.innerText || at.tagName)).trim();
    return { what, visible: marked.matches('.hit') ? stroke !== 'none' : outlineStyle !== 'none' && outlineWidth !== '0px' };
  })()`);
}

/** Presses Tab until the focus is there. Each stop on the way can be seen. */
async function tabTo(page: Page, what: RegExp): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (at.what !== 'BODY') expect(at).toEqual({ what: at.what, visible: true });
    if (what.test(at.what)) return;
  }
  throw new Error(`Tab does not lead to ${String(what)}`);
}

it('lets every deed be done by keys alone, and never loses the place [H12 H13]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(join(folder.path, 'store'), { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(row(page, 'pears'), 'running');
  await tabTo(page, /^To the transcript$/);
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.keyboard.press('/');
  await tabTo(page, /^Tree of agents$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await sees(addressee(page), 'To pears');
  expect((await focused(page)).what).toBe('Tree of agents');

  await page.keyboard.press('i');
  await page.keyboard.type('How long?');
  await page.keyboard.press('Enter');
  await sees(page.locator('.inbox'), 'How long?');
  expect((await focused(page)).what).toBe('Message to pears');
  await page.keyboard.press('Escape');

  await tabTo(page, /^Interrupt$/);
  await page.keyboard.press('Enter');
  await sees(page.locator('.receipt'), 'was interrupted');
  await sees(shownState(page), 'parked');
  expect((await focused(page)).what).toBe('Interrupt');
  await tabTo(page, /^Dismiss$/);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.receipt').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.id')).toBe('main');

  await tabTo(page, /^Stop …$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Stop it$/);
  await page.keyboard.press('Enter');
  await sees(page.locator('.receipt'), 'pears and everything below it was stopped.');
  expect((await focused(page)).what).toBe('Stop …');
  await tabTo(page, /^Sequence$/);
  await page.keyboard.press('Enter');
  await page.locator('.sequence').waitFor();
  await tabTo(page, /Task, Study fruit\. to pears/);
  await page.keyboard.press('Enter');
  await sees(page.locator('.entry-task.target'), 'Study pears.');
});

it('obeys its keys also where a box to tick has the focus [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(join(folder.path, 'store'), { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await page.getByLabel('All records').focus();
  await page.keyboard.press('Space');
  await sees(entries(page, 'record'), 'request/header');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys and words' }).waitFor();
});

it('leads from the first message of a new agent to its next one [H13]', async () => {
  using folder = temporaryFolder();
  const more = { root: ['Hello.', 'Again.'] };
  await using program = await inspected(join(folder.path, 'store'), { scripts: more });
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await page.getByRole('link', { name: 'Begin a conversation' }).click();
  await field(page).fill('Who are you?');
  await page.keyboard.press('Enter');
  await sees(entries(page, 'assistant'), 'Hello.');
  await expect.poll(async () => (await focused(page)).what).toBe('Message to Who are you?');
  await page.keyboard.type('And now?');
  await page.keyboard.press('Enter');
  await sees(entries(page, 'assistant'), 'Again.');
});

it('keeps the focus in the transcript when its own button goes away [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await longTranscript(join(folder.path, 'store'), 130);
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(entries(page, 'assistant'), 'Message 129.');
  await page.locator('.transcript').focus();
  await page.keyboard.press('PageUp');
  const toEnd = page.locator('.to-end');
  await toEnd.focus();
  await page.keyboard.press('Enter');
  await toEnd.waitFor({ state: 'detached' });
  await expect.poll(async () => (await focused(page)).what).toBe('Transcript');
});
