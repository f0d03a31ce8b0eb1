import { describe, expect, it } from 'vitest';
import { rawServer } from './http-server.ts';
import { read, requestOf, textOf, user } from './reading.ts';
import { answerText, eventText, wires, type Wire } from './wire.ts';

const odd = 'Grüße, 世界, \u{1F468}\u200D\u{1F469}\u200D\u{1F467} und \u{1F600}!';
const megabyte = `${'ä\u{1F600}x "\\'.repeat(1 << 17)}!`;
const answer = (wire: Wire, text = odd): string => answerText(wire, 'stop', wire.text(0, text));

/** Gives what `model` reads of these bytes, sent in these pieces. Each piece is on its way before the next one. */
async function readBytes(wire: Wire, pieces: readonly (string | Buffer)[]) {
  const { url } = await rawServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.socket?.setNoDelay(true);
    const send = (at: number): void => {
      const piece = pieces[at];
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(send, at + 1));
    };
    send(0);
  });
  return read(wire.model(url), requestOf(user('hi')));
}

const single = (text: string): readonly Buffer[] => {
  const bytes = Buffer.from(text);
  return Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1));
};
describe.each(wires)('an odd stream over HTTP from $name', (wire) => {
  it.each([
    ['whose pieces end inside of characters', single(answer(wire)), odd],
    ['whose one piece is a megabyte long', [answer(wire, megabyte)], megabyte],
    ['whose lines end with CR and LF', [answer(wire).replaceAll('\n', '\r\n')], odd],
    ['whose CR and LF come apart', single(answer(wire).replaceAll('\n', '\r\n')), odd],
    [
      'with comments that keep it alive',
      [`: PROCESSING\n\n${answer(wire).replaceAll('\n\n', '\n\n: ping\n\n')}`],
      odd,
    ],
    ['with a byte order mark', [`\uFEFF${answer(wire)}`], odd],
    ['without a space after the colon', [answer(wire).replaceAll('data: ', 'data:')], odd],
  ])('reads one %s [A15]', async (_what, pieces, text) => {
    const events = await readBytes(wire, pieces);
    expect(textOf(events) === text).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  it('takes a stream without its last word for whole where that is no word of the protocol, and else for cut [A15]', async () => {
    const items = [...wire.begin, ...wire.text(0, odd), ...wire.finish('stop')];
    // `[DONE]` is a courtesy; `message_stop` is an event that Anthropic promises.
    const spoken = items.filter((item) => !('type' in item && item.type === 'message_stop'));
    const reading = readBytes(wire, [eventText(spoken)]);
    if (spoken.length === items.length) expect((await reading).at(-1)).toMatchObject({ reason: 'stop' });
    else await expect(reading).rejects.toMatchObject({ code: 'CUT_STREAM', retryable: true });
  });
});
