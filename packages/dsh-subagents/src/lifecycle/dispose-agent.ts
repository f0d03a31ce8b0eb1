import type { AgentsPort, PortHandle } from '../port.ts';

/** Rejects with what the disposal did. What that leaves in place is left behind: nobody else would end it (M29). */
export async function disposeAgent(agents: Pick<AgentsPort, 'get'>, handle: PortHandle): Promise<void> {
  try {
    await handle.dispose();
  } finally {
    if (agents.get(handle.agent.id) === handle.agent) handle.abandon?.();
  }
}
