import type { Agent } from '@deepseek-ai/dsh-agent';
import { expect, it } from 'vitest';
import { createKnownSessions } from '../../src/inspector/known-sessions.ts';
import { createPartialAnswers } from '../../src/inspector/partial-answers.ts';
import { exportLines, type ReadDeps } from '../../src/inspector/server/reads.ts';

const id = 'pears';

/** A Session whose newest record is on the medium only once it was flushed. */
function half({
  live,
  flush = () => Promise.resolve(true),
}: {
  live: boolean;
  flush?: () => Promise<boolean>;
}) {
  const lines = ['first'];
  const deps: ReadDeps = {
    known: createKnownSessions(),
    partials: createPartialAnswers(),
    tree: () => ({ order: [], nodes: new Map() }),
    agents: { get: () => (live ? ({ session: {} } as unknown as Agent) : undefined) },
    sessions: {
      head: () => Promise.reject(new Error('is not asked for')),
      read: () => {
        throw new Error('is not read');
      },
      flush: async () => {
        const flushed = await flush();
        lines.push('newest');
        return flushed;
      },
      async *export() {
        yield* await Promise.resolve([...lines]);
      },
    },
  };
  return deps;
}

async function exported(deps: ReadDeps): Promise<string> {
  const { lines } = await exportLines(deps, id, new AbortController().signal);
  let text = '';
  for await (const line of lines) text += line;
  return text;
}

it('writes down what is live before it is exported [H13]', async () => {
  expect(await exported(half({ live: true }))).toBe('first\nnewest\n');
});

it('exports what is stored where nothing is live, or nothing can be written down [H13]', async () => {
  expect(await exported(half({ live: false }))).toBe('first\n');
  const full = () => Promise.reject(new Error('the disk is full'));
  expect(await exported(half({ live: true, flush: full }))).toBe('first\n');
});
