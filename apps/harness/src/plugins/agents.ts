/** Provides `ctx.agents`: the live agents over the store, the models and the tools. */
import type { Context } from '@deepseek-ai/cordis';
import { createAgentRegistry, type AgentHooks, type AgentRegistry } from '@deepseek-ai/dsh-agent';
import { z } from 'zod';
import { diagnosticsOf } from './diagnostics.ts';

declare module '@deepseek-ai/cordis' {
  interface Context {
    readonly agents: AgentRegistry;
  }
}

/** For every agent, children too. */
export type Approve = NonNullable<AgentHooks['requestApproval']>;

const Config = z.strictObject({
  model: z.string().min(1).describe('The model of agents that name none: provider/model.'),
  system: z.string().optional().describe('What every agent is told before its first message.'),
  /** Asks a person whether a tool that needs approval may run. Without it such a call is denied. */
  approve: z.custom<Approve>((value) => typeof value === 'function').optional(),
  random: z.custom<() => number>((value) => typeof value === 'function').optional(),
});

export const agentsPlugin = {
  name: 'agents',
  inject: ['sessions', 'models', 'tools'],
  provide: ['agents'],
  Config,
  async apply(ctx: Context, { model, system, approve, random }: z.output<typeof Config>): Promise<void> {
    const { sessions, models, tools } = ctx;
    await ctx.effect(async function* () {
      const agents = createAgentRegistry({
        sessions,
        models: (route) => models.resolve(route),
        tools,
        defaults: { model, ...(system === undefined ? {} : { system }) },
        ...(approve === undefined ? {} : { hooks: { requestApproval: approve } }),
        ...(random === undefined ? {} : { random }),
        onDiagnostic: diagnosticsOf(ctx),
      });
      yield () => agents[Symbol.asyncDispose]();
      yield ctx.provide('agents', agents);
    }, 'agents');
  },
};
