/** The few pictures of the page, each beside a word that says the same. */
import type { JSX } from 'react';

const paths = {
  person: 'M8 8.2a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.5 5.6a5.5 5.5 0 0 1 11 0',
  agent: 'M4 2.5v11M4 8h4a4 4 0 0 0 4-4M12 4.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2',
  task: 'M3.5 14V2.5h8.5l-2 3 2 3H3.5',
  notice: 'M8 2a4 4 0 0 0-4 4v3l-1.2 2.2h10.4L12 9V6a4 4 0 0 0-4-4Zm-1.4 11.6h2.8',
  answer: 'M2.5 3h11v8H8l-3 2.6V11H2.5Z',
  reasoning: 'M5 6.2A3.2 3.2 0 1 1 9.6 9c-.8.4-1 1-1 1.8M8.6 13.4v.2',
  call: 'M9.8 3a3.4 3.4 0 0 0-3.2 4.6L2.4 11.8l1.8 1.8 4.2-4.2A3.4 3.4 0 0 0 13 6.2l-2 2-2-2 2-2A3.4 3.4 0 0 0 9.8 3Z',
  result: 'M3 3v5.5h9.5M9.5 5.2l3.3 3.3-3.3 3.3',
  record: 'M4 2h6l2.5 2.5V14H4ZM6.2 7h4M6.2 10h4',
  damaged: 'M8 2.2 14.4 13.4H1.6ZM8 6.4v3.4M8 11.6v.2',
  running: 'M5 3.2v9.6l7.6-4.8Z',
  waiting: 'M4 2.4h8M4 13.6h8M5 2.4c0 3 2 4 3 5.6 1-1.6 3-2.6 3-5.6M5 13.6c0-3 2-4 3-5.6 1 1.6 3 2.6 3 5.6',
  parked: 'M5.6 3.2v9.6M10.4 3.2v9.6',
  idle: 'M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10Z',
  settled: 'M3 8.6l3.2 3.2L13 4.6',
  ended: 'M4 4h8v8H4Z',
  interrupt: 'M5.6 3.2v9.6M10.4 3.2v9.6',
  stop: 'M4 4h8v8H4Z',
  export: 'M8 2v7.6M4.8 6.6 8 9.8l3.2-3.2M2.8 13.2h10.4',
  search: 'M7 11.4a4.4 4.4 0 1 0 0-8.8 4.4 4.4 0 0 0 0 8.8ZM10.2 10.2 14 14',
  open: 'M6 3.5 10.5 8 6 12.5',
  down: 'M8 2.5v10M4 8.8l4 4 4-4',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12',
  help: 'M5.6 6a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .9-1 1.7M8 12.4v.2',
  add: 'M8 3v10M3 8h10',
  link: 'M6.5 9.5a2.5 2.5 0 0 0 3.6 0l2-2a2.5 2.5 0 0 0-3.6-3.6l-.8.8M9.5 6.5a2.5 2.5 0 0 0-3.6 0l-2 2a2.5 2.5 0 0 0 3.6 3.6l.8-.8',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.2M2.5 8h.2M2.5 12h.2',
  inbox: 'M2.5 9.5 4.5 3h7l2 6.5V13h-11ZM2.5 9.5H6l.8 1.5h2.4l.8-1.5h3.5',
  sequence: 'M3 2v12M13 2v12M3.5 5.5h8M9.5 3.5l2 2-2 2M12.5 11h-8M6.5 9l-2 2 2 2',
} as const;

export type IconName = keyof typeof paths;

/** Pictures that are areas, not lines. */
const filled: ReadonlySet<IconName> = new Set(['running', 'ended', 'stop']);

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg
      className={filled.has(name) ? 'icon icon-filled' : 'icon'}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
