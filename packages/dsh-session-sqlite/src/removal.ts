/**
 * Deleting what stands under an id.
 * I1. The Session and its place go in one transaction; its events go after that, piece by piece, so that nobody waits
 *     for a long log.
 */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Life } from './life.ts';
import { abandon } from './logs.ts';
import { notFound } from './reading.ts';
import type { Sweeper } from './sweeper.ts';
import { formerHolder } from './taking.ts';
import type { Statements } from './statements.ts';
import type { Transactions } from './transactions.ts';

export interface RemovalOptions {
  readonly transactions: Transactions;
  readonly life: Life;
  readonly sweeper: Sweeper;
}

export async function remove(
  { transactions, life, sweeper }: RemovalOptions,
  id: SessionId,
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await transactions.read(() => true, signal)) === undefined) throw notFound(id);
  await transactions.write(
    (sql) => {
      removeRows(sql, life, id);
    },
    { durable: true, relieves: true, signal },
  );
  await sweeper.sweep();
}

function removeRows(sql: Statements, life: Life, id: SessionId): void {
  const former = formerHolder(sql, life, id);
  const stored = sql.session.get(id);
  if (stored === undefined) throw notFound(id);
  sql.dropSummary.run(id);
  sql.dropSession.run(id);
  sql.clearPlace.run(id);
  abandon(sql, [former?.draft ?? null, stored.log]);
}
