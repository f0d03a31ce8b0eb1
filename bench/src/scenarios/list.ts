/** Listing the children of one parent in a process that knows nothing yet: the first page, all, and page by page. */
import type { SessionStore } from '@deepseek-ai/dsh-session';
import { numberOf, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { drivers, openStore, peakMegabytes, say, since, source } from '../store.ts';

const cases = (long: boolean): readonly Case[] =>
  (long ? [1_000, 10_000, 100_000] : [1_000, 10_000]).flatMap((children) =>
    drivers.map((driver) => ({
      title: `${driver}, ${children} children`,
      params: { driver, children },
      prepare: true,
    })),
  );

async function prepare(params: Params, folder: string): Promise<void> {
  const store = await openStore(textOf(params, 'driver'), folder);
  const parent = await store.create({ id: source });
  say(parent, 'the parent');
  const children = numberOf(params, 'children');
  for (let made = 0; made < children; made += 500) {
    const sessions = await Promise.all(
      Array.from({ length: Math.min(500, children - made) }, () => store.create({ parentSession: source })),
    );
    for (const session of sessions) say(session, 'a child');
    await Promise.all(sessions.map((session) => store.close(session)));
  }
  await store[Symbol.asyncDispose]();
}

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const before = peakMegabytes();
  const start = performance.now();
  const store = await openStore(textOf(params, 'driver'), folder);
  const page = await store.listPage({ parent: source, limit: 100 });
  const first = since(start);
  let found = 0;
  for await (const entry of store.list({ parent: source })) if (entry.kind === 'session') found += 1;
  const all = since(start) - first;
  const turning = performance.now();
  const paged = await turnPages(store);
  const pages = since(turning);
  await store[Symbol.asyncDispose]();
  if (found !== params['children'] || paged !== found || page.items.length !== 100)
    throw new Error(`found ${found} and ${paged} children`);
  return [
    { name: 'the first 100', unit: 'ms', value: first, better: 'less' },
    { name: 'all', unit: 'ms', value: all, better: 'less' },
    { name: 'all, 100 per page', unit: 'ms', value: pages, better: 'less' },
    { name: 'peak', unit: 'MB', value: peakMegabytes() - before, better: 'less' },
  ];
}

async function turnPages(store: SessionStore): Promise<number> {
  let found = 0;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Page = await store.listPage({
      ...{ parent: source, limit: 100 },
      ...(cursor === undefined ? {} : { cursor }),
    });
    found += page.items.length;
    cursor = page.next;
  }
  return found;
}

type Page = Awaited<ReturnType<SessionStore['listPage']>>;

export const listing: Scenario = { name: 'list', cases, prepare, run };
