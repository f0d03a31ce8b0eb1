/** [pure] What a failed request says about the connection. */
import type { ConnectionEvent } from '../state/connection.ts';
import type { Time } from '../wire.ts';
import type { Reply } from './api.ts';

/** Refusals that other pages, or another link, would have to mend; the rest comes and goes. */
export function connectionEventOf(
  reply: Exclude<Reply<unknown>, { kind: 'ok' }>,
  now: Time,
): ConnectionEvent | undefined {
  switch (reply.kind) {
    case 'dropped':
      return undefined;
    case 'refused':
      return { type: 'refused', code: reply.code, sentence: reply.sentence };
    case 'unreachable':
      return { type: 'lost', now };
  }
}
