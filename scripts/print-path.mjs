/** Prints the folders of the pinned Node (or of the one named) and pnpm, for PATH. */
import { dirname, delimiter } from 'node:path';
import { mainNode, nodeBinary, pnpmFolder } from './toolchain.mjs';

const say = (line) => process.stderr.write(`${line}\n`);
try {
  const folders = [dirname(nodeBinary(process.argv[2] ?? mainNode, say)), pnpmFolder(say)];
  process.stdout.write(folders.filter((part) => part !== undefined).join(delimiter));
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
