/**
 * The routes of the inspector, behind its guard.
 * I1. What a route throws becomes an answer with a code; nothing of the program's inside is told.
 */
import { Hono } from 'hono';
import type { Feed } from '../feed.ts';
import type { StateReply } from '../protocol.ts';
import type { Replay } from '../replay.ts';
import { bounded } from '../view/tree.ts';
import type { Actions } from './actions.ts';
import { apiFailure, failureReply } from './api-failure.ts';
import { cursorOf, eventStream } from './event-stream.ts';
import { guard, isApi, refuse, type GuardOptions, type ServerContext, type ServerEnv } from './guard.ts';
import { pageAnswer, type PageFiles } from './page-files.ts';
import { exportLines, readFlow, readInbox, readTranscript, type ReadDeps } from './reads.ts';
import { bodyOf } from './request-body.ts';
import {
  checked,
  flowQuery,
  readNothing,
  readPrompt,
  searchQuery,
  transcriptQuery,
} from './request-shape.ts';
import type { Search } from './search.ts';

export interface RouteDeps extends GuardOptions {
  readonly boot: string;
  readonly reads: ReadDeps;
  readonly actions: Actions;
  readonly search: Search;
  readonly feed: Feed;
  readonly replay: Replay;
  readonly page: PageFiles;
  readonly server: StateReply['server'];
  /** Brings what is stored up to date; resolves soon, also where not everything was read. */
  readonly refresh: () => Promise<void>;
  readonly unread: () => number;
  readonly now: () => number;
  /** The server ends. */
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

const mostReaders = 32;
/** Nodes in one state. */
const mostNodes = 5_000;

export function createRoutes(deps: RouteDeps): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  routes.use(guard(deps));
  routes.use(onlyJson);
  addReads(routes, deps);
  addEvents(routes, deps);
  addActions(routes, deps.actions);
  routes.all('*', (context) => {
    const { path, method } = context.req;
    if (isApi(path)) return refuse(context, 'NOT_FOUND', 'There is no such path.');
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(context, 'WRONG_METHOD', 'That is no way to ask.');
    return pageAnswer(deps.page, path);
  });
  routes.onError((error, context) => {
    const { status, body } = failureReply(error);
    if (body.code === 'INTERNAL' && !context.req.raw.signal.aborted) deps.onFailure(error);
    return context.json(body, status);
  });
  return routes;
}

async function onlyJson(context: ServerContext, next: () => Promise<void>): Promise<Response | undefined> {
  const { method, path } = context.req;
  // Of what is live there is no head: its stream would be begun, and read by nobody.
  if (method === 'GET' || (method === 'HEAD' && !isApi(path))) {
    await next();
    return undefined;
  }
  if (method !== 'POST') return refuse(context, 'WRONG_METHOD', 'Nothing was done: that is no way to ask.');
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return refuse(context, 'NOT_JSON', 'Nothing was done: the request is not of the type application/json.');
  await next();
  return undefined;
}

function addReads(routes: Hono<ServerEnv>, deps: RouteDeps): void {
  const { reads, search, feed, replay } = deps;
  routes.get('/api/state', async (context) => {
    await deps.refresh();
    feed.flush();
    const { nodes, omitted } = bounded(feed.tree, mostNodes);
    const reply: StateReply = {
      boot: deps.boot,
      cursor: cursorOf(deps.boot, replay.last),
      now: deps.now(),
      server: deps.server,
      unread: deps.unread(),
      nodes,
      omitted,
    };
    return context.json(reply);
  });
  routes.get('/api/sessions/:id/transcript', async (context) => {
    const query = checked(transcriptQuery, context.req.query());
    return context.json(await readTranscript(reads, context.req.param('id'), query, context.req.raw.signal));
  });
  routes.get('/api/sessions/:id/inbox', async (context) =>
    context.json(await readInbox(reads, context.req.param('id'), context.req.raw.signal)),
  );
  routes.get('/api/sessions/:id/export', (context) => exportAnswer(context, reads));
  routes.get('/api/flow', (context) =>
    context.json(readFlow(reads, checked(flowQuery, context.req.query()))),
  );
  routes.get('/api/search', async (context) => {
    const query = checked(searchQuery, context.req.query());
    return context.json(await search.find(query, context.req.raw.signal));
  });
}

async function exportAnswer(context: ServerContext, reads: ReadDeps): Promise<Response> {
  const { id, lines } = await exportLines(reads, context.req.param('id') ?? '', context.req.raw.signal);
  const encoder = new TextEncoder();
  const iterator = lines[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const line = await iterator.next();
        if (line.done === true) controller.close();
        else controller.enqueue(encoder.encode(line.value));
      } catch {
        // A file that ends early must not look like a whole one.
        context.env.outgoing.destroy();
        controller.close();
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${id}.jsonl"`,
    },
  });
}

function addEvents(routes: Hono<ServerEnv>, { feed, replay, boot, signal }: RouteDeps): void {
  let readers = 0;
  routes.get('/api/events', (context) => {
    if (readers >= mostReaders)
      throw apiFailure('TOO_MANY_READERS', `Refused: ${mostReaders} pages follow already.`);
    readers += 1;
    const stream = eventStream({
      feed,
      replay,
      boot,
      signal,
      from: context.req.header('last-event-id') ?? context.req.query('after'),
      drop: () => {
        context.env.outgoing.destroy();
      },
      onEnd: () => {
        readers -= 1;
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  });
}

function addActions(routes: Hono<ServerEnv>, actions: Actions): void {
  routes.post('/api/sessions', async (context) =>
    context.json(await actions.create(readPrompt(await bodyOf(context)))),
  );
  routes.post('/api/sessions/:id/prompt', async (context) =>
    context.json(await actions.prompt(context.req.param('id'), readPrompt(await bodyOf(context)))),
  );
  routes.post('/api/sessions/:id/interrupt', async (context) => {
    readNothing(await bodyOf(context));
    return context.json(await actions.interrupt(context.req.param('id')));
  });
  routes.post('/api/sessions/:id/stop', async (context) => {
    readNothing(await bodyOf(context));
    return context.json(await actions.stop(context.req.param('id')));
  });
}
