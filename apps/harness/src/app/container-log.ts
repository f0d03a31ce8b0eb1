/** What the container only logs, such as a disposer that has thrown, told like all that nobody asked about. */
import type { Context } from '@deepseek-ai/cordis';
import { diagnosticsOf } from '../plugins/diagnostics.ts';

const levels = { error: 'error', warn: 'warning' } as const;

/** It ends with the context. */
export function tellContainerLog(ctx: Context): void {
  const tell = diagnosticsOf(ctx);
  ctx.logger.exporter({
    export({ type, name, args: [first] }) {
      if (type !== 'error' && type !== 'warn') return;
      const what = first instanceof Error ? first.message : String(first);
      tell({
        code: 'plugin-failed',
        level: levels[type],
        message: `the plugin ${name}: ${what}`,
        cause: first,
      });
    },
  });
}
