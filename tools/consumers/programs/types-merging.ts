import type { NewEvent, Session, SessionEvent, SessionEventMap } from '@deepseek-ai/dsh-session';

/** A program adds an event type of its own, and a `switch` over all of them knows it. */
declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    'shop/order': { readonly pieces: number };
  }
}

export const entry: NewEvent = { type: 'shop/order', data: { pieces: 2 } };
// @ts-expect-error The data of the type that was added are checked.
export const wrong: NewEvent = { type: 'shop/order', data: { pieces: 'two' } };

export function order(session: Session, data: SessionEventMap['shop/order']): SessionEvent<'shop/order'> {
  return session.append('shop/order', data);
}

export function pieces(event: SessionEvent): number {
  switch (event.type) {
    case 'shop/order':
      return event.data.pieces;
    case 'turn/start':
      return event.data.turn;
    default:
      return 0;
  }
}
