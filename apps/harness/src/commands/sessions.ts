/** The commands `sessions ...`: what is stored, looked at and taken away. None of them resumes anybody. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { SessionError, type SessionId, type SessionStore } from '@deepseek-ai/dsh-session';
import { createApp, type App } from '../app/create-app.ts';
import { effective, type Flags } from '../config/effective.ts';
import { readConfig } from '../config/read-config.ts';
import { paintFor } from '../output/colours.ts';
import { terminalLine, terminalSafe } from '../output/terminal-safe.ts';
import { treePicture } from '../output/tree-picture.ts';
import { sessionIdOf } from '../run/open-root.ts';
import { exitCodes } from '../run/outcome.ts';
import { storeFailure } from '../run/store-failure.ts';
import { UsageError } from '../run/usage-error.ts';
import { treeNodes } from '../sessions/tree-nodes.ts';
import { tellExitCodes } from './exit-codes.ts';
import { addStoreOptions } from './store-options.ts';
import type { Terminal } from './terminal.ts';

interface SessionsOptions extends Flags {
  readonly config?: string;
  readonly json?: boolean;
  readonly all?: boolean;
  readonly keepChildren?: boolean;
}

const orphanState = 'its parent is gone';

type Print = (value: unknown, text: string) => void;
type Look = (app: App, options: SessionsOptions, print: Print, id: string) => Promise<void>;

export function addSessionsCommand(
  program: Command,
  terminal: Terminal,
  ended: (code: number) => void,
): void {
  const sessions = program.command('sessions').description('Look at what is stored.').helpCommand(false);
  tellExitCodes(sessions, 'sessions');
  const add = (name: string, description: string, look: Look): Command =>
    tellExitCodes(addStoreOptions(sessions.command(name).description(description)), 'sessions')
      .option('--config <file>', 'the config (default: dsh.config.yaml, where there is one)')
      .option('--json', 'print one JSON object per line')
      .action(async (...args: unknown[]) => {
        // Commander hands over the arguments, the options, and the command itself.
        const id = args.length > 2 ? String(args[0]) : '';
        const options = args.at(-2) as SessionsOptions;
        await withApp(options, terminal, (app, print) => look(app, options, print, id));
      });
  // Said beside the output, which stays empty.
  const nothing = (): void => {
    terminal.err.write('dsh: no Session is stored here\n');
  };
  add('list', 'List the Sessions that nobody delegated to.', list(nothing)).option('--all', 'children too');
  add('tree', 'Show every tree of Sessions.', tree(terminal, nothing));
  add('show <id>', 'Show what a Session holds.', show);
  add('export <id>', 'Print the stored lines as they are.', exportLines);
  add('verify <id>', 'Check every record of a Session. Exit code 1: something is damaged.', verify(ended));
  add('repair <id>', 'Set damaged records aside, and keep the rest.', repair);
  add('delete <id>', 'Delete one Session that has no children.', deleteOne).option(
    '--keep-children',
    'one with children too: they stay, and are shown as roots',
  );
  add('delete-tree <id>', 'Delete a Session and everything below it.', deleteTree);
}

async function withApp(
  options: SessionsOptions,
  terminal: Terminal,
  look: (app: App, print: Print) => Promise<void>,
): Promise<void> {
  const { json } = options;
  const config = await readConfig(options.config, terminal.cwd);
  const { store, driver } = effective(options, config, terminal.cwd);
  if (options.store !== undefined && !existsSync(store))
    throw new UsageError(`there is no store ${store}: no such folder`);
  const app = await createApp({
    store,
    driver,
    model: 'none',
    environment: terminal.environment,
  });
  try {
    await look(app, (value, text) => {
      terminal.out.write(`${json === true ? JSON.stringify(value) : text}\n`);
    });
  } catch (error) {
    if (isNotFound(error)) throw new UsageError(`${error.message} in ${store}`);
    throw storeFailure(error, store, 'the command was not carried out');
  } finally {
    await app.stop();
  }
}

/** Those that nobody delegated to, and children whose parent is gone: else nothing would lead to them. */
async function* roots(sessions: SessionStore, all: boolean) {
  const missing = new Map<SessionId, boolean>();
  for await (const entry of sessions.list()) {
    const parent = entry.kind === 'problem' ? undefined : entry.header.parentSession;
    if (parent !== undefined && !missing.has(parent)) missing.set(parent, await isMissing(sessions, parent));
    const orphan = parent !== undefined && missing.get(parent) === true;
    if (all || parent === undefined || orphan) yield { entry, orphan };
  }
}

