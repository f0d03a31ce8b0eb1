/** Where the transcript is scrolled to; see the invariants of the pane. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { Opened } from '../state/opened.ts';
import { atEnd, type Transcript } from '../state/transcript.ts';
import { useProgram } from './program-context.ts';

/** So near to an edge, in pixels, counts as being there. */
const edge = 32;
/** So near to the beginning older records are loaded. */
const early = 600;

interface Anchor {
  readonly element: Element;
  readonly top: number;
}

export function useTranscriptScroll({ transcript, follow }: Opened): RefObject<HTMLDivElement | null> {
  const { dispatch } = useProgram();
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | undefined>(undefined);
  const latest = useRef<{ readonly transcript: Transcript | undefined; readonly follow: boolean }>(undefined);

  useLayoutEffect(() => {
    latest.current = { transcript, follow };
    const box = scroller.current;
    if (box === null) return;
    if (follow) box.scrollTop = box.scrollHeight;
    else if (anchor.current?.element.isConnected === true) {
      box.scrollTop += anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    }
    anchor.current = anchorIn(box);
  }, [transcript, follow]);

  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    let before = box.scrollTop;
    const onScroll = (): void => {
      const up = box.scrollTop < before - 1;
      before = box.scrollTop;
      anchor.current = anchorIn(box);
      const now = latest.current;
      if (now?.transcript === undefined || box.clientHeight === 0) return;
      const bottom = box.scrollHeight - box.scrollTop - box.clientHeight < edge;
      if (bottom && atEnd(now.transcript)) dispatch({ type: 'follow', on: true });
      else if (bottom) dispatch({ type: 'want', what: 'newer' });
      else if (up) dispatch({ type: 'follow', on: false });
      if (box.scrollTop < early && up && now.transcript.from > 0) dispatch({ type: 'want', what: 'older' });
    };
    const observer = new ResizeObserver(() => {
      if (latest.current?.follow === true) box.scrollTop = box.scrollHeight;
    });
    box.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [dispatch]);
  return scroller;
}

/** The first entry in view, and where it is. */
function anchorIn(box: HTMLElement): Anchor | undefined {
  const { top: start } = box.getBoundingClientRect();
  for (const element of box.querySelectorAll('.entry')) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > start) return { element, top };
  }
  return undefined;
}
