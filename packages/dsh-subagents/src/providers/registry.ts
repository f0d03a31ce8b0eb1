import type { Emitter } from '@dsh-internal/async';
import type { Registration } from '@deepseek-ai/dsh-session';
import { subagentError } from '../errors.ts';
import type { SubagentEventMap } from '../events.ts';
import type { SubagentProvider } from '../provider.ts';

export interface Providers {
  readonly table: ReadonlyMap<string, SubagentProvider>;
  /** Throws `DUPLICATE_PROVIDER`. */
  register(provider: SubagentProvider): Registration;
}

export function createProviders(events: Emitter<SubagentEventMap>): Providers {
  const table = new Map<string, SubagentProvider>();
  return {
    table,
    register(provider) {
      const { name, start, capabilities } = (provider as Partial<SubagentProvider> | undefined) ?? {};
      if (typeof name !== 'string' || name === '' || typeof start !== 'function')
        throw subagentError('INVALID_REQUEST', 'Not registered: a provider needs a name and `start`.');
      if (typeof capabilities !== 'object' || (capabilities as unknown) === null)
        throw subagentError(
          'INVALID_REQUEST',
          'Not registered: a provider says what it can do, in `capabilities`.',
        );
      if (table.has(name))
        throw subagentError(
          'DUPLICATE_PROVIDER',
          `Not registered: there is a provider ${JSON.stringify(name)} already.`,
        );
      table.set(name, provider);
      events.emit('subagent/provider-added', { name });
      const dispose = (): void => {
        if (table.get(name) !== provider) return;
        table.delete(name);
        events.emit('subagent/provider-removed', { name });
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
  };
}
