/** The keys that work everywhere on the page. */
import { useEffect, useRef, type RefObject } from 'react';
import { keyCommand, type KeyCommand } from '../state/keys.ts';
import { neighbour, treeRows } from '../state/tree-rows.ts';
import type { Program } from '../client/program.ts';
import { useProgram } from './program-context.ts';

interface KeyTargets {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly help: () => void;
  readonly theme: () => void;
}

export function useKeys(targets: KeyTargets): void {
  const program = useProgram();
  const latest = useRef(targets);
  useEffect(() => {
    latest.current = targets;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // A dialog has the keyboard to itself.
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const { key, ctrlKey, altKey, metaKey, isComposing } = event;
      const writing = isField(event.target);
      const command = keyCommand({ key, ctrlKey, altKey, metaKey, isComposing, writing });
      if (command === undefined) return;
      if (command !== 'leave') event.preventDefault();
      obey(command, program, latest.current);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [program]);
}

function obey(command: KeyCommand, program: Program, { search, help, theme }: KeyTargets): void {
  switch (command) {
    case 'next':
      step(program, 1);
      break;
    case 'previous':
      step(program, -1);
      break;
    case 'search':
      search.current?.focus();
      search.current?.select();
      break;
    case 'help':
      help();
      break;
    case 'theme':
      theme();
      break;
    case 'write':
      document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus();
      break;
    case 'end':
      program.dispatch({ type: 'follow', on: true });
      break;
    case 'leave':
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      break;
  }
}

function step(program: Program, by: 1 | -1): void {
  const { tree, folds, route, search } = program.get();
  const rows = treeRows(tree, { folds, selected: route.agent, filter: search.text.trim() });
  const agent = neighbour(rows, route.agent, by);
  if (agent === undefined || agent === route.agent) return;
  program.go({ agent, pane: route.pane });
}

const isField = (target: EventTarget | null): boolean =>
  (target instanceof HTMLInputElement && target.type !== 'checkbox') ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;
