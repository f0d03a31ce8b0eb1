/** Where things are on the page, as a person would name them. */
import type { Locator, Page } from 'playwright-core';

export const row = (page: Page, name: string): Locator =>
  page.getByRole('treeitem', { name: new RegExp(`^${name.replaceAll(/[.*+?()[\]{}|\\^$]/g, '\\$&')},`) });

export const entries = (page: Page, kind: string): Locator => page.locator(`.entry[data-kind="${kind}"]`);

export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Transcript' });

export const field = (page: Page): Locator => page.locator('.composer textarea');

export const addressee = (page: Page): Locator => page.locator('.addressee');

export const note = (page: Page): Locator => page.locator('#composer-note');

/** The word of the state of the agent that is shown. */
export const shownState = (page: Page): Locator => page.locator('.agent-line .state');

export async function openAgent(page: Page, name: string): Promise<void> {
  await row(page, name).click();
  await page.locator('.agent-line h2', { hasText: name }).waitFor();
}

/** Waits until a text is there. */
export async function sees(where: Locator, text: string | RegExp): Promise<void> {
  await where
    .filter({ hasText: text })
    .first()
    .waitFor()
    .catch(async (error: unknown) => {
      const there = await where.allInnerTexts();
      throw new Error(`${String(text)} was not seen; there is: ${there.join(' | ')}`, { cause: error });
    });
}
