/** Checks how the repository is laid out; the rules are in `layout/`. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkCodes, checkDocumented, checkDocuments, checkVersions } from './layout/documents.mjs';
import { checkNames, checkSizes, checkWords } from './layout/files.mjs';
import { checkImports } from './layout/imports.mjs';
import { checkArrows, checkManifests, checkRequired } from './layout/packages.mjs';
import { readRepository } from './layout/repository.mjs';
import { checkSleeps } from './layout/sleeps.mjs';

const files = readRepository(dirname(dirname(fileURLToPath(import.meta.url))));
const rules = [
  ...[checkSizes, checkNames, checkWords, checkSleeps],
  ...[checkRequired, checkManifests, checkArrows, checkImports],
  ...[checkDocuments, checkDocumented, checkCodes, checkVersions],
];
const problems = rules.flatMap((rule) => rule(files));
for (const problem of problems) console.log(problem);
console.log(`${files.size} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
