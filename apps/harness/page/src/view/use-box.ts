import { useEffect, useState, type RefObject } from 'react';

interface Box {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

/** How far an element is scrolled, and how much of it is seen. */
export function useBox(element: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState<Box>({ top: 0, height: 800, width: 800 });
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = (): void => {
      const { scrollTop: top, clientHeight: height, clientWidth: width } = current;
      setBox((old) => (same(old, { top, height, width }) ? old : { top, height, width }));
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

const same = (a: Box, b: Box): boolean => a.top === b.top && a.height === b.height && a.width === b.width;
