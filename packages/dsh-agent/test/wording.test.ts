import { expect, it } from 'vitest';
import {
  incompleteAnswer,
  invalidArguments,
  invalidOutput,
  malformedArguments,
  notApproved,
  notStarted,
  outcomeUnknown,
  toolFailed,
  unknownTool,
} from '../src/wording.ts';

it('says to a model exactly this [A14][A21]', () => {
  expect([
    unknownTool('a"b', ['x', 'y']),
    unknownTool('z', []),
    malformedArguments('x'),
    invalidArguments('x', [{ message: 'too small', path: ['a', 0] }, { message: 'no' }]),
    toolFailed('x', 'boom'),
    toolFailed('x', ''),
    invalidOutput('x', 'bad'),
    notApproved('x'),
    notStarted,
    incompleteAnswer,
    outcomeUnknown,
  ]).toEqual([
    'Unknown tool "a\\"b". Known tools: x, y.',
    'Unknown tool "z". There are no tools.',
    'The arguments of x are not valid JSON. The tool was not run. Call it again with one JSON object.',
    'The arguments of x do not fit. The tool was not run.\n- a.0: too small\n- no',
    'x failed: boom',
    'x failed.',
    'x ran, but its output could not be kept: bad',
    'x was not run: it needs an approval that was not given.',
    'Not started: the turn was cancelled before this call began.',
    'Not started: the answer that holds this call was cut short.',
    'Outcome unknown: the turn was cancelled while this call ran, and it did not end in time. It may have had effects.',
  ]);
});
