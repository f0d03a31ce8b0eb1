import { expect, it } from 'vitest';
import { z } from 'zod';
import { fromJsonSchema, fromStandardSchema } from '../src/tool-input.ts';

it('takes a zod schema, and shows it to the model as JSON Schema [A14]', () => {
  const input = fromStandardSchema(z.object({ city: z.string(), days: z.number().int().default(1) }));
  expect(input.json).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: {
        default: 1,
        type: 'integer',
        minimum: expect.any(Number) as number,
        maximum: expect.any(Number) as number,
      },
    },
    required: ['city'],
  });
  expect(input.parse({ city: 'Rome' })).toEqual({ value: { city: 'Rome', days: 1 } });
  expect(input.parse({ city: 1 })).toMatchObject({ issues: [{ path: ['city'] }] });
});

it('takes any other Standard Schema with a JSON Schema beside it [A14]', () => {
  const schema = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) =>
        value === 1
          ? { value: 'one' }
          : { issues: [{ message: 'not one', path: [{ key: 'n' }, Symbol.iterator] }] },
    },
  };
  const input = fromStandardSchema<string>(schema, { json: { const: 1 } });
  expect([input.json, input.parse(1)]).toEqual([{ const: 1 }, { value: 'one' }]);
  expect(input.parse(2)).toEqual({
    issues: [{ message: 'not one', path: ['n', 'Symbol(Symbol.iterator)'] }],
  });
  expect(() => fromStandardSchema(schema)).toThrow(expect.objectContaining({ code: 'INVALID_TOOL' }));
});

it('does not take an asynchronous check for a success [A14]', () => {
  const input = fromStandardSchema(z.object({}).refine(async () => false));
  let result: unknown;
  try {
    result = input.parse({});
  } catch (error) {
    result = error;
  }
  expect(result).not.toHaveProperty('value');
});

it('checks by a JSON Schema, and says where it does not fit [A14]', () => {
  const input = fromJsonSchema<{ list: string[] }>({
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string' } } },
    required: ['list'],
    additionalProperties: false,
  });
  expect(input.parse({ list: ['a'] })).toEqual({ value: { list: ['a'] } });
  expect(input.parse({ list: ['a', 1] })).toEqual({
    issues: [{ message: expect.stringContaining('string') as string, path: ['list', '1'] }],
  });
  expect(input.parse({})).toMatchObject({ issues: [{ message: expect.stringContaining('list') as string }] });
});
