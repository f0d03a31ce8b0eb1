import { codedError, protocolProblem } from '@dsh-internal/contract';
import { describe, expect, it } from 'vitest';

describe('codedError', () => {
  const kind = codedError('FruitError', 'test/fruit-error');

  it('makes an error with name, code, message, cause and further members', () => {
    const cause = new Error('worm');
    const error = kind.create('ROTTEN', 'plum not eaten', { cause, data: { fruit: 'plum' } });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'FruitError',
      code: 'ROTTEN',
      message: 'plum not eaten',
      cause,
      fruit: 'plum',
    });
    expect(String(error)).toBe('FruitError: plum not eaten');
    expect(Object.keys(error)).toEqual(['fruit', 'code']);
    expect('cause' in kind.create('ROTTEN', 'no cause')).toBe(false);
  });

  it('keeps a cause that is undefined', () => {
    expect('cause' in kind.create('ROTTEN', 'thrown undefined', { cause: undefined })).toBe(true);
  });

  it('starts its stack where it was made', () => {
    const frames = kind.create('ROTTEN', 'look').stack?.split('\n') ?? [];
    expect(frames[1]).toContain('contract.test.ts');
  });

  it('tells its own errors, also those of another copy, and no others', () => {
    const copy = codedError('FruitError', 'test/fruit-error');
    const other = codedError('FruitError', 'test/other-error');
    expect(kind.is(copy.create('ROTTEN', 'plum'))).toBe(true);
    expect(kind.is(other.create('ROTTEN', 'plum'))).toBe(false);
    for (const value of [undefined, null, 'ROTTEN', new Error('plum'), { code: 'ROTTEN' }])
      expect(kind.is(value)).toBe(false);
  });
});

describe('protocolProblem', () => {
  const wanted = { name: 'fruit/basket', version: 2 };

  it('is nothing where name and version fit', () => {
    expect(protocolProblem({ protocol: { name: 'fruit/basket', version: 2 } }, wanted)).toBeUndefined();
  });

  it.each([
    [{ protocol: { name: 'fruit/basket', version: 1 } }, 'expected fruit/basket 2, got fruit/basket 1'],
    [{ protocol: { name: 'fruit/bowl', version: 2 } }, 'expected fruit/basket 2, got fruit/bowl 2'],
    [{ protocol: {} }, 'expected fruit/basket 2, got undefined undefined'],
    [{}, 'expected fruit/basket 2, got an object without a protocol'],
    [undefined, 'expected fruit/basket 2, got an object without a protocol'],
    [null, 'expected fruit/basket 2, got an object without a protocol'],
  ])('names both for %j', (object, problem) => {
    expect(protocolProblem(object, wanted)).toBe(problem);
  });
});
