/**
 * The server on its address.
 * I1. After `close` nobody is let in and no connection is left: what does not end by itself is ended.
 */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Server } from 'node:http';
import type { ServerEnv } from './guard.ts';

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** What connections get to end by themselves, in milliseconds. */
const graceMs = 500;

/** Rejects with what the system says, such as `EADDRINUSE`. */
export async function listen(
  routes: Hono<ServerEnv>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({ fetch: routes.fetch, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
