import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cookieOf, isOwnHost, isOwnOrigin, type RequestFacts } from '../../src/inspector/access.ts';
import { createEntryToken, entryKey } from '../../src/inspector/entry-token.ts';
import { temporaryFolder } from '../command-line.ts';

const local = { host: '127.0.0.1', port: 7333 };
const everywhere = { host: '0.0.0.0', port: 7333, names: ['desk'] };

describe('the name of the host', () => {
  it.each([
    ['127.0.0.1:7333', local, true],
    ['localhost:7333', local, true],
    ['LOCALHOST:7333', local, true],
    ['[::1]:7333', local, true],
    ['127.0.0.1:7334', local, false],
    ['127.0.0.1', local, false],
    ['127.0.0.1', { ...local, port: 80 }, true],
    ['evil.example:7333', local, false],
    ['evil.example', local, false],
    ['127.0.0.1.evil.example:7333', local, false],
    ['127.0.0.1:7333.evil.example', local, false],
    ['192.168.0.7:7333', local, false],
    ['', local, false],
    [undefined, local, false],
    ['192.168.0.7:7333', everywhere, true],
    ['[fe80::1]:7333', everywhere, true],
    ['desk:7333', everywhere, true],
    ['localhost:7333', everywhere, true],
    ['evil.example:7333', everywhere, false],
    ['192.168.0.7:7333', { host: '192.168.0.7', port: 7333 }, true],
    ['192.168.0.8:7333', { host: '192.168.0.7', port: 7333 }, false],
    ['localhost:7333', { host: '192.168.0.7', port: 7333 }, false],
    ['[fd00::7]:7333', { host: 'fd00::7', port: 7333 }, true],
  ])('%s is told from what is not this server [H14]', (header, binding, own) => {
    expect(isOwnHost(header, binding)).toBe(own);
  });
});

describe('where a request comes from', () => {
  const get: RequestFacts = {
    method: 'GET',
    host: '127.0.0.1:7333',
    origin: undefined,
    site: undefined,
    forPage: false,
  };
  const own = 'http://127.0.0.1:7333';
  it.each([
    ['a reading one that says nothing of it', get, true],
    ['one of the page itself', { ...get, origin: own, site: 'same-origin' }, true],
    ['one of another page', { ...get, origin: 'https://evil.example' }, false],
    ['one of another port', { ...get, origin: 'http://127.0.0.1:8000' }, false],
    ['one of the same address over https', { ...get, origin: 'https://127.0.0.1:7333' }, false],
    ['one of a page without an origin', { ...get, origin: 'null' }, false],
    ['a writing one of the page', { ...get, method: 'POST', origin: own }, true],
    ['a writing one that does not say', { ...get, method: 'POST' }, false],
    ['an image of another page', { ...get, site: 'cross-site' }, false],
    ['an image of another port', { ...get, site: 'same-site' }, false],
    ['a link of another page', { ...get, site: 'cross-site', forPage: true }, true],
    [
      'a form of another page',
      { ...get, method: 'POST', origin: own, site: 'cross-site', forPage: true },
      false,
    ],
  ])('%s is let in or not [H14]', (_what, facts, allowed) => {
    expect(isOwnOrigin(facts)).toBe(allowed);
  });
});

describe('the cookie', () => {
  it.each([
    ['a=1; b=2', 'b', '2'],
    ['b=2', 'b', '2'],
    ['bb=1;b=x=y', 'b', 'x=y'],
    ['b', 'b', undefined],
    [undefined, 'b', undefined],
  ])('is found in %s [H14]', (header, name, value) => {
    expect(cookieOf(header, name)).toBe(value);
  });

  it('follows from a key that only the owner can read, and the token from nothing [H14]', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'not', 'yet', 'store.inspector-key');
    const key = await entryKey(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await entryKey(file)).toBe(key);
    const [one, two] = [createEntryToken(key), createEntryToken(key)];
    expect(two.cookie).toBe(one.cookie);
    expect(two.token).not.toBe(one.token);
    expect(one.isToken(one.token)).toBe(true);
    for (const wrong of [two.token, one.cookie, '', undefined, `${one.token} `])
      expect(one.isToken(wrong)).toBe(false);
    expect(two.isCookie(one.cookie)).toBe(true);
    expect(createEntryToken('another key').isCookie(one.cookie)).toBe(false);
  });

  it('has a new key where the old one is none, and one for this run where nothing can be written [H14]', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'store.inspector-key');
    await writeFile(file, '');
    const key = await entryKey(file);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await entryKey(file)).toBe(key);
    const nowhere = join(file, 'key');
    expect(await entryKey(nowhere)).not.toBe(await entryKey(nowhere));
  });
});
