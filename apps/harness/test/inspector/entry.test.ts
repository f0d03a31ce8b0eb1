import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPage } from '../../src/inspector/server/page-files.ts';
import { temporaryFolder } from '../command-line.ts';
import { ask, inspected, visit, visitor, writeFiles } from './inspected.ts';

const somebody = { 'content-type': 'application/json' };

describe('the first visit', () => {
  it('turns the token into a strict cookie and leads to a page without it [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const { origin, search } = new URL(stage.url);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const first = await ask(origin, `/s/abc${search}`);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/s/abc');
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^dsh-inspector-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
    ]);
    expect(first.text).toBe('');
    expect((await stage.raw('/api/state')).status).toBe(200);
  });

  it('never leads to another host [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const { origin, search } = new URL(stage.url);
    const slashes = ['//evil.example/', '/\\evil.example/', '///evil.example/x'];
    for (const path of [...slashes, '/%09/evil.example/', '/%2f%2fevil.example/']) {
      const { headers } = await ask(origin, `${path}${search}`);
      expect(headers.location ?? '/').toMatch(/^\/(?![/\\])/);
      expect(new URL(headers.location ?? '/', origin).origin).toBe(origin);
    }
  });

  it.each(['/%E6%A2%A8', '/a%0d%0aset-cookie:%20x=1', '/%', '/%00'])(
    'leads from the path %s to the same place of the page [H14]',
    async (path) => {
      using folder = temporaryFolder();
      await using stage = await inspected(folder.path);
      const { origin, search } = new URL(stage.url);
      const { status, headers } = await ask(origin, `${path}${search}`);
      expect([status, headers.location]).toEqual([303, path]);
      expect(headers['set-cookie']).toHaveLength(1);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  it.each([
    ['no token', ''],
    ['a wrong token', '?token=wrong'],
    ['half a token', 'half'],
  ])('lets nobody in with %s [H14]', async (_what, given) => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const search = given === 'half' ? new URL(stage.url).search.slice(0, -4) : given;
    const page = await ask(stage.base, `/${search}`);
    expect(page.status).toBe(401);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['content-type']).toContain('text/plain');
    expect(page.text).toContain('open the link');
    const data = await ask(stage.base, `/api/state${search}`);
    expect(data.status).toBe(401);
    expect(JSON.parse(data.text)).toMatchObject({ code: 'NO_ENTRY' });
  });

  it('takes the token on the page alone, and never in place of the cookie [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const { search } = new URL(stage.url);
    expect((await ask(stage.base, `/api/state${search}`)).status).toBe(401);
    const headers = { ...somebody, origin: stage.base };
    expect((await ask(stage.base, `/${search}`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  });

  it('of another server is none here, and a changed cookie is none [H14]', async () => {
    using folder = temporaryFolder();
    await using one = await inspected(join(folder.path, 'one'));
    await using two = await inspected(join(folder.path, 'two'));
    const value = one.cookie.split('=')[1] ?? '';
    const name = two.cookie.split('=')[0] ?? '';
    expect((await visitor(two.base, `${name}=${value}`).raw('/api/state')).status).toBe(401);
    expect((await visitor(two.base, `${name}=`).raw('/api/state')).status).toBe(401);
    expect((await visitor(two.base, two.cookie.slice(0, -1)).raw('/api/state')).status).toBe(401);
  });

  it('counts for the store also after a restart of the server [H12 H14]', async () => {
    using folder = temporaryFolder();
    const first = await inspected(folder.path);
    const { url, cookie } = first;
    await first[Symbol.asyncDispose]();
    await using second = await inspected(folder.path, { port: Number(new URL(url).port) });
    expect(second.url).not.toBe(url);
    expect((await visitor(second.base, cookie).raw('/api/state')).status).toBe(200);
    expect((await visit(url)).cookie).toBe('');
  });
});

