import type {
  ContentBlock,
  JsonValue,
  Message,
  Session,
  SessionEvent,
  SessionId,
  TurnEndReason,
  UserMessage,
} from '@deepseek-ai/dsh-session';
import { describe, expectTypeOf, it } from 'vitest';

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    readonly 'orchard/picked': { readonly fruit: string };
  }
  interface ContentBlockMap {
    readonly 'orchard/basket': { readonly type: 'orchard/basket'; readonly count: number };
  }
  interface MessageSourceMap {
    readonly 'orchard/gardener': { readonly kind: 'orchard/gardener'; readonly name: string };
  }
}

declare const session: Session;
declare const event: SessionEvent;

describe('the types', () => {
  it('a switch over the type narrows the data [S7]', () => {
    if (event.type === 'turn/end') expectTypeOf(event.data.reason).toEqualTypeOf<TurnEndReason>();
    if (event.type === 'user/message') expectTypeOf(event.data).toEqualTypeOf<UserMessage>();
    if (event.type === 'orchard/picked') expectTypeOf(event.data).toEqualTypeOf<{ readonly fruit: string }>();
  });

  it('append takes the data of its type and no other [S7]', () => {
    expectTypeOf(session.append('turn/start', { turn: 0 })).toEqualTypeOf<SessionEvent<'turn/start'>>();
    expectTypeOf(session.append('orchard/picked', { fruit: 'plum' }).data.fruit).toEqualTypeOf<string>();
    // @ts-expect-error -- another type's data
    session.append('turn/start', { fruit: 'plum' });
    // @ts-expect-error -- a type that nobody declared
    session.append('orchard/eaten', {});
    // @ts-expect-error -- the same in a batch
    session.appendAll([{ type: 'turn/start', data: { fruit: 'plum' } }]);
  });

  it('content and sources can be extended by merging [S7]', () => {
    expectTypeOf<Extract<ContentBlock, { type: 'orchard/basket' }>['count']>().toEqualTypeOf<number>();
    expectTypeOf<
      Extract<UserMessage['source'], { kind: 'orchard/gardener' }>['name']
    >().toEqualTypeOf<string>();
  });

  it('an id is made by parsing, and text is none [S1]', () => {
    expectTypeOf<SessionId>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<SessionId>();
  });

  it('what a Session shows cannot be changed [S6]', () => {
    expectTypeOf(session.history()).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(session.history()).not.toHaveProperty('push');
    expectTypeOf<{ readonly a: readonly [1, null] }>().toExtend<JsonValue>();
  });
});
