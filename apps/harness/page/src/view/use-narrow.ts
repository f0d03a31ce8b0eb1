import { useSyncExternalStore } from 'react';

/** As in layout.css: below this width one pane is shown at a time. */
const query = '(max-width: 719px)';

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

function subscribe(listener: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', listener);
  return () => {
    list.removeEventListener('change', listener);
  };
}
