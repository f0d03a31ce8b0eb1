import { readFileSync } from 'node:fs';
import { defineDescriptor, memoryDriver, memoryMedium, type MemoryMedium } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { all, bench, plum } from './fixtures.ts';

/** One log of each released version of the format. A log that was written once is never changed here. */
const versions = ['v1'] as const;

function linesOf(version: string): readonly string[] {
  return readFileSync(new URL(`stored-logs/${version}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
}

async function stored(version: string): Promise<MemoryMedium> {
  const medium = memoryMedium();
  const driver = memoryDriver({ medium });
  const place = await driver.take(plum, 'create', {});
  const [header = '', ...events] = linesOf(version);
  await driver.append([
    { place, base: 0, header, events: events.map((json, seq) => ({ kind: 'event', seq, json })) },
  ]);
  await driver.release(place);
  return medium;
}

describe.each(versions)('a stored log of format %s', (version) => {
  it('opens, shows its history, and goes on [S2] [S17] [S29]', async () => {
    const { store } = await bench({ medium: await stored(version) });
    const session = await store.open(plum);
    expect(session.header).toEqual(JSON.parse(linesOf(version)[0] ?? ''));
    const texts = session
      .history()
      .map(({ content }) => content.map((block) => ('text' in block ? block.text : block.type)));
    expect(texts).toEqual([
      ['Pears were asked about.'],
      ['In September.'],
      ['And plums?'],
      ['tool-call'],
      ['dig was not started: the program stopped before that.'],
    ]);
    expect(session.append('turn/start', { turn: 2 }).seq).toBe(20);
  });

  it('has its descriptor and its head [S25] [S26]', async () => {
    const descriptor = defineDescriptor({
      type: 'orchard/descriptor',
      version: 1,
      schema: z.object({ label: z.string() }),
    });
    const { store } = await bench({ medium: await stored(version) });
    expect(descriptor.read(await store.head(plum))).toEqual({ kind: 'ok', value: { label: 'fruit' } });
  });

  it('is read and exported as it was written [S2] [S8]', async () => {
    const { store } = await bench({ medium: await stored(version), vocabulary: ['orchard/descriptor'] });
    expect(await all(store.export(plum))).toEqual(linesOf(version));
    const kinds = (await all(store.read(plum))).map((record) => record.kind);
    expect(kinds.filter((kind) => kind !== 'event')).toEqual(['unknown']);
    expect(await store.verify(plum)).toEqual({ id: plum, events: 18, damaged: [] });
  });
});
