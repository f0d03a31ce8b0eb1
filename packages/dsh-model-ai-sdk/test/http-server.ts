import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { deferred } from '@dsh-internal/async';

/** What the mock server cannot do: answers written byte by byte, broken where a test wants it. */
export async function rawServer(
  answer: (response: ServerResponse, request: IncomingMessage, body: unknown) => void,
): Promise<{ readonly url: string; readonly closed: Promise<void>; readonly bodies: readonly unknown[] }> {
  const bodies: unknown[] = [];
  const closed = deferred();
  const server = createServer((request, response) => {
    let body = '';
    response.on('close', () => {
      closed.resolve();
    });
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const sent: unknown = JSON.parse(body);
      bodies.push(sent);
      answer(response, request, sent);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, closed: closed.promise, bodies };
}

/** Server-sent events, and nothing after them. */
export function sendEvents(response: ServerResponse, ...data: readonly object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const item of data) response.write(`data: ${JSON.stringify(item)}\n\n`);
}

/** A chunk of an answer as OpenAI-compatible servers stream it. */
export function chunkOf(delta: object, finish_reason: string | null = null): object {
  return {
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  };
}
