/** What a memory medium holds, seen past its driver. */
import type { MemoryMedium, SessionId } from '@deepseek-ai/dsh-session';

interface Inside {
  readonly state: {
    readonly sessions: ReadonlyMap<SessionId, unknown>;
    readonly holdings: ReadonlyMap<SessionId, { readonly condition: string }>;
  };
}

export function storedIds(medium: MemoryMedium): readonly SessionId[] {
  return [...(medium as unknown as Inside).state.sessions.keys()];
}

/** Whose writer's place somebody still holds. A dead process holds nothing. */
export function heldIds(medium: MemoryMedium): readonly SessionId[] {
  return [...(medium as unknown as Inside).state.holdings]
    .filter(([, { condition }]) => condition !== 'dead')
    .map(([id]) => id);
}
