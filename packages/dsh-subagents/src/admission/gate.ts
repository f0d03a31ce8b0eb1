/**
 * [pure] Says whether new work may begin under a lineage.
 * I1. Closed for everything, it never opens again (M41).
 * I2. Closed below a root, it stays closed until that exact root has left; a namesake is then free (M42).
 */
import type { SessionId } from '@deepseek-ai/dsh-session';

export interface Gate {
  closeAll(): void;
  closeBelow(root: { readonly id: SessionId }): void;
  /** `root` has left for good. */
  forget(root: { readonly id: SessionId }): void;
  /** `lineage`: who asks, followed by its ancestors. */
  closedOver(lineage: readonly SessionId[]): boolean;
}

export function createGate(): Gate {
  let all = false;
  const below = new Map<SessionId, object>();
  return {
    closeAll() {
      all = true;
    },
    closeBelow(root) {
      below.set(root.id, root);
    },
    forget(root) {
      if (below.get(root.id) === root) below.delete(root.id);
    },
    closedOver: (lineage) => all || (below.size > 0 && lineage.some((id) => below.has(id))),
  };
}
