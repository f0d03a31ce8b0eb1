/** A program with its inspector, and a visitor who asks it over HTTP. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  checkedModel,
  scriptedModel,
  type ScriptedModel,
  type ScriptedTurn,
} from '@deepseek-ai/dsh-agent/testing';
import type { Agent, Model } from '@deepseek-ai/dsh-agent';
import { labelOf } from '@deepseek-ai/dsh-subagents/testing';
import { createApp, type App, type AppOptions } from '../../src/app/create-app.ts';
import type { LiveEvent, StateReply, TreeNode } from '../../src/inspector/protocol.ts';

export type Scripts = Readonly<Record<string, readonly ScriptedTurn[]>>;

export interface Inspected extends AsyncDisposable, Visitor {
  readonly app: App;
  readonly url: string;
  readonly root: Agent;
  readonly model: (label: string) => ScriptedModel;
  /** A new root, with its first message. */
  begin(text: string): Promise<Agent>;
}

export interface InspectedOptions extends Partial<Pick<AppOptions, 'plugins'>> {
  readonly scripts?: Scripts;
  readonly port?: number;
  readonly orAnyPort?: boolean;
  /** The server has no model for roots of its own. */
  readonly onlyLooks?: boolean;
  /** Where the page lies. */
  readonly page?: string;
}

export const human = { kind: 'user' } as const;

export async function inspected(store: string, options: InspectedOptions = {}): Promise<Inspected> {
  const { scripts = {}, port = 0, orAnyPort = false, onlyLooks = false, plugins = {}, page } = options;
  const models = new Map(Object.entries(scripts).map(([label, turns]) => [label, scriptedModel(turns)]));
  const model = (label: string): ScriptedModel => {
    const made = models.get(label) ?? scriptedModel([]);
    models.set(label, made);
    return made;
  };
  const all: Model = {
    id: 'm',
    stream: (asked, more) =>
      checkedModel(model(labelOf(asked)), () => app.ctx.agents.list()).stream(asked, more),
  };
  let url = '';
  const app: App = await createApp({
    ...{ store, model: 'm', environment: () => undefined, extraModels: { m: all }, plugins },
    inspect: {
      ...{ port, orAnyPort, page },
      ...(onlyLooks ? {} : { model: 'm' }),
      opened: (given) => {
        url = given;
      },
    },
  });
  let root: Agent | undefined;
  return {
    ...(await visit(url)),
    ...{ app, url, model },
    get root() {
      if (root === undefined) throw new Error('nothing was begun');
      return root;
    },
    async begin(text) {
      ({ agent: root } = await app.ctx.agents.create());
      root.followup({ content: text, source: human });
      return root;
    },
    [Symbol.asyncDispose]: () => app.stop(),
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request, with headers as they are given. */
export async function ask(base: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const outgoing = request(base, { path, method, headers, agent: false });
  // A server that refuses a body may close before it has all of it.
  outgoing.on('error', () => {});
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.setEncoding('utf8');
  let text = '';
  for await (const part of incoming) text += String(part);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text } satisfies Reply;
}

export interface Visitor {
  readonly base: string;
  readonly cookie: string;
  get<T>(path: string): Promise<T>;
  /** Any answer. */
  raw(path: string, asked?: Asked): Promise<Reply>;
  post(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  nodes(): Promise<ReadonlyMap<string, TreeNode>>;
  follow(query?: string, headers?: Readonly<Record<string, string>>): Promise<Follower>;
}

/** Goes through the first visit. */
export async function visit(url: string): Promise<Visitor> {
  const { origin: base, pathname, search } = new URL(url);
  const first = await ask(base, `${pathname}${search}`);
  const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return visitor(base, cookie);
}

export function visitor(base: string, cookie: string): Visitor {
  const raw: Visitor['raw'] = (path, { headers = {}, ...asked } = {}) =>
    ask(base, path, { ...asked, headers: { cookie, ...headers } });
  const get = async <T>(path: string): Promise<T> => {
    const { status, text } = await raw(path);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    ...{ base, cookie, raw, get },
    async post(path, body) {
      const headers = { origin: base, 'content-type': 'application/json' };
      const { status, text } = await raw(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status, body: JSON.parse(text) as unknown };
    },
    async nodes() {
      const { nodes } = await get<StateReply>('/api/state');
      return new Map(nodes.map((node) => [node.kind === 'root' ? 'root' : node.label, node]));
    },
    follow: (query = '', headers = {}) => follow(base, `/api/events${query}`, { cookie, ...headers }),
  };
}

export interface Follower {
  readonly events: readonly LiveEvent[];
  /** The id of the last event. */
  readonly lastId: string;
  /** Resolves to the first event that fits, also one that has come. Rejects when the stream ends before. */
  until<T extends LiveEvent['type']>(
    type: T,
    test?: (event: Extract<LiveEvent, { type: T }>) => boolean,
  ): Promise<Extract<LiveEvent, { type: T }>>;
  readonly ended: Promise<void>;
  /** Reads nothing more for now. */
  pause(): void;
  resume(): void;
  leave(): void;
}

async function follow(base: string, path: string, headers: Record<string, string>): Promise<Follower> {
  const outgoing = request(base, { path, headers, agent: false });
  outgoing.on('error', () => {});
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.setEncoding('utf8').on('error', () => {});
  const events: LiveEvent[] = [];
  const looks = new Set<() => void>();
  let lastId = '';
  let rest = '';
  let over = false;
  incoming.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) events.push(JSON.parse(data) as LiveEvent);
    }
    for (const look of looks) look();
  });
  const ended = new Promise<void>((resolve) => {
    incoming.on('close', () => {
      over = true;
      for (const look of looks) look();
      resolve();
    });
  });
  return {
    events,
    get lastId() {
      return lastId;
    },
    until: (type, test = () => true) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find((one) => one.type === type && test(one as never));
          if (found === undefined && !over) return;
          looks.delete(look);
          if (found === undefined) reject(new Error(`the stream ended before ${type}`));
          else resolve(found as never);
        };
        looks.add(look);
        look();
      }),
    ended,
    pause: () => incoming.pause(),
    resume: () => incoming.resume(),
    leave: () => {
      outgoing.destroy();
    },
  };
}

/** A folder with files in it. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
