/** How components reach the program, and read parts of its state. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Program } from '../client/program.ts';
import type { PageState } from '../state/page-state.ts';

const ProgramContext = createContext<Program | undefined>(undefined);

export const ProgramProvider = ProgramContext.Provider;

export function useProgram(): Program {
  const program = useContext(ProgramContext);
  if (program === undefined) throw new Error('a component stands outside of the program');
  return program;
}

/** `select` returns a part of the state as it is there, and makes nothing anew. */
export function usePart<T>(select: (state: PageState) => T): T {
  const { subscribe, get } = useProgram();
  return useSyncExternalStore(subscribe, () => select(get()));
}
