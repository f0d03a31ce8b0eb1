/** Tools by which a model delegates to children, and lists, reads and interrupts them. */
export { subagentTool, type DelegationInput, type SubagentToolOptions } from './subagent-tool.ts';
export type { ChildKnowledge } from './wording.ts';
export { interruptAgentTool, type InterruptAgentInput } from './interrupt-agent-tool.ts';
export { listAgentsTool, type ListAgentsInput } from './list-agents-tool.ts';
export { readAgentTool, type ReadAgentInput } from './read-agent-tool.ts';
