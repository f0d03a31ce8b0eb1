/** Import cycles, facades and pure files: what is seen only by looking into the code. */
import { posix } from 'node:path';
import ts from 'typescript';
import { isSource } from './repository.mjs';

const parse = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

/** The relative files that are loaded when this one is: imports of types alone are not among them. */
function loads(path, source) {
  const found = [];
  for (const statement of source.statements) {
    const isImport = ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly !== true;
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
    if (!isImport && !isExport) continue;
    const name = statement.moduleSpecifier?.text;
    if (name?.startsWith('.')) found.push(posix.join(posix.dirname(path), name));
  }
  return found;
}

const packageOf = (path) => path.split('/').slice(0, 2).join('/');

/** Relative imports, of types too, that leave the package. */
function leaves(path, source) {
  return source.statements
    .map((statement) => statement.moduleSpecifier?.text)
    .filter((name) => name?.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name))
    .filter((target) => packageOf(target) !== packageOf(path));
}

/** One cycle through each file that is in one, found by depth-first search. */
function cycles(graph) {
  const state = new Map();
  const found = [];
  const visit = (path, trail) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path]);
      return;
    }
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

/** The tag counts in the comment at the head of the file. */
function hasPureTag(text) {
  const [head] = ts.getLeadingCommentRanges(text, 0) ?? [];
  return head !== undefined && text.slice(head.pos, head.end).includes('[pure]');
}

const impureCalls = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch'],
  ...['Date.now', 'performance.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'],
]);

/** What in this file depends on anything but its arguments. */
function impurities(source) {
  const found = [];
  const add = (node, what) => {
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AsyncKeyword) add(node, 'async');
    if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AwaitKeyword) add(node, 'await');
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText().replace(/^globalThis\./, '');
      if (impureCalls.has(name)) add(node, name);
    }
    const isDate = ts.isNewExpression(node) && node.expression.getText() === 'Date';
    if (isDate && (node.arguments?.length ?? 0) === 0) add(node, 'new Date()');
    if (ts.isNewExpression(node) && node.expression.getText() === 'Promise') add(node, 'new Promise');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function checkImports(files) {
  const problems = [];
  const graph = new Map();
  const pure = new Set();
  for (const [path, text] of files) {
    if (!isSource(path)) continue;
    const source = parse(path, text);
    graph.set(path, loads(path, source));
    problems.push(...leaves(path, source).map((to) => `${path}: import packages by name, not ${to}`));
    if (!hasPureTag(text)) continue;
    pure.add(path);
    problems.push(...impurities(source).map((what) => `${path}:${what} in a [pure] file`));
  }
  for (const [path, targets] of graph) {
    for (const target of targets) {
      if (pure.has(path) && !pure.has(target))
        problems.push(`${path}: [pure], but loads ${target}, which is not`);
      const facade = /^((?:internal|packages)\/[^/]+)\/src\/index\.ts$/.exec(target);
      if (facade !== null) problems.push(`${path}: nobody inside a package imports its index.ts`);
    }
  }
  problems.push(...cycles(graph).map((trail) => `import cycle: ${trail.join(' -> ')}`));
  return problems;
}
