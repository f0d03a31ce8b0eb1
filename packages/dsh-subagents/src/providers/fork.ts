/** The provider of children that know what their parent knew when its last turn had ended (M50). Holds no state. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { ContinuableCreateSpec, SubagentProvider } from '../provider.ts';

/**
 * Makes children whose history begins with their parent's completed turns. `name` defaults to `fork`.
 * A persona is refused: it would change the request prefix that a fork exists to reuse. A tool filter is taken,
 * and changes the tool schemas of that prefix, so that a provider's cache does not know it any more (M38).
 */
export function forkProvider(options: { readonly name?: string } = {}): SubagentProvider {
  return {
    name: options.name ?? 'fork',
    capabilities: { outputSchema: true, depthLimit: true, toolFilter: true, persona: false },
    async start(request) {
      return request.runAgent(await completedTurns(request.parent, request.signal));
    },
    prepareContinuable: ({ parent, signal }) => completedTurns(parent, signal),
  };
}

async function completedTurns(
  parent: Agent,
  signal: AbortSignal | undefined,
): Promise<ContinuableCreateSpec> {
  const { session } = parent;
  await session.ready({ signal });
  const last = session.events().findLast(({ type }) => type === 'turn/end');
  return last === undefined ? {} : { seed: { session: session.id, length: last.seq + 1 } };
}
