/**
 * Puts the inspector together, and takes it apart (H12, H13, H14).
 * Owns: what it follows, and its server.  Does not own: the agents, also those that the page has woken.
 * I1. Closing ends in order: first nobody is let in and readers are told, then nothing is read or followed any more.
 * I2. It changes nothing by looking: no Session is resumed, repaired or locked for the page.
 */
import { randomBytes } from 'node:crypto';
import type { AgentRegistry } from '@deepseek-ai/dsh-agent';
import { systemClock, type Clock, type Diagnostic, type SessionStore } from '@deepseek-ai/dsh-session';
import type { HostControls, SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { deferred, memo } from '@dsh-internal/async';
import { inspectorKeyFile } from '../app/beside-store.ts';
import { hostInUrl } from './access.ts';
import { createEntryToken, entryKey } from './entry-token.ts';
import { createFeed, type Feed } from './feed.ts';
import { createKnownSessions } from './known-sessions.ts';
import { createLogReader, type LogReader } from './log-reader.ts';
import { createPartialAnswers } from './partial-answers.ts';
import { createReplay } from './replay.ts';
import { createActions } from './server/actions.ts';
import { listen } from './server/listen.ts';
import { pageFolder, readPage } from './server/page-files.ts';
import type { ReadDeps } from './server/reads.ts';
import { createRoutes, type RouteDeps } from './server/routes.ts';
import { createSearch } from './server/search.ts';
import { watchLive, type LiveWatch } from './watch-live.ts';
import type { Prices } from './view/spent.ts';

export interface InspectorOptions {
  readonly sessions: SessionStore;
  readonly agents: AgentRegistry;
  readonly subagents: SubagentRuntime;
  readonly host: () => HostControls;
  /** The folder of the Sessions: for people, and for the key beside it. */
  readonly store: string;
  readonly version: string;
  /** The route of roots that are made or woken from the page. */
  readonly model?: string | undefined;
  readonly cwd: string;
  /** Default: loopback. */
  readonly address?: string | undefined;
  /** 0: any that is free. */
  readonly port: number;
  readonly names?: readonly string[] | undefined;
  readonly prices?: Prices | undefined;
  readonly currency?: string | undefined;
  /** Where the built page lies. Default: beside this program. */
  readonly page?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

export interface Inspector extends AsyncDisposable {
  /** The link for the owner, with the token of this run. */
  readonly url: string;
  readonly port: number;
  /** Shows what nobody asked about. */
  readonly diagnostic: (diagnostic: Diagnostic) => void;
}

/** How long a state waits for what was not read yet, in milliseconds. */
const patienceMs = 500;
/** How often a store is looked through that others may write to. */
const scanMs = 1_000;

/** Rejects with what the system says of the address. */
export async function openInspector(options: InspectorOptions): Promise<Inspector> {
  const { address = '127.0.0.1', clock = systemClock, names = [] } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const following = follow(options, signal);
  const binding = { host: address, port: options.port, names };
  const entry = createEntryToken(await entryKey(inspectorKeyFile(options.store)));
  const page = await readPage(options.page ?? pageFolder());
  const routes = createRoutes({
    ...routeDeps(options, following, signal),
    binding: () => binding,
    entry,
    page,
  });
  const server = await listen(routes, binding).catch((error: unknown) => {
    following[Symbol.dispose]();
    throw error;
  });
  binding.port = server.port;
  following.begin();
  const { feed, reader } = following;
  return {
    url: `http://${hostInUrl(linkHost(address))}:${server.port}/?token=${entry.token}`,
    port: server.port,
    diagnostic: ({ code, level, message, sessionId }) => {
      const session = sessionId === undefined ? {} : { session: sessionId };
      feed.tell({ type: 'diagnostic', time: clock.now(), code, level, message, ...session });
    },
    [Symbol.asyncDispose]: memo(async () => {
      feed.flush();
      stopping.abort(new Error('the inspector ends'));
      await server.close();
      following[Symbol.dispose]();
      await reader.caughtUp();
    }),
  };
}

function routeDeps(
  options: InspectorOptions,
  { feed, replay, reads, refresh }: Following,
  signal: AbortSignal,
): Omit<RouteDeps, 'binding' | 'entry' | 'page'> {
  const { agents, sessions, host, model, cwd, clock = systemClock } = options;
  const now = (): number => clock.now();
  return {
    ...{ feed, replay, reads, refresh, signal, now },
    boot: randomBytes(9).toString('base64url'),
    actions: createActions({ agents, sessions, host, model, cwd, signal }),
    search: createSearch({ sessions, tree: () => feed.tree, now }),
    server: serverFacts(options),
    unread: () => reads.known.unread,
    onFailure: (cause) => {
      options.onDiagnostic(failed('A request of the inspector failed.', cause));
    },
  };
}

function serverFacts({ version, store, model, currency }: InspectorOptions) {
  return {
    version,
    store,
    ...(model === undefined ? {} : { model }),
    ...(currency === undefined ? {} : { currency }),
    canCreate: model !== undefined,
  };
}

/** Everywhere is no place to go to. */
function linkHost(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

function failed(message: string, cause: unknown): Diagnostic {
  return { code: 'inspector-failed', level: 'error', message, cause };
}

interface Following extends Disposable {
  readonly feed: Feed;
  readonly replay: ReturnType<typeof createReplay>;
  readonly reader: LogReader;
  readonly reads: ReadDeps;
  readonly refresh: () => Promise<void>;
  /** Looks through the store from time to time. */
  begin(): void;
}

function follow(options: InspectorOptions, signal: AbortSignal): Following {
  const { sessions, agents, subagents, clock = systemClock } = options;
  const known = createKnownSessions();
  const partials = createPartialAnswers();
  const replay = createReplay();
  const began = clock.now();
  const reader = createLogReader({
    sessions,
    known,
    signal,
    isLive: (id) => agents.get(id) !== undefined,
    changed(_id, edges) {
      // What was there before is asked for, and not told.
      feed.edges(edges.filter(({ time }) => time >= began));
    },
    gone(ids) {
      feed.gone(ids);
    },
    failed(cause) {
      if (!signal.aborted) options.onDiagnostic(failed('The store could not be read.', cause));
    },
  });
  const feed: Feed = createFeed({
    ...{ known, partials, replay, clock },
    liveOf: (id) => watch.liveOf(id),
    catchUp: () => {
      watch.catchUp();
    },
    prices: options.prices,
    canWake: options.model !== undefined,
  });
  // Who is live already is heard of at once.
  const watch: LiveWatch = watchLive({
    ...{ agents, subagents, known, partials },
    feed,
    enqueue: (id) => {
      reader.enqueue(id);
    },
  });
  const scans = scanning(reader, clock, (cause) => {
    if (!signal.aborted) options.onDiagnostic(failed('The store could not be listed.', cause));
  });
  return {
    ...{ feed, replay, reader, ...scans },
    reads: { sessions, agents, known, partials, tree: () => feed.tree },
    [Symbol.dispose]() {
      scans[Symbol.dispose]();
      watch[Symbol.dispose]();
      feed[Symbol.dispose]();
    },
  };
}

function scanning(reader: LogReader, clock: Clock, onFailure: (cause: unknown) => void) {
  let last = Number.NEGATIVE_INFINITY;
  let timer: Disposable | undefined;
  let over = false;
  const scan = async (): Promise<void> => {
    last = clock.now();
    await reader.scan().catch(onFailure);
  };
  const again = (): void => {
    if (over) return;
    const began = clock.now();
    scan()
      .then(() => reader.caughtUp())
      .finally(() => {
        // A large store takes its time: most of it is left to others.
        if (!over) timer = clock.timer(Math.max(scanMs, 10 * (clock.now() - began)), again);
      })
      .catch(onFailure);
  };
  return {
    begin: again,
    async refresh(): Promise<void> {
      if (clock.now() - last > patienceMs) await scan();
      const patience = deferred();
      const timeout = clock.timer(patienceMs, patience.resolve);
      await Promise.race([reader.caughtUp(), patience.promise]);
      timeout.dispose();
    },
    [Symbol.dispose]() {
      over = true;
      timer?.[Symbol.dispose]();
    },
  };
}
