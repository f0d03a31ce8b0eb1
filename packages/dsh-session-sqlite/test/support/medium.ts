/** The medium of the conformance suite: a file, with fake processes. */
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import type { Medium } from '@deepseek-ai/dsh-session/conformance';
import { leaseMs, openStage, type Stage } from './stage.ts';

export async function openMedium(): Promise<Medium> {
  const stage = await openStage();
  const driver = async (): Promise<SessionDriver> => stage.driver();
  return {
    driver,
    reopen() {
      stage.crash();
      return driver();
    },
    async expire() {
      stage.sleep(leaseMs + 1);
    },
    async damage(id, kind, seq = 0) {
      switch (kind) {
        case 'garbage-header':
          stage.raw((db) => db.prepare("UPDATE session SET header = 'garbage' WHERE id = ?").run(id));
          return;
        case 'torn-tail':
          // What a crash leaves of a transaction that was not committed.
          stage.raw((db) => db.prepare('DELETE FROM event WHERE key = (SELECT max(key) FROM event)').run());
          return;
        case 'flipped-byte':
          flip(stage, id, seq);
      }
    },
    dispose: () => stage.dispose(),
  };
}

/** Changes one character of the text of an own event. */
export function flip(stage: Stage, id: SessionId, seq: number): void {
  const { changes } = stage.raw((db) =>
    db
      .prepare(
        `UPDATE event SET json = replace(json, '"time"', '"timf"')
         WHERE key = (SELECT log FROM session WHERE id = ?) << 32 | ?`,
      )
      .run(id, seq),
  );
  if (changes !== 1) throw new Error(`there is no own event ${seq} of ${id}`);
}
