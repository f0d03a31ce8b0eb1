/** What follows from the happenings so far, and several invariants ask for. It hears each of them first. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { ActivationStarted } from '../../src/index.ts';
import type { Happening, Stop } from './happening.ts';

export interface Facts {
  /** Since the last crash. */
  readonly live: ReadonlyMap<SessionId, Agent>;
  /** Epochs that were told to have started and not to have ended. */
  readonly epochs: ReadonlyMap<SessionId, ActivationStarted>;
  /** The first of a live agent's ids is its parent's. */
  ancestors(id: SessionId): readonly SessionId[];
  isManaged(agent: Agent): boolean;
  /** The host, or a fault, has ended it or an ancestor, or is about to. */
  isStopped(id: SessionId): boolean;
  /** A drain below a root that is still live, or of everything, has closed admission under this agent. */
  isGated(id: SessionId): boolean;
  see(happening: Happening): void;
}

export function createFacts(): Facts {
  const live = new Map<SessionId, Agent>();
  const parents = new Map<SessionId, SessionId>();
  const epochs = new Map<SessionId, ActivationStarted>();
  let stops: Stop[] = [];

  const ancestors = (id: SessionId): readonly SessionId[] => {
    const found: SessionId[] = [];
    for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent)) found.push(parent);
    return found;
  };
  const covers = ({ scope, ids }: Stop, id: SessionId): boolean => {
    if (scope === 'all') return true;
    const above = ancestors(id);
    return ids.some((one) => above.includes(one) || (scope === 'at' && one === id));
  };
  return {
    live,
    epochs,
    ancestors,
    isManaged: ({ session }) => session.header.origin === 'subagent',
    isStopped: (id) => stops.some((stop) => covers(stop, id)),
    isGated: (id) =>
      stops.some(({ scope, gates }) => {
        if (scope === 'all') return true;
        const lineage = [id, ...ancestors(id)];
        return gates.some((gate) => lineage.includes(gate.id) && live.get(gate.id) === gate);
      }),
    see(happening) {
      switch (happening.at) {
        case 'created': {
          const { id, session } = happening.agent;
          live.set(id, happening.agent);
          if (session.header.parentSession !== undefined) parents.set(id, session.header.parentSession);
          return;
        }
        case 'disposed':
          if (live.get(happening.agent.id) === happening.agent) live.delete(happening.agent.id);
          return;
        case 'epoch-start':
          if (happening.epoch.mode === 'continuable') epochs.set(happening.epoch.childId, happening.epoch);
          return;
        case 'epoch-end':
          epochs.delete(happening.epoch.childId);
          return;
        case 'stop':
          stops.push(happening.stop);
          return;
        case 'crash':
          live.clear();
          epochs.clear();
          stops = [];
          return;
        default:
      }
    },
  };
}
