/** What a child runs with when it comes back: A29. */
import { expect, it } from 'vitest';
import { addTool } from '../orders/tools.ts';
import { containing, id, openWorld, text } from '../rig/world.ts';

it('a stored child comes back with its own model, effort and filter, and a tool that is gone allows nothing else [A29 M11 M20]', async () => {
  const first = await openWorld({ models: ['scripted', 'other'] });
  for (const name of ['read', 'write']) addTool(first, name, () => name);
  const root = await first.agents.create({ id: id('root'), model: 'other', effort: 'high' });
  await first.start(root.agent, 'kiwi', {
    request: { prompt: 'Task of kiwi', parent: root.agent, toolFilter: { allow: ['read'] } },
  });
  await first.runtime.whenQuiescent(id('root'));
  const asked = first.model('kiwi').requests[0];
  expect(asked).toMatchObject({ route: 'other', effort: 'high', tools: [{ name: 'read' }] });
  await first[Symbol.asyncDispose]();

  const second = await openWorld({ medium: first.medium, models: ['scripted', 'other'] });
  for (const name of ['write', 'new']) addTool(second, name, () => name);
  const again = await second.agents.resume({ id: id('root') });
  expect(again.agent.options).toMatchObject({ model: 'scripted' });
  await second.runtime.sendMessage(again.agent, id('kiwi'), text('Go on.'));
  await second.runtime.whenQuiescent(id('root'));
  expect(second.model('kiwi').requests[0]).toMatchObject({ route: 'other', effort: 'high', tools: [] });
  expect(second.diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'unknown-tool-in-filter',
      sessionId: 'kiwi',
      message: containing('read'),
    }),
  );
});