async function isMissing(sessions: SessionStore, id: SessionId): Promise<boolean> {
  try {
    await sessions.head(id);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}

function isNotFound(error: unknown): error is SessionError {
  return SessionError.is(error) && error.code === 'SESSION_NOT_FOUND';
}

const list =
  (nothing: () => void): Look =>
  async ({ ctx }, { all, json }, print) => {
    let some = false;
    for await (const { entry, orphan } of roots(ctx.sessions, all === true)) {
      some = true;
      const { id } = entry;
      if (entry.kind === 'problem') {
        print(
          { id, problem: entry.code, message: entry.message },
          terminalLine(`${id}  ${entry.code}: ${entry.message}`),
        );
      } else {
        print(
          { id, header: entry.header, ...(orphan ? { orphan } : {}) },
          terminalLine(
            `${id}  ${new Date(entry.header.createdAt).toISOString()}${orphan ? `  ${orphanState}` : ''}`,
          ),
        );
      }
    }
    if (!some && json !== true) nothing();
  };

const tree =
  (terminal: Terminal, nothing: () => void): Look =>
  async ({ ctx }, { json }, print) => {
    const paint = paintFor(terminal.out, terminal.environment);
    let some = false;
    for await (const { entry, orphan } of roots(ctx.sessions, false)) {
      const nodes = await treeNodes(ctx, entry.id, orphan ? orphanState : '');
      print(nodes, treePicture(nodes, paint).join('\n'));
      some = true;
    }
    if (!some && json !== true) nothing();
  };

const show: Look = async ({ ctx }, _options, print, id) => {
  for await (const record of ctx.sessions.read(sessionIdOf(id))) {
    if (record.kind === 'damaged') print(record, terminalLine(`damaged: ${record.reason}`));
    else
      print(
        record.event,
        terminalLine(`${record.event.seq} ${record.event.type} ${JSON.stringify(record.event.data)}`),
      );
  }
};

const exportLines: Look = async ({ ctx }, _options, print, id) => {
  for await (const line of ctx.sessions.export(sessionIdOf(id))) print(line, terminalSafe(line));
};

const verify =
  (ended: (code: number) => void): Look =>
  async ({ ctx }, _options, print, id) => {
    const report = await ctx.sessions.verify(sessionIdOf(id));
    print(report, `${report.events} events, ${report.damaged.length} damaged`);
    for (const { seq, reason } of report.damaged)
      print({ seq, reason }, terminalLine(`  ${seq ?? '?'}: ${reason}`));
    if (report.damaged.length > 0) ended(exitCodes.error);
  };

const repair: Look = async ({ ctx }, _options, print, id) => {
  const report = await ctx.sessions.repair(sessionIdOf(id));
  print(report, `${report.events} events, ${report.damaged.length} damaged ones set aside`);
};

const deleteTree: Look = async ({ host }, _options, print, id) => {
  await host.deleteTree(sessionIdOf(id));
  print({ deletedTree: id }, terminalLine(`${id} was deleted, with everything below it`));
};

const deleteOne: Look = async ({ ctx }, { keepChildren }, print, id) => {
  const one = sessionIdOf(id);
  if (keepChildren !== true && (await hasChildren(ctx.sessions, one)))
    throw new UsageError(
      `${id} has children: delete-tree ${id} deletes them too, --keep-children leaves them without a parent`,
    );
  await ctx.sessions.delete(one);
  print({ deleted: id }, terminalLine(`${id} was deleted`));
};

async function hasChildren(sessions: SessionStore, parent: SessionId): Promise<boolean> {
  for await (const _child of sessions.list({ parent })) return true;
  return false;
}
