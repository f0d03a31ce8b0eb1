import type { Context } from '@deepseek-ai/cordis';
import type { AgentRegistry, ToolRegistry } from '@deepseek-ai/dsh-agent';
import type { SessionStore } from '@deepseek-ai/dsh-session';
import type { HostControls, SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { expectTypeOf, it } from 'vitest';
import type { App } from '../../src/app/create-app.ts';

it('gives the services of the context their types [H1]', () => {
  expectTypeOf<Context['sessions']>().toEqualTypeOf<SessionStore>();
  expectTypeOf<Context['agents']>().toEqualTypeOf<AgentRegistry>();
  expectTypeOf<Context['tools']>().toEqualTypeOf<ToolRegistry>();
  expectTypeOf<Context['subagents']>().toEqualTypeOf<SubagentRuntime>();
});

it('gives the host controls to the command line, and not to the context [H1]', () => {
  expectTypeOf<App['host']>().toEqualTypeOf<HostControls>();
  expectTypeOf<Context>().not.toHaveProperty('host');
});
