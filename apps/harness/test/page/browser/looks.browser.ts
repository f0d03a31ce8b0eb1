import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { narrow, useChromium } from './chromium.ts';
import { entries, field, row, sees, transcript } from './parts.ts';

const browser = useChromium();

const scripts = {
  root: [
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } }] },
    'A helper is at work.',
    'Noted.',
  ],
  pears: [{ text: 'Every sort ...', hold: 'pears' }],
};

it('has one pane at a time in a narrow window, and nothing to scroll sideways [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url, narrow);
  const { page } = visit;
  const tree = page.getByRole('tree');
  const bar = page.getByRole('navigation', { name: 'Panes' });
  await sees(row(page, 'pears'), 'running');
  const fits = async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  };
  await fits();
  await row(page, 'pears').click();
  await sees(transcript(page), 'Study pears.');
  await sees(field(page), '');
  expect(await tree.isVisible()).toBe(false);
  await fits();
  await bar.getByRole('link', { name: 'Sequence' }).click();
  await sees(page.getByRole('table'), 'Study pears.');
  expect(await transcript(page).isVisible()).toBe(false);
  await fits();
  await bar.getByRole('link', { name: 'Inbox' }).click();
  await sees(page.getByRole('complementary'), 'Nothing waits.');
  await fits();
  await page.goBack();
  await page.goBack();
  await sees(transcript(page), 'Study pears.');
});

it('draws an arrow for each message, which leads to where it is read, and a table of the same [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(row(page, 'pears'), 'running');
  await page.getByRole('link', { name: 'Sequence' }).first().click();
  const arrows = page.locator('.arrow');
  await expect.poll(() => arrows.count()).toBe(2);
  program.model('pears').release('pears');
  await expect.poll(() => arrows.count()).toBe(3);
  expect(await arrows.last().getAttribute('aria-label')).toMatch(
    /Notice of the runtime \(completed\), pears to Study/,
  );
  await page.getByRole('button', { name: 'List' }).click();
  await expect.poll(() => page.locator('.sequence-list tr').count()).toBe(4);
  await page.getByRole('button', { name: 'Picture' }).click();
  await arrows.nth(1).focus();
  await page.keyboard.press('Enter');
  await sees(page.locator('.agent-line h2'), 'pears');
  await sees(page.locator('.entry-task.target'), 'Study pears.');
});

it('tells its keys, keeps its colours, and is quiet for a screen reader [H12]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url, { colorScheme: 'dark' });
  const { page } = visit;
  await sees(entries(page, 'human'), 'Study fruit.');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and words' });
  await sees(help, 'the next and the previous agent');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const dark = await ground();
  await page.keyboard.press('t');
  await expect.poll(ground).not.toBe(dark);
  await page.reload();
  await sees(entries(page, 'human'), 'Study fruit.');
  expect(await ground()).not.toBe(dark);
  // Streamed text speaks to nobody: what is said aloud stands in the two lines for it.
  expect(
    await transcript(page).locator('[aria-live], [role="status"], [role="log"], [role="alert"]').count(),
  ).toBe(0);
  expect(await page.evaluate(`(${unnamed})()`)).toEqual([]);
});

/** The controls in view that a screen reader has no word for. Runs in the page. */
const unnamed = `() =>
  [...document.querySelectorAll('button, a, input, textarea')]
    .filter((control) => control.checkVisibility())
    .filter(({ innerText, ariaLabel, title, labels }) => ![innerText, ariaLabel, title, labels?.[0]?.innerText].some((name) => name?.trim()))
    .map(({ outerHTML }) => outerHTML)`;

it('begins a new conversation, and shows it [H13]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts: { root: ['Hello.'] } });
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await page.getByRole('link', { name: 'New' }).click();
  await sees(page.locator('.addressee'), 'To a new agent');
  await field(page).fill('Who are you?');
  await field(page).press('Enter');
  await sees(entries(page, 'human'), 'Who are you?');
  await sees(entries(page, 'assistant'), 'Hello.');
  await sees(page.locator('.addressee'), 'To Who are you?');
});
