import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../command-line.ts';
import { inspected, type Inspected, type Scripts } from '../../inspector/inspected.ts';
import { narrow, useChromium } from './chromium.ts';
import { entries, openAgent, row, sees, shownState } from './parts.ts';

const browser = useChromium();

const call = (label: string) => ({
  tool: 'subagent',
  input: { description: label, prompt: `Study ${label}.` },
});

const scripts: Scripts = {
  root: [
    { reasoning: 'Four helpers.', calls: ['pears', 'plums', 'figs', 'kiwis'].map(call) },
    { text: '```ts\nconst pear = 1;\n```' },
    ...['Noted.', 'Noted again.', 'And again.'],
  ],
  pears: [{ text: 'Every sort ...', hold: 'pears' }, 'Another one.'],
  plums: [
    { calls: [{ tool: 'send_message', input: { agent_id: '$parent', message: 'Ripe.' } }] },
    { text: 'Plums ...', hold: 'plums' },
  ],
  figs: [{ error: { status: 400, message: 'no such fig' } }],
  kiwis: ['Done.'],
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Not asked: the name of a row is a sentence of what its marks say, and a narrow window shows one pane at a time. */
const rules = {
  'label-content-name-mismatch': { enabled: false },
  'landmark-one-main': { enabled: false },
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What an automatic audit finds wrong, in the words of axe; contrast included. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe}; undefined`);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify({ rules, resultTypes: ['violations'] })}).then((all) =>
      all.violations.map(({ id, nodes }) =>
        ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/** One child at work, one parked with a message, one that failed, one that is done. */
async function orchard(store: string): Promise<Inspected> {
  const program = await inspected(store, { scripts });
  await program.begin('Study fruit.');
  const pears = await expect
    .poll(async () => (await program.nodes()).get('pears')?.state)
    .toBe('running')
    .then(() => program.nodes())
    .then((nodes) => nodes.get('pears')?.id ?? '');
  await program.post(`/api/sessions/${pears}/prompt`, { text: 'And how long?', messageId: 'waiting-1' });
  await program.post(`/api/sessions/${pears}/interrupt`, {});
  return program;
}

for (const [name, options] of [
  ['wide and light', { colorScheme: 'light' }],
  ['wide and dark', { colorScheme: 'dark' }],
  ['narrow and light', { ...narrow, colorScheme: 'light' }],
  ['narrow and dark', { ...narrow, colorScheme: 'dark' }],
] as const) {
  it(`stands an audit of its names, roles and contrasts in a ${name} window [H12]`, async () => {
    using folder = temporaryFolder();
    await using program = await orchard(join(folder.path, 'store'));
    await using visit = await browser.open(program.url, { ...options, reducedMotion: 'reduce' });
    const { page } = visit;
    await sees(row(page, 'pears'), 'parked');
    await sees(row(page, 'figs'), 'error');
    expect(await violations(page)).toEqual([]);
    await openAgent(page, 'pears');
    await sees(shownState(page), 'parked');
    for (const pane of ['transcript', 'sequence', 'details']) {
      await page.evaluate(`location.hash = location.hash.split('/').slice(0, 3).join('/') + '/${pane}'`);
      await page.locator(`.app[data-pane="${pane}"]`).waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await page.evaluate(`location.hash = location.hash.split('/').slice(0, 3).join('/')`);
    await page.getByLabel('All records').check();
    await sees(entries(page, 'record'), 'descriptor');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop …' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys and words' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
}
