/** The command `demo`: two processes, one store, and a child that the second process wakes from its log (H4). */
import { resolve } from 'node:path';
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { App } from '../app/create-app.ts';
import { paintFor } from '../output/colours.ts';
import { liveTree } from '../output/live-tree.ts';
import { terminalLine } from '../output/terminal-safe.ts';
import { treePicture } from '../output/tree-picture.ts';
import { runTask } from '../run/run-task.ts';
import { treeNodes } from '../sessions/tree-nodes.ts';
import { firstAct, secondAct } from './demo-acts.ts';
import type { Terminal } from './terminal.ts';

export interface DemoOptions {
  readonly store: string;
  /** The root of the first process, in the second one. */
  readonly secondAct?: string;
}

/** Resolves to the exit code. */
export async function demoCommand(options: DemoOptions, terminal: Terminal): Promise<number> {
  const write = (text: string): void => {
    terminal.out.write(text);
  };
  const paint = paintFor(terminal.out, terminal.environment);
  const tree = liveTree(write, paint);
  const store = resolve(terminal.cwd, options.store);
  const second = options.secondAct;
  const which = second === undefined ? 'First process' : 'Second process: the child comes back from its log';
  tree.note(`${paint('bold', which)}\n`);
  const summary = await runTask({
    store,
    scenario: second === undefined ? firstAct : secondAct,
    ...(second === undefined ? {} : { resume: second }),
    environment: terminal.environment,
    signals: terminal.signals,
    kill: terminal.kill,
    tell: tree.tell,
    piece: tree.piece,
    async atRest(app: App, root: Agent) {
      const nodes = await treeNodes(app.ctx, root.id);
      tree.note(`\nEverybody is at rest:\n${treePicture(nodes, paint).join('\n')}\n`);
    },
  });
  if (second !== undefined || summary.exitCode !== 0) return summary.exitCode;
  const code = await terminal.again(['demo', '--store', store, '--second-act', summary.root]);
  tree.note(
    `The Sessions lie in ${terminalLine(store)}\nLook at them with: dsh sessions tree --store ${terminalLine(store)}`,
  );
  return code;
}
