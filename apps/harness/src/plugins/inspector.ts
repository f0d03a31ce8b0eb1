/**
 * Serves the page that shows the live tree (H12). It provides nothing: whoever made this plugin hears of the link.
 * The host controls come from there too, and are in no context (M45).
 */
import type { Context } from '@deepseek-ai/cordis';
import type { HostControls } from '@deepseek-ai/dsh-subagents';
import { z } from 'zod';
import { openInspector } from '../inspector/open-inspector.ts';
import { UsageError } from '../run/usage-error.ts';
import { diagnosticsOf } from './diagnostics.ts';

const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cachedInput: z.number().min(0).optional().describe('Default: as input.'),
});

/** What a file may say of it. */
export const InspectorConfig = z.strictObject({
  port: z.int().min(0).max(65_535).optional().describe('Where the page is served; 0 is any free port.'),
  currency: z.string().min(1).optional().describe('The unit of the prices, such as USD.'),
  prices: z
    .record(z.string(), price)
    .optional()
    .describe('What a million tokens cost, by the route of the model: provider/model.'),
});

const defaultPort = 7333;

const Config = InspectorConfig.extend({
  store: z.string(),
  version: z.string(),
  cwd: z.string(),
  model: z.string().optional(),
  address: z.string().optional(),
  names: z.array(z.string()).optional(),
  page: z.string().optional(),
  /** Takes another port where this one is in use. */
  orAnyPort: z.boolean().default(false),
});

export interface InspectorOwner {
  readonly host: () => HostControls;
  /** It listens; the link holds the token. */
  readonly opened: (url: string) => void;
}

export function inspectorPlugin({ host, opened }: InspectorOwner) {
  // Unloaded and loaded again, it comes back where its pages look for it.
  let lastPort: number | undefined;
  return {
    name: 'inspector',
    inject: ['sessions', 'agents', 'subagents'],
    Config,
    async apply(ctx: Context, options: z.output<typeof Config>): Promise<void> {
      const { sessions, agents, subagents } = ctx;
      await ctx.effect(async function* () {
        const onDiagnostic = diagnosticsOf(ctx);
        const open = (port: number) =>
          openInspector({ ...options, sessions, agents, subagents, host, port, onDiagnostic });
        const wanted = lastPort ?? options.port ?? defaultPort;
        const inspector = await open(wanted).catch((error: unknown) => {
          if (options.orAnyPort && codeOf(error) === 'EADDRINUSE') return open(0);
          throw addressFailure(error, options.address, wanted);
        });
        lastPort = inspector.port;
        yield () => inspector[Symbol.asyncDispose]();
        yield ctx.on('harness/diagnostic', inspector.diagnostic);
        opened(inspector.url);
      }, 'inspector');
    },
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

function addressFailure(error: unknown, address = '127.0.0.1', port: number): unknown {
  const where = `the inspector cannot listen on ${address} port ${port}`;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new UsageError(`${where}: it is in use; choose another with --port`);
    case 'EACCES':
      return new UsageError(`${where}: this user may not; choose a port above 1023 with --port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError(`${where}: this machine has no such address`);
    default:
      return error;
  }
}
