import {
  memoryDriver,
  openSessionStore,
  parseSessionId,
  type NewEvent,
  type Session,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/admission/ledger.ts';

const oak = parseSessionId('oak');
const openSessions = (): Promise<SessionStore> =>
  openSessionStore({ driver: memoryDriver(), vocabulary: ['subagent/tally'] });
const tally = (starts: number, tokens: number): NewEvent => ({
  type: 'subagent/tally',
  data: { starts, tokens },
});
const counts = ({ places, budget, written }: Ledger): readonly unknown[] => [
  places.accepted,
  budget.spent,
  written,
];

/** Two records in the log of `oak`, and something else between them. */
async function planted(sessions: SessionStore): Promise<Session> {
  const root = await sessions.create({ id: oak });
  root.appendAll([
    tally(1, 10),
    { type: 'turn/start', data: { turn: 0 } },
    { type: 'turn/end', data: { turn: 0, reason: { kind: 'completed' } } },
    tally(2, 30),
  ]);
  return root;
}

describe('what one tree has started and spent', () => {
  it('is read of a root that is not live here, as of one that is [M46]', async () => {
    const sessions = await openSessions();
    const root = await planted(sessions);
    const live = createLedger(sessions, oak, 100);
    await live.load();
    await sessions.close(root);
    const stored = createLedger(sessions, oak, 100);
    await stored.load();
    expect([counts(live), counts(stored)]).toEqual([
      [3, 40, true],
      [3, 40, true],
    ]);
  });

  it('begins at zero in a copy of a root, live or stored [M46]', async () => {
    const sessions = await openSessions();
    await planted(sessions);
    const copy = await sessions.fork(oak, { length: 4 });
    copy.appendAll([tally(1, 5)]);
    const live = createLedger(sessions, copy.id, 100);
    await live.load();
    await sessions.close(copy);
    const stored = createLedger(sessions, copy.id, 100);
    await stored.load();
    expect([counts(live), counts(stored)]).toEqual([
      [1, 5, true],
      [1, 5, true],
    ]);
  });

  it('that no root took goes into its next record, and is counted once [M46]', async () => {
    const sessions = await openSessions();
    await sessions.close(await planted(sessions));
    const ledger = createLedger(sessions, oak, 100);
    ledger.write({ starts: 1, tokens: 7 });
    await ledger.load();
    expect(counts(ledger)).toEqual([4, 47, false]);
    const root = await sessions.open(oak);
    ledger.write({ starts: 1, tokens: 0 });
    expect(ledger.written).toBe(true);
    expect(root.events().at(-1)).toMatchObject({ type: 'subagent/tally', data: { starts: 2, tokens: 7 } });
  });

  it('that cannot be read is asked for again by who comes next [M46]', async () => {
    const sessions = await openSessions();
    const ledger = createLedger(sessions, oak, 100);
    await expect(ledger.load()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(ledger.loaded).toBe(false);
    await planted(sessions);
    await ledger.load();
    expect(counts(ledger)).toEqual([3, 40, true]);
  });
});
