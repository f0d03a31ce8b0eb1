/** The live object that drives one Session: one inbox, one driver loop, tools, and a small port to a model. */
export type * from './agent.ts';
export { createAgentRegistry } from './create-registry.ts';
export { createToolRegistry } from './tool-registry.ts';
export { fromJsonSchema, fromStandardSchema } from './tool-input.ts';
export { lastRequestHead, type RequestHead } from './request.ts';
export { AgentError, agentError, type KnownAgentCode } from './errors.ts';
export type * from './events.ts';
export type * from './hooks.ts';
export { ModelError, modelError, type Model, type ModelEvent, type ModelRequest } from './model.ts';
export type * from './registry.ts';
export type * from './tool.ts';
export type {
  AssistantMessage,
  ContentBlock,
  ContentBlockMap,
  Message,
  MessageId,
  MessageSource,
  MessageSourceMap,
  SessionId,
  ToolResultMessage,
  TurnEndReason,
  Usage,
  UserMessage,
} from '@deepseek-ai/dsh-session';
