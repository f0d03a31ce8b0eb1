import { useEffect, useState, type RefObject } from 'react';

/** How far an element is scrolled, and how much of it is seen. */
export function useBox(element: RefObject<HTMLElement | null>): {
  readonly top: number;
  readonly height: number;
} {
  const [box, setBox] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = (): void => {
      const { scrollTop: top, clientHeight: height } = current;
      setBox((old) => (old.top === top && old.height === height ? old : { top, height }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [element]);
  return box;
}
