import { parseSessionId, SessionError } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { parseHeader } from '../src/header-check.ts';

const plum = parseSessionId('plum');
const header = { version: 1, id: plum, createdAt: 1 };

/** The code and the end of the message with which a stored text is refused. */
function refusal(text: string): readonly [code: string, why: string] {
  try {
    parseHeader(text, plum);
  } catch (error) {
    if (SessionError.is(error)) return [error.code, error.message.replace('session plum not read: ', '')];
    throw error;
  }
  return ['none', ''];
}

describe('a stored header', () => {
  it.each([
    ['no JSON', '{"version":1', 'its header is no JSON'],
    ['nothing', 'null', 'the header is no object'],
    ['a list', '[]', 'the header is no object'],
    ['a text', '"plum"', 'the header is no object'],
  ])('that is %s is refused as such [S2 S18]', (_, text, why) => {
    expect(refusal(text)).toEqual(['INVALID_HEADER', why]);
  });

  it.each([
    ['no version', { version: undefined }, "the header's version is not 1"],
    ['a version that is no number', { version: '2' }, "the header's version is not 1"],
    ['an id that is no text', { id: 5 }, "the header's id is none: it is no string"],
    ['no time', { createdAt: undefined }, "the header's createdAt is no time"],
    ['a time that is a text', { createdAt: 'now' }, "the header's createdAt is no time"],
    ['an origin that is no text', { origin: 5 }, "the header's origin is not valid: it is no string"],
    ['a meta that is a list', { meta: [] }, "the header's meta is not valid: it is no object"],
    ['half a depth', { delegationDepth: 0.5 }, "the header's delegationDepth is not valid: it is no count"],
    ['a cwd that is no text', { cwd: 5 }, "the header's cwd is not valid: it is no absolute path"],
    [
      'a source that is a text',
      { forkedFrom: 'kiwi' },
      "the header's forkedFrom is not valid: it is no object",
    ],
    [
      'a source without length',
      { forkedFrom: { session: 'kiwi' } },
      "the header's forkedFrom is not valid: it is no count",
    ],
    [
      'a source that is no id',
      { forkedFrom: { session: 5, length: 1 } },
      "the header's forkedFrom is not valid: it is no string",
    ],
    ['a root that is no id', { rootSession: 5 }, "the header's rootSession is not valid: it is no string"],
    ['the id of another', { id: 'kiwi' }, 'its header is that of kiwi'],
  ])('with %s is refused, and says why [S2]', (_, change, why) => {
    expect(refusal(JSON.stringify({ ...header, ...change }))).toEqual(['INVALID_HEADER', why]);
  });

  it('of a newer version is told apart, whatever else it holds [S2]', () => {
    expect(refusal(JSON.stringify({ version: 2, anything: true }))).toEqual([
      'UNSUPPORTED_VERSION',
      'its header has version 2, known is 1',
    ]);
  });

  it.each(['/srv', 'C:\\work', 'c:/work', '\\\\host\\share'])(
    'takes the folder %s of whichever machine wrote it [S2]',
    (cwd) => {
      expect(parseHeader(JSON.stringify({ ...header, cwd }), plum).cwd).toBe(cwd);
    },
  );
});
