/**
 * Which ids stand behind the labels of a scenario.
 * I1. What was started here is known at once; what only the store knows is looked up when it is asked for.
 */
import type { Agent, AgentRegistry, ModelRequest } from '@deepseek-ai/dsh-agent';
import { requestProblem } from '@deepseek-ai/dsh-agent/testing';
import type { Message, SessionId } from '@deepseek-ai/dsh-session';
import type { SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import type { Stage } from './stage.ts';
import { taskOf, type DelegatedTask } from './task-of.ts';

export interface KnownChild {
  readonly id: SessionId;
  readonly parentId: SessionId;
}

export interface Directory {
  /** The live agent that was made by `task`; the top-level agent for none. */
  agentWith(task: DelegatedTask | undefined): SessionId | undefined;
  /** Looks the stored children below the top-level agent up. */
  refresh(): Promise<void>;
  child(label: string): KnownChild | undefined;
  /** What in a request is not what the log of its agent gives. */
  problemOf(request: ModelRequest): string | undefined;
}

/** Who asks a model has a loaded history; of the others it may still be loading. */
function historyOf({ session }: Agent): readonly Message[] {
  try {
    return session.history();
  } catch {
    return [];
  }
}

export function createDirectory(parts: {
  readonly agents: Pick<AgentRegistry, 'list'>;
  readonly subagents: Pick<SubagentRuntime, 'listDescendants'>;
  readonly stage: Stage;
  readonly root: () => SessionId | undefined;
}): Directory {
  const { agents, subagents, stage, root } = parts;
  const byTask = new Map<string, SessionId>();
  const stored = new Map<string, KnownChild>();
  return {
    agentWith(task) {
      if (task === undefined) return root();
      const known = byTask.get(task.messageId);
      if (known !== undefined) return known;
      const found = agents.list().find((agent) => taskOf(historyOf(agent))?.messageId === task.messageId);
      if (found !== undefined) byTask.set(task.messageId, found.id);
      return found?.id;
    },
    async refresh() {
      const top = root();
      if (top === undefined) return;
      for await (const entry of subagents.listDescendants(top)) {
        if (entry.kind === 'child') stored.set(entry.label, { id: entry.id, parentId: entry.parentId });
      }
    },
    child: (label) => stage.child(label) ?? stored.get(label),
    problemOf: (request) => requestProblem(request, agents.list()),
  };
}