describe('the door', () => {
  it.each([
    ['another host', { host: 'evil.example' }, 'WRONG_HOST'],
    ['another port', { host: '127.0.0.1:1' }, 'WRONG_HOST'],
    ['another page', { origin: 'https://evil.example' }, 'WRONG_ORIGIN'],
    [
      'another page of this machine',
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      'WRONG_ORIGIN',
    ],
    ['something that another page loads', { 'sec-fetch-site': 'cross-site' }, 'WRONG_ORIGIN'],
  ])('refuses %s, also with the cookie [H14]', async (_who, headers, code) => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    for (const path of ['/api/state', '/api/events', '/api/sessions/x/export']) {
      const reply = await stage.raw(path, { headers });
      expect(reply.status).toBe(403);
      expect(JSON.parse(reply.text)).toMatchObject({ code });
    }
    const written = await stage.raw('/api/sessions', { method: 'POST', headers, body: '{}' });
    expect(written.status).toBe(403);
    const { search } = new URL(stage.url);
    const visited = await stage.raw(`/${search}`, { headers });
    expect(visited.headers['set-cookie']).toBeUndefined();
  });

  it('refuses a writing request that does not say where it comes from, or is no JSON [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const post = (headers: Record<string, string>) =>
      stage.raw('/api/sessions', { method: 'POST', headers, body: '{}' });
    expect((await post(somebody)).status).toBe(403);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const reply = await post({ origin: stage.base, 'content-type': type });
      expect(reply.status).toBe(415);
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'NOT_JSON' });
    }
    expect((await post({ origin: stage.base })).status).toBe(415);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const headers = { origin: stage.base, 'access-control-request-method': 'POST' };
      const reply = await stage.raw('/api/sessions', { method, headers });
      expect(reply.status).toBe(405);
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('refuses a body that is too large in one sentence, also one whose size was not said [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const body = JSON.stringify({ text: 'x'.repeat(2_000_000), messageId: 'message-1' });
    const headers = { origin: stage.base, ...somebody };
    const said = { ...headers, 'content-length': String(body.length) };
    const unsaid = { ...headers, 'transfer-encoding': 'chunked' };
    for (const some of [said, unsaid]) {
      const reply = await stage.raw('/api/sessions', { method: 'POST', headers: some, body });
      expect(reply.status).toBe(413);
      expect(JSON.parse(reply.text)).toEqual({
        code: 'TOO_LARGE',
        message: 'Nothing was done: the body of a request has at most 262144 bytes.',
      });
    }
    expect((await stage.raw('/api/state')).status).toBe(200);
    expect(stage.app.ctx.agents.list()).toEqual([]);
  });

  it('sets strict headers on every answer, and keeps data out of every cache [H14]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(folder.path);
    const replies = [
      await stage.raw('/'),
      await stage.raw('/api/state'),
      await stage.raw('/api/nothing'),
      await stage.raw('/api/sessions/nobody/transcript'),
      await ask(stage.base, '/api/state'),
      await stage.raw('/api/state', { headers: { host: 'evil.example' } }),
    ];
    for (const { headers } of replies) {
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('the files of the page', () => {
  it('are read once, with their types, and nothing else of the disk is reached [H14]', async () => {
    using folder = temporaryFolder();
    const page = join(folder.path, 'page');
    writeFiles(folder.path, {
      'secret.html': 'secret',
      'page/index.html': '<!doctype html>',
      'page/assets/a-1.js': '1',
      'page/assets/a-1.js.map': '{}',
    });
    const files = await readPage(page);
    expect([...files].map(([path, { type, hashed }]) => [path, type, hashed]).toSorted()).toEqual([
      ['/assets/a-1.js', 'text/javascript; charset=utf-8', true],
      ['/index.html', 'text/html; charset=utf-8', false],
    ]);
    expect(await readPage(join(folder.path, 'assets'))).toEqual(new Map());
    await using stage = await inspected(folder.path, { page });
    const index = await stage.raw('/s/some-place');
    expect(index).toMatchObject({ status: 200, text: '<!doctype html>' });
    expect(index.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    const script = await stage.raw('/assets/a-1.js');
    expect(script.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    for (const path of ['/../secret.html', '/assets/..%2f..%2fsecret.html', '/gone.js'])
      expect((await stage.raw(path)).status).toBe(404);
    expect((await ask(stage.base, '/assets/a-1.js')).status).toBe(401);
  });

  it('say what is missing where they were not built [H12]', async () => {
    using folder = temporaryFolder();
    await using stage = await inspected(join(folder.path, 's'), { page: folder.path });
    const reply = await stage.raw('/');
    expect(reply.status).toBe(503);
    expect(reply.text).toContain('was not built');
    expect((await stage.raw('/api/state')).status).toBe(200);
  });
});
