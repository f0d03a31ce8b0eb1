import {
  memoryMedium,
  type MemoryMedium,
  type SessionDriver,
  type SessionStoreOptions,
} from '@deepseek-ai/dsh-session';
import { bench, handClock, over, plum, turn, type Bench } from './fixtures.ts';

/** A driver that counts what is read of it. */
export interface Counted extends Bench {
  /** The records that were read, one number per call. */
  readonly reads: number[];
}

export async function counted(
  medium: MemoryMedium,
  change: (driver: SessionDriver) => Partial<SessionDriver> = () => ({}),
  options: Partial<SessionStoreOptions> = {},
): Promise<Counted> {
  const reads: number[] = [];
  const made = await bench({
    medium,
    ...options,
    wrap: (driver) =>
      over(driver, {
        async *read(id, range) {
          const index = reads.push(0) - 1;
          for await (const chunk of driver.read(id, range)) {
            reads[index] = (reads[index] ?? 0) + chunk.length;
            yield chunk;
          }
        },
        ...change(driver),
      }),
  });
  return { ...made, reads };
}

/** `turns` turns in `plum`, closed. */
export async function written(turns: number, text = 'x', start = 1): Promise<MemoryMedium> {
  const medium = memoryMedium();
  const { store } = await bench({ medium, vocabulary: ['app/descriptor'], clock: handClock(start) });
  const session = await store.create({ id: plum });
  session.append('app/descriptor' as never, { name: 'plum' } as never);
  // So large that it is not read at once.
  for (let index = 0; index < turns; index += 1)
    turn(session, index === 0 ? text.repeat(20_000) : `${text} ${index}`);
  await store.close(session);
  return medium;
}
