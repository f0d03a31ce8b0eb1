/** Which Node and pnpm to use, and how to get them. Runs on Node 18 with nothing installed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const mainNode = '24.22.3';
export const minNode = '22.23.5';
const pnpmVersion = '12.21.0';
const folder = join(root, '.tools');

export class ToolchainError extends Error {}

/** The `engines.node` of the packages. */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return (major === 22 && minor >= 18) || (major === 24 && minor >= 11) || major >= 26;
}

function npmInstall(prefix, spec) {
  mkdirSync(prefix, { recursive: true });
  // pnpm's install script puts its native binary in place of its bin. Newer npm runs it only when it is named.
  writeFileSync(join(prefix, 'package.json'), '{"private":true,"allowScripts":{"pnpm":true}}\n');
  const args = ['install', '--prefix', prefix, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const done = spawnSync('npm', [...args, '--loglevel=error', spec], {
    cwd: prefix,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return;
  rmSync(prefix, { recursive: true, force: true });
  throw new ToolchainError(`npm could not install ${spec}\n${done.stdout ?? ''}${done.stderr ?? done.error}`);
}

function runs(file, wanted) {
  const done = spawnSync(file, ['--version'], { cwd: dirname(root), encoding: 'utf8' });
  return done.status === 0 && wanted(done.stdout.trim());
}

/** The path of exactly this Node, installed when it is not there. */
export function nodeBinary(version, say) {
  const arch = { x64: 'x64', arm64: 'arm64' }[process.arch];
  if (process.platform !== 'linux' || arch === undefined) {
    throw new ToolchainError(
      `Node 22.18 or newer is needed (this is ${process.version}); please install it.`,
    );
  }
  const spec = `node-linux-${arch}`;
  const prefix = join(folder, `node-${version}`);
  const binary = join(prefix, 'node_modules', spec, 'bin', 'node');
  if (!existsSync(binary)) {
    say(`Getting Node ${version} into .tools/ ...`);
    npmInstall(prefix, `${spec}@${version}`);
  }
  if (!runs(binary, (found) => found === `v${version}`)) {
    throw new ToolchainError(`Node ${version} does not run here; please install Node 22.18 or newer.`);
  }
  return binary;
}

/** The folder of the pinned pnpm; undefined where the one on PATH is the same. */
export function pnpmFolder(say) {
  if (runs('pnpm', (found) => found === pnpmVersion)) return undefined;
  const prefix = join(folder, `pnpm-${pnpmVersion}`);
  const bin = join(prefix, 'node_modules', '.bin');
  if (!existsSync(join(bin, 'pnpm'))) {
    say(`Getting pnpm ${pnpmVersion} into .tools/ ...`);
    npmInstall(prefix, `pnpm@${pnpmVersion}`);
  }
  return bin;
}

/** An environment with a fitting Node and pnpm first on PATH: the machine's own where it is new enough. */
export function toolchain(say = () => {}) {
  const node = isSupported(process.version) ? process.execPath : nodeBinary(mainNode, say);
  const path = [dirname(node), pnpmFolder(say), join(root, 'node_modules', '.bin'), process.env.PATH];
  const env = {
    ...process.env,
    PATH: path.filter((part) => part !== undefined).join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
  return { node, env };
}
