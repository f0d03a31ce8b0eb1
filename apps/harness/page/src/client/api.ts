/**
 * Asks the server. Never rejects: what went wrong is part of the answer.
 * I1. `unreachable` says that nothing is known of what the server did; `refused` that it did nothing.
 */
import type { ApiError } from '../wire.ts';

export type Reply<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly sentence: string }
  | { readonly kind: 'unreachable'; readonly sentence: string }
  /** The signal has ended it. */
  | { readonly kind: 'dropped' };

/** After so long an answer is not waited for. */
const patience = 60_000;

export function get<T>(path: string, signal: AbortSignal): Promise<Reply<T>> {
  return ask<T>(path, { headers: { accept: 'application/json' } }, signal);
}

export function post<T>(path: string, body: object, signal: AbortSignal): Promise<Reply<T>> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return ask<T>(path, { method: 'POST', headers, body: JSON.stringify(body) }, signal);
}

async function ask<T>(path: string, init: RequestInit, signal: AbortSignal): Promise<Reply<T>> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  try {
    const response = await fetch(path, { ...init, cache: 'no-store', redirect: 'error', signal: either });
    if (!response.ok) return await refusal(response);
    return { kind: 'ok', value: (await response.json()) as T };
  } catch {
    if (signal.aborted) return { kind: 'dropped' };
    return { kind: 'unreachable', sentence: 'The server did not answer.' };
  }
}

/** What a refusal says; of a server that says nothing, its status. */
export async function refusal(
  response: Response,
): Promise<Exclude<Reply<never>, { kind: 'ok' | 'dropped' }>> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as Partial<ApiError> | undefined;
  const code = body?.code ?? `HTTP_${status}`;
  const sentence = body?.message ?? `The server answered with status ${status}.`;
  if (code === 'INTERNAL' || (body?.code === undefined && status >= 500))
    return { kind: 'unreachable', sentence };
  return { kind: 'refused', status, code, sentence };
}
