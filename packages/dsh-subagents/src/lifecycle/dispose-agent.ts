import type { AgentsPort, PortHandle } from '../port.ts';
import { within, type Deadline } from './deadline.ts';

type Registry = Pick<AgentsPort, 'get'>;

/**
 * `false`: it had not ended at the deadline. Rejects with what the disposal did; what that has left in place is left
 * behind, for nobody else would end it (M29).
 */
export async function disposeAgent(
  agents: Registry,
  handle: PortHandle,
  deadline: Deadline,
): Promise<boolean> {
  try {
    return await within(handle.dispose(), deadline);
  } catch (error) {
    leaveBehind(agents, handle);
    throw error;
  }
}

/** Does nothing where the agent is gone (M31). */
export function leaveBehind(agents: Registry, handle: PortHandle): void {
  if (agents.get(handle.agent.id) === handle.agent) handle.abandon?.();
}
