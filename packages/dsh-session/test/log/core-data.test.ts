import { describe, expect, it } from 'vitest';
import { coreDataProblem } from '../../src/log/core-data.ts';
import { assistant, result, user } from '../fixtures.ts';

const replaced = (messages: unknown): unknown => ({ upTo: 0, messages });

describe("what is looked at in the data of the core's events", () => {
  it.each([
    ['turn/start', { turn: 0 }],
    ['turn/end', { turn: 0, reason: { kind: 'completed' } }],
    ['user/message', user()],
    ['assistant/message', assistant('c')],
    ['tool/start', { callId: 'c', name: 'dig' }],
    ['tool/progress', { callId: 'c', data: null }],
    ['tool/result', result('c')],
    ['request/header', { hash: 'x' }],
    ['history/replaced', replaced([user(), assistant(), result('c')])],
    ['session/recovered', { damaged: 1 }],
    ['session/taken-over', { from: {} }],
    ['session/lost', {}],
    ['chart/drawn', 'whatever another package writes'],
    ['toString', 5],
  ])('takes %s as it should be [S7]', (type, data) => {
    expect(coreDataProblem(type, data)).toBeUndefined();
  });

  it.each([
    ['turn/start', null, 'it is no object'],
    ['turn/start', { turn: -1 }, 'turn is no count'],
    ['turn/end', { turn: 0, reason: 'completed' }, 'reason is no object'],
    ['turn/end', { turn: 0.5, reason: {} }, 'turn is no count'],
    ['user/message', 'hello', 'it is no object'],
    ['user/message', { ...user(), role: 'assistant' }, 'role is not user'],
    ['user/message', { ...user(), id: 5 }, 'id is no string'],
    ['assistant/message', { ...assistant(), id: undefined }, 'id is no string'],
    ['assistant/message', { ...assistant(), content: 'x' }, 'content is no array'],
    ['tool/start', { callId: 5, name: 'dig' }, 'callId is no string'],
    ['tool/start', { callId: 'c' }, 'name is no string'],
    ['tool/progress', { callId: 'c' }, 'data is missing'],
    ['tool/progress', { data: 1 }, 'callId is no string'],
    ['tool/result', { ...result('c'), role: 'user' }, 'role is not tool'],
    ['tool/result', { ...result('c'), name: 5 }, 'name is no string'],
    ['request/header', {}, 'hash is no string'],
    ['history/replaced', { messages: [] }, 'upTo is no count'],
    ['history/replaced', replaced('x'), 'messages is no array'],
    ['history/replaced', replaced([user(), null]), 'a message has no role that is known'],
    ['history/replaced', replaced([{ ...user(), role: 'system' }]), 'a message has no role that is known'],
    ['history/replaced', replaced([{ ...assistant(), content: 5 }]), 'content is no array'],
    ['history/replaced', replaced([{ ...result('c'), callId: 5 }]), 'callId is no string'],
    ['session/recovered', { damaged: '1' }, 'damaged is no count'],
    ['session/taken-over', { from: 'process 7' }, 'from is no object'],
    ['session/lost', [], 'it is no object'],
  ])('refuses %s that is %j [S7 S16]', (type, data, problem) => {
    expect(coreDataProblem(type, data)).toBe(problem);
  });
});
