/**
 * Keeps the newest message of a sequence in view while nobody has scrolled away from it, and else what is read there.
 */
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** So near to the end, in pixels, counts as being there. */
const edge = 32;

interface Place {
  readonly atEnd: boolean;
  /** From the end, in pixels: what is loaded above it changes nothing of it. */
  readonly fromEnd: number;
}

/** `newest` is another value whenever something has come at the end, and `size` whenever the height is another one. */
export function useKeepEnd(box: RefObject<HTMLElement | null>, newest: string, size: number): void {
  const place = useRef<Place>({ atEnd: true, fromEnd: 0 });
  const before = useRef({ newest, size });
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const onScroll = (): void => {
      const fromEnd = current.scrollHeight - current.scrollTop;
      place.current = { atEnd: fromEnd - current.clientHeight < edge, fromEnd };
    };
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      current.removeEventListener('scroll', onScroll);
    };
  }, [box]);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const older = before.current.newest === newest && before.current.size !== size;
    before.current = { newest, size };
    if (place.current.atEnd) current.scrollTop = current.scrollHeight;
    else if (older) current.scrollTop = current.scrollHeight - place.current.fromEnd;
  }, [box, newest, size]);
}
