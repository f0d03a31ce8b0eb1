/** The tool `list_agents`: an agent's own children, or all that is below it (T8). It holds no state. */
import {
  fromJsonSchema,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
} from '@deepseek-ai/dsh-agent';
import type { ChildEntry, DescendantEntry, SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { checkRuntime } from './runtime-check.ts';
import {
  descriptionOfScope,
  listDescription,
  listedAgent,
  listedProblem,
  moreAgents,
  nobody,
} from './wording.ts';

export interface ListAgentsInput {
  /** Default `children`: the direct ones. */
  readonly scope?: 'children' | 'descendants';
}

const mostListed = 200;
type ListingRuntime = Pick<SubagentRuntime, 'protocol' | 'listChildren' | 'listDescendants'>;

/** Makes `list_agents`. At most 200 agents are listed. Throws `INCOMPATIBLE`. */
export function listAgentsTool(
  runtime: Pick<SubagentRuntime, 'protocol' | 'listChildren' | 'listDescendants'>,
): ToolDefinition<ListAgentsInput> {
  const name = 'list_agents';
  checkRuntime(runtime, name);
  return {
    name,
    description: listDescription,
    inputSchema: fromJsonSchema<ListAgentsInput>({
      type: 'object',
      properties: {
        scope: { type: 'string', enum: ['children', 'descendants'], description: descriptionOfScope },
      },
      additionalProperties: false,
    }),
    execute: (input, context) => list(runtime, input, context),
  };
}

async function list(
  runtime: ListingRuntime,
  { scope }: ListAgentsInput,
  { agent, signal }: ToolContext,
): Promise<ToolOutput> {
  const deep = scope === 'descendants';
  const entries = deep
    ? runtime.listDescendants(agent.id, { signal })
    : runtime.listChildren(agent.id, { signal });
  const shown: (ChildEntry | DescendantEntry)[] = [];
  let more = false;
  for await (const entry of entries) {
    more = shown.length === mostListed;
    if (more) break;
    shown.push(entry);
  }
  if (shown.length === 0) return { content: nobody, structured: { agents: [] } };
  const top = Math.min(...shown.map((entry) => ('depth' in entry ? entry.depth : 0)));
  const lines = shown.map((entry) => line(entry, ('depth' in entry ? entry.depth : 0) - top));
  if (more) lines.push(moreAgents(mostListed));
  return { content: lines.join('\n'), structured: { agents: shown.map(structured), more } };
}

function line(entry: ChildEntry, depth: number): string {
  if (entry.kind === 'problem') return listedProblem(entry.id, entry.code, depth);
  const { id, label, mode, live, lastOutcome } = entry;
  return listedAgent({ id, label, depth, mode, condition: live?.condition, lastOutcome });
}

function structured(entry: ChildEntry) {
  if (entry.kind === 'problem') return { id: entry.id, problem: entry.code };
  const { id, parentId, label, mode, live, lastOutcome } = entry;
  return {
    id,
    parentId,
    label,
    mode,
    ...(live === undefined ? {} : { condition: live.condition }),
    ...(lastOutcome === undefined ? {} : { lastOutcome }),
  };
}
