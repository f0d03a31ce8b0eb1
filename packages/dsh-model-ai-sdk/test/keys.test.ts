import { describe, expect, it } from 'vitest';
import { withoutKeys } from '../src/keys.ts';

describe('withoutKeys', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-Zx81kQ93mmLp.', 'Incorrect API key provided: [key].'],
    ['sk-ant-api03-abcdefgh_12345-AA and gsk_0123456789abcdef', '[key] and [key]'],
    ['AIzaSyA1234567890abcdefgh', '[key]'],
    ['{"authorization":"Bearer abc.def.ghi"}', '{"authorization":"Bearer [key]"}'],
  ])('takes keys of known forms out of any text: %s', (text, expected) => {
    expect(withoutKeys(text, false)).toBe(expected);
  });

  it.each([
    'the model claude-sonnet-4-5-20250929 does not exist',
    'api_connection_error: key_not_found_anywhere, sk-',
    'see req_011CSHoEeqs5C35K2UUqR7Fy, or https://example.org/docs/error-codes/api-errors',
    'maximum context length is 131072 tokens; context_length_exceeded',
  ])('leaves what helps: %s', (text) => {
    for (const strict of [false, true]) expect(withoutKeys(text, strict)).toBe(text);
  });

  it('takes long random words out where a key was refused', () => {
    const text = 'your api key: Zx81kQ93mmLpT7vW2nR5 or 0123456789abcdef0123456789abcdef';
    expect(withoutKeys(text, true)).toBe('your api key: [key] or [key]');
    expect(withoutKeys(text, false)).toBe(text);
  });
});
