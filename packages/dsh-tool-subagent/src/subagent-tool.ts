/**
 * The delegation tool: a model's call becomes a continuable child, or a one-shot child that is waited for or
 * announced. It holds no state of its own.
 */
import { fromJsonSchema, type ToolDefinition, type ToolFilter } from '@deepseek-ai/dsh-agent';
import { subagentError, type SubagentProvider, type SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { delegate } from './delegate.ts';
import { checkRuntime } from './runtime-check.ts';
import {
  delegationDescription,
  descriptionOfBackground,
  descriptionOfLabel,
  descriptionOfPrompt,
  knowledge,
  type ChildKnowledge,
} from './wording.ts';

/** What a model hands over (T6). */
export interface DelegationInput {
  /** A short name for people. */
  readonly description: string;
  /** The task. */
  readonly prompt: string;
  /** Default: by `backgroundMode`. */
  readonly run_in_background?: boolean;
}

/** The options of {@link subagentTool}. */
export interface SubagentToolOptions {
  /** The name of a registered provider. */
  readonly provider: string;
  /** What the model calls the tool. */
  readonly toolName: string;
  /** `continuable`: children in the background by default. `one-shot`: results by default. */
  readonly backgroundMode: 'one-shot' | 'continuable';
  /** What the tool's text says that a child knows. Default: `completed-turns` for the provider `fork`, else `nothing`. */
  readonly childKnows?: ChildKnowledge;
  /** Narrows the host's depth limit for these children. */
  readonly maxDepth?: number;
  /** Narrows what these children inherit. */
  readonly toolFilter?: ToolFilter;
  /** Added to the child's system prompt. */
  readonly persona?: string;
  /** A route of the program's models. Default: the parent's. */
  readonly model?: string;
}

/**
 * Makes a delegation tool over one provider; make one per provider (T7). Throws `NO_PROVIDER` where the provider
 * is not registered, `UNSUPPORTED_CAPABILITY` where it cannot do what the options ask for, `INVALID_REQUEST` for a mode
 * or a knowledge that there is not, and `INCOMPATIBLE`.
 */
export function subagentTool(
  runtime: Pick<SubagentRuntime, 'protocol' | 'getProvider' | 'startContinuable' | 'start'>,
  options: SubagentToolOptions,
): ToolDefinition<DelegationInput> {
  const { toolName, backgroundMode: mode } = options;
  checkRuntime(runtime, toolName);
  checkChoice(options, 'backgroundMode', Object.keys(descriptionOfBackground));
  checkChoice(options, 'childKnows', [...Object.keys(knowledge), undefined]);
  checkProvider(runtime.getProvider(options.provider), options);
  const knows = options.childKnows ?? (options.provider === 'fork' ? 'completed-turns' : 'nothing');
  return {
    name: toolName,
    description: delegationDescription({ mode, knows }),
    inputSchema: fromJsonSchema<DelegationInput>({
      type: 'object',
      properties: {
        description: { type: 'string', description: descriptionOfLabel },
        prompt: { type: 'string', description: descriptionOfPrompt },
        run_in_background: { type: 'boolean', description: descriptionOfBackground[mode] },
      },
      required: ['description', 'prompt'],
      additionalProperties: false,
    }),
    execute: (input, context) => delegate({ runtime, options, input, context }),
  };
}

/** A host in plain JavaScript may write anything. */
function checkChoice(
  options: SubagentToolOptions,
  name: 'backgroundMode' | 'childKnows',
  choices: readonly (string | undefined)[],
): void {
  const given = options[name];
  if (choices.includes(given)) return;
  const wanted = choices.filter((choice) => choice !== undefined).join(' or ');
  throw subagentError(
    'INVALID_REQUEST',
    `the tool ${options.toolName} was not made: ${name} is ${String(given)}, and not ${wanted}`,
  );
}

function checkProvider(provider: SubagentProvider | undefined, options: SubagentToolOptions): void {
  const { provider: name, toolName, backgroundMode, persona, toolFilter, maxDepth } = options;
  const made = `the tool ${toolName} was not made`;
  if (provider === undefined) {
    throw subagentError('NO_PROVIDER', `${made}: no provider ${JSON.stringify(name)} is registered`);
  }
  const lacking: string[] = [];
  if (backgroundMode === 'continuable' && provider.prepareContinuable === undefined)
    lacking.push('continuable children');
  if (persona !== undefined && !provider.capabilities.persona) lacking.push('a persona');
  if (toolFilter !== undefined && !provider.capabilities.toolFilter) lacking.push('a tool filter');
  if (maxDepth !== undefined && !provider.capabilities.depthLimit) lacking.push('a depth limit');
  if (lacking.length === 0) return;
  const what = `provider ${JSON.stringify(name)} does not support ${lacking.join(', ')}`;
  throw subagentError('UNSUPPORTED_CAPABILITY', `${made}: ${what}`);
}
