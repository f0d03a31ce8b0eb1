/** [pure] Members of records that nothing has checked when they were read: a log may have been written by anybody. */

export type Loose = Readonly<Record<string, unknown>>;

export const looseOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};

/** A text, where it is one. */
export const textOf = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' ? value : otherwise;

/** Zero, where it is no number that can be counted with. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
