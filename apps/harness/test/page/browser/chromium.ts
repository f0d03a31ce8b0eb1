/** Chromium for one file of tests, and pages in it that tell of what went wrong in them. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const background = ['--disable-background-networking', '--disable-component-update'];

/** A page whose closing fails when something in it was thrown, or was against its policy. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Whoever expects some takes them away. */
  readonly problems: string[];
}

export interface Chromium {
  open(url: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** Starts before the tests of a file, and ends after them. */
export function useChromium(...flags: readonly string[]): Chromium {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = process.env['DSH_CHROMIUM'] ?? '/usr/bin/chromium';
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', ...quiet, ...background, ...flags],
    });
  });
  afterAll(async () => {
    await browser.close();
  });
  return { open: (url, options = {}) => open(browser, url, options) };
}

/** A refused request is told by the browser too; and an address that is not loopback has no policy of that kind. */
const expected = /^Failed to load resource|^The Cross-Origin-Opener-Policy header has been ignored/;

async function open(browser: Browser, url: string, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) problems.push(message.text());
  });
  await page.goto(url);
  return {
    ...{ page, problems },
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(problems).toEqual([]);
    },
  };
}

export const narrow: BrowserContextOptions = { viewport: { width: 390, height: 780 } };
