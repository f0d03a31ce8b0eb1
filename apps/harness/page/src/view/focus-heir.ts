/**
 * Who gets the focus of a control that goes away while it has it. Without an heir the browser forgets the place, and
 * the next Tab begins at the top of the page.
 */
import type { RefCallback } from 'react';

/** For `ref`. `heir` is a selector, and has to be one constant for each place. */
function focusHeir(heir: string): RefCallback<HTMLElement> {
  return (control) => () => {
    if (control === null || document.activeElement !== control) return;
    // What takes its place is there once this change of the page is done.
    queueMicrotask(() => {
      document.querySelector<HTMLElement>(heir)?.focus({ preventScroll: true });
    });
  };
}

export const toMain = focusHeir('#main');
export const toTranscript = focusHeir('.transcript');
export const toComposer = focusHeir('.composer textarea');
export const toSequence = focusHeir('.picture-box, .list-box');
