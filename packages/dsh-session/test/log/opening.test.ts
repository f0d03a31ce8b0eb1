import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/log/event-log.ts';
import { encodeEvent } from '../../src/log/codec.ts';
import { createOpening, hasRoomFor } from '../../src/log/opening.ts';

const noted = (text: string): LogEvent => ({ seq: 0, time: 1, type: 'app/note', data: { text } });
const bytesOf = (event: LogEvent): number => new TextEncoder().encode(encodeEvent(event).json).length;

/** An event of which the JSON is `bytes` long as UTF-8, made of `character` as far as that goes. */
function ofBytes(bytes: number, character: string): LogEvent {
  const size = new TextEncoder().encode(character).length;
  const room = bytes - bytesOf(noted(''));
  return noted(character.repeat(Math.floor(room / size)) + 'x'.repeat(room % size));
}

describe('what a head shows of the own events before the first own turn', () => {
  // 64 KiB, and 32 for what a driver writes around an event.
  const most = 64 * 1024 - 32;

  it.each(['x', 'ż', '梨', '\uE000', '🍐'])(
    'counts the bytes of %s, not the characters [S26]',
    (character) => {
      const [fits, tooLarge] = [ofBytes(most, character), ofBytes(most + 1, character)];
      expect([bytesOf(fits), bytesOf(tooLarge)]).toEqual([most, most + 1]);
      expect(hasRoomFor([], fits)).toBe(true);
      expect(hasRoomFor([], tooLarge)).toBe(false);
      expect(createOpening().add(fits)).toBe(true);
      expect(createOpening().add(tooLarge)).toBe(false);
    },
  );

  it('shows nothing behind an event that did not fit or the start of a turn, however small [S26]', () => {
    const opening = createOpening();
    const small = noted('small');
    expect([small, ofBytes(most, 'x'), small].map((event) => opening.add(event))).toEqual([
      true,
      false,
      false,
    ]);
    expect(opening.events).toEqual([small]);
    expect(createOpening([small], true).add(small)).toBe(false);
    const turned = createOpening();
    expect(turned.add({ ...small, type: 'turn/start', data: { turn: 0 } })).toBe(false);
    expect(turned.add(small)).toBe(false);
  });
});
