import type { SessionId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createToolRegistry } from '../src/tool-registry.ts';
import { tool } from './agent-world.ts';

const scope = (id: string) => ({ id: id as SessionId });
const named = (name: string) => tool(name, () => name);
const names = (schemas: readonly { readonly name: string }[]): string[] => schemas.map(({ name }) => name);

it('keeps the order of registration and the same bytes [A30]', () => {
  const tools = createToolRegistry();
  for (const name of ['b', 'a', 'c']) tools.register(named(name));
  const before = tools.schemas(scope('s'));
  expect(names(before)).toEqual(['b', 'a', 'c']);
  expect(JSON.stringify(before[0])).toBe(
    '{"name":"b","description":"b for tests","inputSchema":{"type":"object"}}',
  );
  const one = scope('s');
  expect(tools.schemas(one)).toBe(tools.schemas(one));
  tools.register(named('own'), scope('other'));
  expect(tools.schemas(scope('s'))).toEqual(before);
});

it('fixes a schema when it is registered [A30]', () => {
  const tools = createToolRegistry();
  const json = { type: 'object', properties: {} as Record<string, unknown> };
  tools.register({ ...named('a'), inputSchema: { json: json as never, parse: (value) => ({ value }) } });
  json.properties['later'] = { type: 'string' };
  expect(tools.schemas()[0]?.inputSchema).toEqual({ type: 'object', properties: {} });
});

it('puts a scoped tool in the place of the one that it shadows, for its scope alone [A30]', () => {
  const tools = createToolRegistry();
  const own = scope('s');
  for (const name of ['a', 'b']) tools.register(named(name));
  const mine = named('a');
  const registered = tools.register(mine, own);
  tools.register(named('z'), own);
  expect(names(tools.schemas(own))).toEqual(['a', 'b', 'z']);
  expect(tools.resolve('a', own)).toBe(mine);
  expect(tools.resolve('a', scope('s'))).not.toBe(mine);
  registered.dispose();
  registered.dispose();
  expect(tools.resolve('a', own)).toBe(tools.resolve('a'));
});

it('hides inherited tools by a filter, never own ones; filters only narrow [A30]', () => {
  const tools = createToolRegistry();
  const own = scope('s');
  for (const name of ['a', 'b', 'c']) tools.register(named(name));
  tools.register(named('mine'), own);
  expect(tools.filter(own, { allow: ['a', 'b', 'gone'], deny: ['b'] })).toEqual(['gone']);
  expect(names(tools.schemas(own))).toEqual(['a', 'mine']);
  expect([tools.resolve('b', own), tools.resolve('c', own)]).toEqual([undefined, undefined]);
  tools.filter(own, { allow: ['a', 'c'] });
  tools.register(named('new'));
  expect(names(tools.schemas(own))).toEqual(['a', 'mine']);
  tools.filter(own, { deny: ['a', 'mine'] });
  expect(names(tools.schemas(own))).toEqual(['mine']);
  expect(tools.filterOf(own)).toEqual({ allow: ['a'], deny: ['b', 'a', 'mine'] });
  expect(names(tools.schemas())).toEqual(['a', 'b', 'c', 'new']);
});

it('shows an own tool of a name that is hidden [A30]', () => {
  const tools = createToolRegistry();
  const own = scope('s');
  tools.register(named('a'));
  tools.register(named('b'));
  tools.filter(own, { deny: ['a'] });
  const mine = named('a');
  tools.register(mine, own);
  expect(tools.resolve('a', own)).toBe(mine);
  expect(names(tools.schemas(own))).toEqual(['b', 'a']);
});

it('adopts what another scope has now, after the global ones and under the filter [A30]', () => {
  const tools = createToolRegistry();
  const [parent, child, grandchild] = [scope('p'), scope('c'), scope('g')];
  tools.register(named('global'));
  tools.register(named('x'), parent);
  const y = tools.register(named('y'), parent);
  tools.adopt(child, parent);
  y.dispose();
  tools.register(named('late'), parent);
  tools.register(named('own'), child);
  expect(names(tools.schemas(child))).toEqual(['global', 'x', 'y', 'own']);
  tools.adopt(grandchild, child);
  tools.filter(grandchild, { deny: ['x'] });
  expect(names(tools.schemas(grandchild))).toEqual(['global', 'y', 'own']);
});

it('lets the identity travel with the definition that is visible [A30]', () => {
  const tools = createToolRegistry();
  const own = scope('s');
  const identity = Symbol.for('test/standard');
  tools.register({ ...named('send'), identity });
  expect(tools.resolve('send', own)?.identity).toBe(identity);
  tools.register(named('send'), own);
  expect(tools.resolve('send', own)?.identity).toBeUndefined();
});

it('refuses a second tool of a name in one layer, and what is no tool [A30]', () => {
  const tools = createToolRegistry();
  tools.register(named('a'));
  expect(() => tools.register(named('a'))).toThrow(expect.objectContaining({ code: 'DUPLICATE_TOOL' }));
  for (const broken of [
    { ...named('') },
    { ...named('b'), description: undefined },
    { ...named('b'), execute: undefined },
    { ...named('b'), inputSchema: { json: {} } },
    { ...named('b'), inputSchema: { json: { a: undefined }, parse: () => ({ value: 1 }) } },
  ]) {
    expect(() => tools.register(broken as never)).toThrow(expect.objectContaining({ code: 'INVALID_TOOL' }));
  }
  expect(names(tools.schemas())).toEqual(['a']);
});
