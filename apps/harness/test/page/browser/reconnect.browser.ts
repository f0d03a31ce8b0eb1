import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { useChromium } from './chromium.ts';
import { entries, field, note, openAgent, row, sees, shownState, transcript } from './parts.ts';

const browser = useChromium();

const scripts = {
  root: [
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } }] },
    'A helper is at work.',
    'Noted.',
  ],
  pears: [{ text: 'Every sort that was ever grown ...', hold: 'pears' }],
};

it('shows the same after a reload in the middle of an answer, at the same link [H12 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  await program.begin('Study fruit.');
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(row(page, 'pears'), 'running');
  await openAgent(page, 'pears');
  await sees(entries(page, 'partial'), 'Every sort that was ever grown ...');
  const before = page.url();
  await page.reload();
  await sees(entries(page, 'partial'), 'Every sort that was ever grown ...');
  await sees(entries(page, 'task'), 'Study pears.');
  expect(page.url()).toBe(before);
  program.model('pears').release('pears');
  await sees(shownState(page), 'settled');
});

it('says that the server has ended, and goes on by itself when it is there again [H12 H15]', async () => {
  using folder = temporaryFolder();
  const first = await inspected(folder.path, { scripts });
  const port = Number(new URL(first.url).port);
  await first.begin('Study fruit.');
  await using visit = await browser.open(first.url);
  const { page } = visit;
  await sees(row(page, 'pears'), 'running');
  await openAgent(page, 'pears');
  await sees(entries(page, 'partial'), 'Every sort');
  await field(page).fill('A word that is not sent yet.');

  await first[Symbol.asyncDispose]();
  await sees(page.locator('.banner'), 'The server has ended');
  await sees(page.locator('.connection'), 'Server ended');
  await sees(transcript(page), 'Study pears.');
  await sees(note(page), 'The server is not reached');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Stop …' }).isDisabled()).toBe(true);
  await field(page).press('Enter');
  expect(await field(page).inputValue()).toBe('A word that is not sent yet.');

  await using second = await inspected(folder.path, { port });
  await sees(page.locator('.banner'), 'The server was started again.');
  await sees(page.locator('.connection'), 'Live');
  await sees(transcript(page), 'Every sort that was ever grown ...');
  await sees(shownState(page), /settled|aborted|interrupted/);
  expect(await entries(page, 'partial').count()).toBe(0);
  expect(await field(page).inputValue()).toBe('A word that is not sent yet.');
  const begun = await second.app.ctx.agents.create();
  begun.agent.followup({ content: 'A later one.', source: { kind: 'user' } });
  await sees(row(page, 'A later one.'), 'idle');
});

it('keeps a prompt that got no answer, and sends it again under the same id [H13]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts: { root: ['Hello.', 'Again.'] } });
  await program.begin('Hi.');
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await sees(entries(page, 'assistant'), 'Hello.');
  const ids: string[] = [];
  await page.route('**/prompt', async (route) => {
    ids.push((route.request().postDataJSON() as { messageId: string }).messageId);
    if (ids.length > 1) await route.continue();
    else {
      // It arrives, and its answer does not.
      await route.fetch();
      await route.abort();
    }
  });
  await field(page).fill('Once.');
  await field(page).press('Enter');
  await sees(note(page), 'It is not known whether it arrived.');
  expect(await field(page).inputValue()).toBe('Once.');
  await page.getByRole('button', { name: 'Send again' }).click();
  await sees(note(page), 'Accepted');
  await sees(entries(page, 'assistant'), 'Again.');
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await entries(page, 'human').count()).toBe(2);
});
