import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected, type Inspected, type Scripts } from '../../inspector/inspected.ts';
import { useChromium } from './chromium.ts';
import { addressee, entries, field, note, openAgent, row, sees, shownState } from './parts.ts';

const browser = useChromium();

const delegate = (...labels: readonly string[]) => ({
  calls: labels.map((label) => ({
    tool: 'subagent',
    input: { description: label, prompt: `Study ${label}.` },
  })),
});

const scripts: Scripts = {
  root: [delegate('pears', 'plums'), 'They are at work.', 'Noted.', 'Noted again.', 'And again.'],
  pears: [{ text: 'Every sort ...', hold: 'pears' }, 'A short answer.', 'Another one.'],
  plums: [{ text: 'Plums ...', hold: 'plums' }],
};

/** A root with two children at work, and a page that shows the root. */
async function atWork(
  store: string,
  more: Scripts = scripts,
): Promise<AsyncDisposable & { readonly page: Page; readonly program: Inspected }> {
  const program = await inspected(store, { scripts: more });
  await program.begin('Study fruit.');
  const visit = await browser.open(program.url);
  await sees(row(visit.page, 'plums'), 'running');
  await sees(shownState(visit.page), 'waiting');
  return {
    ...{ page: visit.page, program },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await visit[Symbol.asyncDispose]();
    },
  };
}

it('writes to the root, each prompt once and as a turn of its own [H13 H15]', async () => {
  using folder = temporaryFolder();
  await using work = await atWork(folder.path);
  const { page } = work;
  await sees(addressee(page), 'To Study fruit.');
  await sees(addressee(page), 'root');
  // Each part of it keeps some room, however long the others are.
  for (const part of await addressee(page).locator('strong, :scope > bdi, code').all())
    expect((await part.boundingBox())?.width).toBeGreaterThan(20);
  await field(page).fill('How long');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('do they keep?');
  expect(await field(page).inputValue()).toBe('How long\ndo they keep?');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await sees(note(page), 'Accepted');
  expect(await field(page).inputValue()).toBe('');
  await sees(entries(page, 'human'), 'do they keep?');
  await sees(entries(page, 'assistant'), 'Noted.');
  expect(await entries(page, 'human').count()).toBe(2);
  expect(await entries(page, 'turn-start').count()).toBe(2);
});

it('keeps what is typed for one agent from every other [H13]', async () => {
  using folder = temporaryFolder();
  await using work = await atWork(folder.path);
  const { page } = work;
  await field(page).fill('For the root.');
  await openAgent(page, 'plums');
  await sees(addressee(page), 'To plums');
  await sees(addressee(page), 'child of Study fruit.');
  expect(await field(page).inputValue()).toBe('');
  await field(page).fill('For plums.');
  await openAgent(page, 'Study fruit.');
  expect(await field(page).inputValue()).toBe('For the root.');
  await openAgent(page, 'plums');
  expect(await field(page).inputValue()).toBe('For plums.');
  await field(page).press('Enter');
  await sees(page.locator('.inbox'), 'For plums.');
  await openAgent(page, 'Study fruit.');
  expect(await field(page).inputValue()).toBe('For the root.');
  expect(await entries(page, 'human').count()).toBe(1);
});

it('leaves Enter to an input method that composes [H13]', async () => {
  using folder = temporaryFolder();
  await using work = await atWork(folder.path);
  const { page } = work;
  await field(page).fill('梨');
  await field(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await field(page).dispatchEvent('compositionend', {});
  await field(page).dispatchEvent('keydown', { key: 'Enter' });
  expect(await field(page).inputValue()).toBe('梨');
  expect(await note(page).textContent()).toBe('');
});

it('says why nothing was sent, and keeps the text [H13]', async () => {
  using folder = temporaryFolder();
  await using work = await atWork(folder.path);
  const { page } = work;
  await field(page).fill('  ');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  const long = 'ä'.repeat(40_000);
  await field(page).fill(long);
  await field(page).press('Enter');
  await sees(note(page), 'too long: 80,000 bytes');
  expect((await field(page).inputValue()).length).toBe(long.length);
});

it('interrupts a turn, says what waits, and prompts the child to go on [H13 H15]', async () => {
  using folder = temporaryFolder();
  await using work = await atWork(folder.path);
  const { page } = work;
  await openAgent(page, 'pears');
  await field(page).fill('How long do they keep?');
  await field(page).press('Enter');
  await sees(page.locator('.inbox'), 'How long do they keep?');
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await sees(page.locator('.receipt'), 'Turn 1 was interrupted. 1 message waits');
  await sees(shownState(page), 'parked');
  await sees(row(page, 'pears'), '1');
  await field(page).fill('Leave the books.');
  await field(page).press('Enter');
  await sees(entries(page, 'human'), 'Leave the books.');
  await sees(entries(page, 'assistant'), 'Another one.');
  await sees(row(page, 'plums'), 'running');
});

it('stops a child with what is below it, after it has named both [H13 H15]', async () => {
  using folder = temporaryFolder();
  const pears = [delegate('conference'), { text: 'Pears ...', hold: 'pears' }];
  const conference = [{ text: 'It keeps ...', hold: 'conference' }];
  await using work = await atWork(folder.path, { ...scripts, pears, conference });
  const { page } = work;
  await sees(row(page, 'conference'), 'running');
  await openAgent(page, 'pears');
  const stop = page.getByRole('button', { name: 'Stop …' });
  await stop.click();
  const dialog = page.getByRole('dialog');
  await sees(dialog, 'It and 1 live agent below it end now');
  await sees(dialog.getByRole('listitem'), 'conference');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.locator(':focus').innerText()).toBe('Stop …');
  await sees(row(page, 'conference'), 'running');
  await stop.click();
  await dialog.getByRole('button', { name: 'Stop all 2' }).click();
  await sees(page.locator('.receipt'), 'pears and everything below it was stopped.');
  await sees(shownState(page), 'aborted');
  await sees(row(page, 'conference'), 'aborted');
  await sees(row(page, 'plums'), 'running');
  expect(await stop.isDisabled()).toBe(true);
});

it('exports a Session as it is stored [H13]', async () => {
  using folder = temporaryFolder();
  await using work = await atWork(folder.path);
  const { page } = work;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  expect(lines.join('\n')).toContain('Study fruit.');
});
