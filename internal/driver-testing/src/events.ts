/** Events, parts and readings, in few words. */
import type {
  BatchPart,
  PartResult,
  SessionDriver,
  SessionId,
  StoredEntry,
  StoredEvent,
  StoredRecord,
  WriterPlace,
} from '@deepseek-ai/dsh-session';

export const id = (text: string): SessionId => text as SessionId;
export const plum = id('plum');
export const kiwi = id('kiwi');

export const headerText = (of: SessionId, more: object = {}): string =>
  JSON.stringify({ version: 1, id: of, createdAt: 1, ...more });

export function event(seq: number, text = 'grape'): StoredEvent {
  return { kind: 'event', seq, json: JSON.stringify({ seq, time: 1, type: 'fruit/note', data: { text } }) };
}
export const events = (from: number, to: number, text?: string): readonly StoredEvent[] =>
  Array.from({ length: to - from }, (_, index) => event(from + index, text));

export async function append(
  driver: SessionDriver,
  place: WriterPlace,
  base: number,
  list: readonly StoredEvent[],
  header?: string,
): Promise<PartResult> {
  const part: BatchPart = { place, base, events: list, ...(header === undefined ? {} : { header }) };
  const [result] = await driver.append([part]);
  if (result === undefined) throw new Error('no answer');
  return result;
}

/** Throws what the driver answered where that is not yes. */
export async function write(...args: Parameters<typeof append>): Promise<void> {
  const result = await append(...args);
  if (!result.ok) throw result.error;
}

export async function codeOf(work: Promise<PartResult>): Promise<string> {
  const result = await work;
  return result.ok ? 'ok' : result.error.code;
}

/** A stored Session with so many events. Its place is held. */
export async function stored(
  driver: SessionDriver,
  of: SessionId,
  length: number,
  more: object = {},
): Promise<WriterPlace> {
  const place = await driver.take(of, 'create', {});
  await write(driver, place, 0, events(0, length), headerText(of, more));
  return place;
}

export async function records(
  driver: SessionDriver,
  of: SessionId,
  from = 0,
  to?: number,
): Promise<readonly StoredRecord[]> {
  const list: StoredRecord[] = [];
  const range = to === undefined ? { from } : { from, to };
  for await (const chunk of driver.read(of, range)) list.push(...chunk);
  return list;
}

/** The seq of each whole record, and `x` for each damaged one. */
export async function outline(driver: SessionDriver, of: SessionId): Promise<string> {
  return (await records(driver, of)).map((record) => (record.kind === 'event' ? record.seq : 'x')).join(' ');
}

export async function entries(
  driver: SessionDriver,
  query: { parent?: SessionId; after?: string } = {},
): Promise<readonly StoredEntry[]> {
  const list: StoredEntry[] = [];
  for await (const entry of driver.list(query)) list.push(entry);
  return list;
}
