/** A whole program in memory, with a log of what happened in it. */
import { expect, onTestFinished } from 'vitest';
import type { Agent, AgentHandle } from '@deepseek-ai/dsh-agent';
import { drainMicrotasks } from '@deepseek-ai/dsh-agent/testing';
import { parseSessionId, type MessageId, type SessionId } from '@deepseek-ai/dsh-session';
import type { StartContinuable } from '../../src/index.ts';
import { openTestProgram, type TestProgram, type TestProgramOptions } from '../../src/testing/index.ts';

export const id = (text: string): SessionId => parseSessionId(text);
export const text = (value: string) => [{ type: 'text' as const, text: value }];
export const messageId = (value: string): MessageId => value as MessageId;
/** For matchers: a text that holds `part`. */
export const containing = (part: string): unknown => expect.stringContaining(part);

export type WorldOptions = TestProgramOptions;
export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(options: WorldOptions = {}) {
  const program = await openTestProgram(options);
  const { agents } = program;
  const log: string[] = [];
  // What a model was asked with was what the log gives, whatever the test looks at (A13).
  const strange: string[] = [];
  agents.on('agent/error', ({ error }) => {
    if (/ log( says)?$|no live agent$/.test(error.message)) strange.push(error.message);
  });
  onTestFinished(() => {
    expect(strange).toEqual([]);
  });
  record(log, program);
  const root = (name = 'root'): Promise<AgentHandle> => program.agents.create({ id: id(name) });
  const start = (parent: Agent, label: string, more: Partial<StartContinuable> = {}) =>
    program.runtime.startContinuable({
      provider: 'spawn',
      label,
      childId: id(label),
      request: { prompt: `Task of ${label}`, parent },
      ...more,
    });
  return { ...program, log, root, start, rest: drainMicrotasks };
}

function record(log: string[], { agents, runtime }: TestProgram): void {
  const say = (line: string): void => {
    log.push(line);
  };
  runtime.on('subagent/start', ({ childId, resumed }) => {
    say(`start ${childId}${resumed ? ' again' : ''}`);
  });
  runtime.on('subagent/end', ({ childId, outcome }) => {
    say(`end ${childId} ${outcome}`);
  });
  runtime.on('subagent/parked', ({ childId }) => {
    say(`parked ${childId}`);
  });
  agents.on('agent/inbox/enqueue', ({ agent, message, wake }) => {
    say(`${agent.id} ${wake ? 'accepts' : 'gets'} ${message.source.kind}`);
  });
  agents.on('agent/inbox/dequeue', ({ agent, message, turn, step }) => {
    say(`${agent.id} reads ${message.source.kind} ${String(turn)}.${String(step)}`);
  });
  agents.on('agent/inbox/discard', ({ agent, reason }) => {
    say(`${agent.id} discards ${reason}`);
  });
  agents.on('agent/disposed', ({ agent }) => {
    say(`gone ${agent.id}`);
  });
}
