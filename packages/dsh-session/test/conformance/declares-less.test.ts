import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { driverConformance, type Medium } from '@deepseek-ai/dsh-session/conformance';
import { describe, it } from 'vitest';
import { over } from '../fixtures.ts';
import { openMemory } from './memory-media.ts';

/** Each driver of the medium through `change`. */
function through(medium: Medium, change: (driver: SessionDriver) => SessionDriver): Medium {
  return {
    ...medium,
    driver: async () => change(await medium.driver()),
    reopen: async () => change(await medium.reopen()),
  };
}

/** A medium whose bytes nobody can reach, and a driver that does not fence. */
async function openPlain(): Promise<Medium> {
  const medium = await openMemory();
  const plain: Medium = { driver: () => medium.driver(), reopen: () => medium.reopen() };
  return through(plain, (given) => over(given, { manifest: { ...given.manifest, fences: false } }));
}

/** A driver that was written before there were summaries: it takes them and gives none back. */
async function openWithoutSummaries(): Promise<Medium> {
  return through(await openMemory(), (given) => {
    return over(given, {
      manifest: { ...given.manifest, keepsSummary: false },
      take: async (...args) => without(await given.take(...args)),
      head: async (...args) => without(await given.head(...args)),
    });
  });
}

function without<T extends { summary?: string }>(found: T): T {
  const rest = { ...found };
  delete rest.summary;
  return rest;
}

describe('the suite asks no more of a driver than that says of itself', () => {
  describe('without damage and without fencing', () => {
    driverConformance({ describe, it, open: openPlain });
  });
  describe('without summaries', () => {
    driverConformance({ describe, it, open: openWithoutSummaries });
  });
});
