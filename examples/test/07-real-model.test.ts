import { LLMock } from '@copilotkit/aimock';
import { expect, it, onTestFinished, vi } from 'vitest';

it('asks a server over HTTP, runs the tool that the model calls, and tells the tokens [A14]', async () => {
  const server = new LLMock();
  onTestFinished(() => server.stop());
  const call = { name: 'season', arguments: '{"fruit":"pears"}', id: 'call_1' };
  const usage = { prompt_tokens: 30, completion_tokens: 7 };
  server.on({ hasToolResult: false }, { toolCalls: [call], usage });
  server.on({ toolResultContains: 'September' }, { content: 'In September.', usage });
  vi.stubEnv('OPENAI_BASE_URL', `${await server.start()}/v1`);
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../07-real-model.ts');
  expect(said).toEqual([
    'completed',
    'user: When are pears ripe?',
    'assistant: tool-call (7 tokens)',
    'tool: pears: September',
    'assistant: In September. (7 tokens)',
  ]);
});
