import type { BatchPart, SessionDriver } from '@deepseek-ai/dsh-session';
import { driverConformance, type Medium } from '@deepseek-ai/dsh-session/conformance';
import { describe, expect, it } from 'vitest';
import { over, quiet } from '../fixtures.ts';
import { openMemory } from './memory-media.ts';

type Break = (driver: SessionDriver) => Partial<SessionDriver>;

const change = (
  parts: readonly BatchPart[],
  by: (part: BatchPart) => Partial<BatchPart>,
): readonly BatchPart[] => parts.map((part) => ({ ...part, ...by(part) }));

/** What is wrong with a driver, and a rule of which at least one test must then fail. */
const broken: Readonly<Record<string, readonly [rule: string, Break]>> = {
  'drops the last event of a batch': [
    'S14',
    (driver) => ({
      append: (parts) => driver.append(change(parts, ({ events }) => ({ events: events.slice(0, -1) }))),
    }),
  ],
  'writes each event of a batch twice': [
    'S12',
    (driver) => ({
      append: (parts) =>
        driver.append(change(parts, ({ events }) => ({ events: events.flatMap((event) => [event, event]) }))),
    }),
  ],
  'never goes back to the base of a batch': [
    'S12',
    (driver) => ({
      append: (parts) => driver.append(change(parts, () => ({ base: Number.MAX_SAFE_INTEGER }))),
    }),
  ],
  'answers in another order': [
    'S21',
    (driver) => ({ append: async (parts) => [...(await driver.append(parts))].reverse() }),
  ],
  'says yes to every part': [
    'S21',
    (driver) => ({ append: async (parts) => (await driver.append(parts)).map(() => ({ ok: true })) }),
  ],
  'keeps every place for ever': ['S20', () => ({ release: () => Promise.resolve() })],
  'forgets its places when it is disposed': [
    'S20',
    () => ({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  ],
  'maps ids without case': [
    'S1',
    (driver) => ({
      take: (id, ...rest) => driver.take(id.toLowerCase() as typeof id, ...rest),
      head: (id, ...rest) => driver.head(id.toLowerCase() as typeof id, ...rest),
    }),
  ],
  'gives a header without what it does not know': [
    'S2',
    (driver) => ({
      header: async (id, options) => {
        const { header } = await driver.head(id, options);
        return JSON.stringify({ ...(JSON.parse(header) as object), zzz: undefined });
      },
    }),
  ],
  'writes a header as soon as a place is taken': [
    'S4',
    (driver) => ({
      take: async (id, intent, options) => {
        const place = await driver.take(id, intent, options);
        if (intent === 'create')
          await driver.append([{ place, base: place.length, header: '{}', events: [] }]);
        return place;
      },
    }),
  ],
  'lets a stored id be created again': [
    'S3',
    (driver) => ({
      take: (id, intent, options) =>
        driver.take(id, intent, options).catch((error: unknown) => {
          if (intent === 'create') return driver.take(id, 'open', options);
          throw error;
        }),
    }),
  ],
  'shows inherited events in the head': [
    'S26',
    (driver) => ({
      head: async (id, options) => {
        const head = await driver.head(id, options);
        for await (const start of driver.read(id, { from: 0 })) return { ...head, start };
        return head;
      },
    }),
  ],
  'reads from the beginning whatever it is asked': [
    'S23',
    (driver) => ({
      read: (id, { from, ...rest }) => driver.read(id, { ...rest, from: from > 0 ? 0 : from }),
    }),
  ],
  'ignores the cursor of a listing': [
    'S18',
    (driver) => ({ list: ({ after, ...rest }) => driver.list(after === undefined ? rest : rest) }),
  ],
  'lists the children of everybody': [
    'S18',
    (driver) => ({ list: ({ parent, ...rest }) => driver.list(parent === undefined ? rest : rest) }),
  ],
  'deletes nothing': ['S19', () => ({ delete: () => Promise.resolve() })],
  'repairs nothing': ['S16', () => ({ repair: () => Promise.resolve() })],
  'does not say whose place it took over': [
    'S20',
    (driver) => ({
      take: async (...args) => {
        const { id, token, lost, length } = await driver.take(...args);
        return { id, token, lost, length };
      },
    }),
  ],
  'never hears that a place is lost': [
    'S21',
    (driver) => ({
      take: async (...args) => ({ ...(await driver.take(...args)), lost: new AbortController().signal }),
    }),
  ],
  'forgets the summary that comes with a release': [
    'S27',
    (driver) => ({ release: (place) => driver.release(place) }),
  ],
  'gives a summary of long ago': [
    'S27',
    (driver) => ({ head: async (...args) => ({ ...(await driver.head(...args)), summary: '"old"' }) }),
  ],
  'says nothing of the holder': [
    'S20',
    (driver) => ({
      take: (...args) =>
        driver.take(...args).catch((error: unknown) => {
          throw Object.assign(error as Error, { holder: undefined });
        }),
    }),
  ],
  'does not listen to a signal': [
    'abort',
    (driver) => ({ head: (id) => driver.head(id, {}), delete: (id) => driver.delete(id, {}) }),
  ],
};

describe('the suite', () => {
  it('is green for the driver that the broken ones are made of', async () => {
    expect(await failures(() => ({}))).toEqual([]);
  });

  it.each(Object.entries(broken))('goes red for a driver that %s', async (_, [rule, how]) => {
    const red = await failures(how);
    const wanted = rule === 'abort' ? 'aborted signal' : `[${rule}]`;
    expect(red.filter((name) => name.includes(wanted))).not.toEqual([]);
  });
});

/** The names of the tests that fail. A test that waits for ever has failed too. */
async function failures(how: Break): Promise<readonly string[]> {
  const tests: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  driverConformance({
    describe: (_, body) => {
      body();
    },
    it: (name, body) => tests.push({ name, body }),
    open: () => openBroken(how),
  });
  const red: string[] = [];
  for (const { name, body } of tests) {
    let state = 'waiting';
    body().then(
      () => (state = 'green'),
      () => (state = 'red'),
    );
    for (let step = 0; step < 100 && state === 'waiting'; step += 1) await quiet();
    if (state !== 'green') red.push(name);
  }
  return red;
}

async function openBroken(how: Break): Promise<Medium> {
  const medium = await openMemory();
  const breaking = (driver: SessionDriver): SessionDriver => over(driver, how(driver));
  return {
    ...medium,
    driver: async () => breaking(await medium.driver()),
    reopen: async () => breaking(await medium.reopen()),
  };
}
