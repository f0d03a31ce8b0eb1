import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected } from '../../inspector/inspected.ts';
import { useChromium } from './chromium.ts';
import { entries, openAgent, row, sees, shownState } from './parts.ts';

const browser = useChromium();

const scripts = {
  root: [
    {
      reasoning: 'Two fruits, so two helpers.',
      text: 'Two helpers can do that.',
      calls: [
        { tool: 'subagent', input: { description: 'pears', prompt: 'Study pears.' } },
        { tool: 'subagent', input: { description: 'plums', prompt: 'Study plums.' } },
      ],
    },
    'They are at work.',
    'Noted.',
    'Noted again.',
  ],
  pears: [{ text: 'Every sort that was ever grown ...', hold: 'pears' }],
  plums: [
    { calls: [{ tool: 'send_message', input: { agent_id: '$parent', message: 'Ripe in August.' } }] },
    { text: 'Done with plums.', hold: 'plums' },
  ],
};

it('shows a tree at work, each kind of message apart, and what is being written [H12 H15]', async () => {
  using folder = temporaryFolder();
  await using program = await inspected(folder.path, { scripts });
  await using visit = await browser.open(program.url);
  const { page } = visit;
  await page.getByText('There are no agents yet.').waitFor();
  expect(page.url()).not.toContain('token');

  await program.begin('Compare pears and plums.');
  await sees(row(page, 'pears'), 'running');
  await openAgent(page, 'pears');
  const partial = entries(page, 'partial');
  await sees(partial, 'Every sort that was ever grown ...');
  await sees(entries(page, 'task'), 'from Compare pears and plums.');
  expect(await entries(page, 'human').count()).toBe(0);

  program.model('pears').release('pears');
  await sees(shownState(page), 'settled');
  await sees(entries(page, 'assistant'), 'Every sort that was ever grown ...');
  expect(await partial.count()).toBe(0);

  program.model('plums').release('plums');
  await openAgent(page, 'Compare pears and plums.');
  await sees(entries(page, 'notice'), 'about plums');
  await sees(entries(page, 'human'), 'Compare pears and plums.');
  await sees(entries(page, 'tool-result'), 'started subagent');
  await sees(entries(page, 'assistant'), 'Tool call');
  await sees(entries(page, 'assistant'), 'Reasoning');
  await sees(shownState(page), 'idle');
});
