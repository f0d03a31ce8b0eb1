import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOf, offsetOf } from '../src/line-reader.ts';
import { encodeLines } from '../src/lines.ts';
import type { OpenFile } from '../src/file-port.ts';
import { event } from '@dsh-internal/driver-testing';

interface Counted extends OpenFile {
  readonly bytesRead: number;
}

function fileOf(bytes: Buffer): Counted {
  let bytesRead = 0;
  return {
    get bytesRead() {
      return bytesRead;
    },
    size: async () => bytes.length,
    async read(into, at) {
      const got = at >= bytes.length ? 0 : bytes.copy(into, 0, at);
      bytesRead += got;
      return got;
    },
    write: () => Promise.reject(new Error('reads only')),
    sync: async () => {},
    close: async () => {},
  };
}

/** Lines of the seqs from `first` on; those in `broken` are damaged. */
function logOf(first: number, sizes: readonly number[], broken: ReadonlySet<number> = new Set()) {
  const lines = sizes.map((size, index) => encodeLines([event(first + index, 'x'.repeat(size))]));
  for (const index of broken) lines[index]?.writeUInt8(0x21, 20);
  const starts = lines.map((_, index) => lines.slice(0, index).reduce((sum, line) => sum + line.length, 0));
  return { bytes: Buffer.concat(lines), starts };
}

const sizes = fc.array(fc.oneof(fc.nat(50), fc.nat(6000)), { minLength: 1, maxLength: 60 });

test('finds where each seq begins, whatever the sizes and the damage', async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.nat(9),
      fc.nat(70),
      fc.array(fc.nat(59)),
      async (list, first, wanted, broken) => {
        const damage = new Set(broken);
        const { bytes, starts } = logOf(first, list, damage);
        const seq = first + wanted;
        const found = await offsetOf(fileOf(bytes), bytes.length, first, seq);
        // Behind the last whole line below the seq that is asked for.
        let last = Math.min(wanted, list.length) - 1;
        while (last >= 0 && damage.has(last)) last -= 1;
        expect(found).toEqual({ bytes: starts[last + 1] ?? bytes.length, seq: first + last + 1 });
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('finds the end of the whole lines, whatever was cut off', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(9), fc.nat(), async (list, first, cut) => {
      const { bytes, starts } = logOf(first, list);
      const size = cut % (bytes.length + 1);
      const whole = [...starts, bytes.length].filter((start) => start <= size);
      const found = await endOf(fileOf(bytes.subarray(0, size)), first);
      expect(found).toEqual({ bytes: whole.at(-1), seq: first + whole.length - 1 });
    }),
    { seed: 2, numRuns: 500 },
  );
});

test.each([
  ['a damaged last line counts as an event, so that it is found [S16]', [10, 10, 10], [2], 3],
  ['several of them as well [S16]', [10, 10, 10, 10], [2, 3], 4],
  ['nothing but damage [S16]', [10, 10], [0, 1], 2],
])('%s', async (_, list, broken, next) => {
  const { bytes } = logOf(0, list, new Set(broken));
  expect(await endOf(fileOf(bytes), 0)).toEqual({ bytes: bytes.length, seq: next });
});

test('a line in the wrong place is not taken for the end [S16]', async () => {
  const bytes = Buffer.concat([logOf(0, [5, 5, 5, 5]).bytes, logOf(1, [5]).bytes]);
  expect(await endOf(fileOf(bytes), 0)).toEqual({ bytes: bytes.length, seq: 5 });
});

test('blocks of zeros that a crash of the machine left are no record [S15]', async () => {
  const { bytes } = logOf(0, [5, 5]);
  const zeros = Buffer.concat([
    bytes,
    Buffer.alloc(5000),
    Buffer.from('half a record\n'),
    Buffer.alloc(3000),
  ]);
  expect(await endOf(fileOf(zeros), 0)).toEqual({ bytes: bytes.length, seq: 2 });
});

test('a place near the end of a long log costs little reading [S26 S27]', async () => {
  const { bytes } = {
    bytes: encodeLines(Array.from({ length: 100_000 }, (_, seq) => event(seq, 'x'.repeat(120)))),
  };
  const end = fileOf(bytes);
  expect((await endOf(end, 0)).seq).toBe(100_000);
  expect(end.bytesRead).toBeLessThan(8 * 1024);
  for (const [seq, limit] of [
    [99_990, 32],
    [99_000, 48],
    [50_000, 64],
    [7, 64],
  ] as const) {
    const file = fileOf(bytes);
    expect((await offsetOf(file, bytes.length, 0, seq)).seq).toBe(seq);
    expect(file.bytesRead).toBeLessThan(limit * 1024);
  }
});
