/**
 * Stands before every route: who may ask (H14).
 * I1. First the Host, then where the request comes from, then who asks; a body is looked at after all of that.
 * I2. Every answer carries the security headers, refusals too.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { cookieOf, isOwnHost, isOwnOrigin, securityHeaders, type Binding } from '../access.ts';
import { cookieName, type EntryToken } from '../entry-token.ts';
import type { KnownApiCode } from '../protocol.ts';
import { apiFailure, failureReply } from './api-failure.ts';

export interface ServerEnv {
  Bindings: HttpBindings;
}
export type ServerContext = Context<ServerEnv>;

export interface GuardOptions {
  /** Known only once it listens. */
  readonly binding: () => Binding;
  readonly entry: EntryToken;
}

export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

export function guard({ binding, entry }: GuardOptions): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const { req } = context;
    const refusal = whatIsWrong(context, binding());
    const visit = refusal === undefined ? firstVisit(context, binding(), entry) : undefined;
    if (refusal !== undefined) context.res = refuse(context, ...refusal);
    else if (visit !== undefined) context.res = visit;
    else if (!entry.isCookie(cookieOf(req.header('cookie'), cookieName(binding().port))))
      context.res = refuse(
        context,
        'NO_ENTRY',
        'You are not let in: open the link that dsh has printed in its terminal.',
      );
    else await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  };
}

type Refusal = readonly [KnownApiCode, string];

function whatIsWrong({ req }: ServerContext, binding: Binding): Refusal | undefined {
  const host = req.header('host');
  if (!isOwnHost(host, binding))
    return ['WRONG_HOST', 'Refused: the request names another host than this server.'];
  const forPage = !isApi(req.path) && req.header('sec-fetch-dest') === 'document';
  const [origin, site] = [req.header('origin'), req.header('sec-fetch-site')];
  if (!isOwnOrigin({ method: req.method, host, origin, site, forPage }))
    return ['WRONG_ORIGIN', 'Refused: the request does not come from the page of this server.'];
  return undefined;
}

/** The token of the link becomes a cookie, and leaves the address. */
function firstVisit({ req }: ServerContext, { port }: Binding, entry: EntryToken): Response | undefined {
  const token = req.query('token');
  if (req.method !== 'GET' || isApi(req.path) || !entry.isToken(token)) return undefined;
  const cookie = `${cookieName(port)}=${entry.cookie}; HttpOnly; SameSite=Strict; Path=/`;
  // As it was asked for: what is encoded stays so. One slash: two would lead to another host.
  const location = `/${new URL(req.url).pathname.replace(/^[/\\]+/, '')}`;
  return new Response(null, { status: 303, headers: { location, 'set-cookie': cookie } });
}

/** For the page as JSON, for a person as a sentence. */
export function refuse({ req }: ServerContext, code: KnownApiCode, message: string): Response {
  const { status, body } = failureReply(apiFailure(code, message));
  if (isApi(req.path)) return Response.json(body, { status });
  return new Response(`${message}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
