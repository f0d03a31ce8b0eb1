import { expect, it } from 'vitest';
import { labelOf, openTestProgram } from '../src/testing/index.ts';
import { id, text } from './rig/world.ts';

it('gives a test a whole program, and a second process over the same medium', async () => {
  const first = await openTestProgram({ scripts: { kiwi: ['green'] } });
  const root = await first.agents.create({ id: id('root') });
  root.agent.followup({ content: 'hello', source: { kind: 'user' } });
  await first.runtime.startContinuable({
    ...{ provider: 'spawn', label: 'kiwi', childId: id('kiwi') },
    request: { prompt: 'What colour?', parent: root.agent },
  });
  await first.runtime.whenQuiescent(id('root'));
  await first.sessions.flush(root.agent.session);
  first.crash();

  const second = await openTestProgram({ medium: first.medium, scripts: { kiwi: ['still green'] } });
  const again = await second.agents.resume({ id: id('root') });
  await second.runtime.sendMessage(again.agent, id('kiwi'), text('And now?'));
  await second.runtime.whenQuiescent(id('root'));
  const [request] = second.model('kiwi').requests;
  expect(request === undefined ? undefined : labelOf(request)).toBe('kiwi');
  expect(request?.messages).toHaveLength(3);
  expect(second.diagnostics).toEqual([]);
  await second[Symbol.asyncDispose]();
});
