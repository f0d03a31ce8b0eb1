/** What the tests of a program with continuable children need: the whole of it in memory, by scripts. */
export { labelOf, ROOT_LABEL } from './labels.ts';
export { openTestProgram, type TestProgram, type TestProgramOptions } from './program.ts';
