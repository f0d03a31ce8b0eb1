import { expect, it } from 'vitest';
import { id, openWorld, text } from './rig/world.ts';

it('starts a child, hears that it has settled, and writes to it again [M1 M3 M20 M33]', async () => {
  const world = await openWorld({ scripts: { kiwi: ['Kiwis are green.', 'Still green.'] } });
  const root = await world.root();
  const { childId, messageId } = await world.start(root.agent, 'kiwi');
  expect(childId).toBe('kiwi');
  expect(messageId).toBeTypeOf('string');
  await world.runtime.whenQuiescent(id('root'));
  await world.runtime.sendMessage(root.agent, childId, text('And now?'));
  await world.runtime.whenQuiescent(id('root'));
  expect(world.log).toMatchInlineSnapshot(`
    [
      "start kiwi",
      "kiwi accepts delegated-task",
      "kiwi reads delegated-task 0.0",
      "gone kiwi",
      "root accepts subagent-settled",
      "end kiwi completed",
      "root reads subagent-settled 0.0",
      "start kiwi again",
      "kiwi accepts agent-message",
      "kiwi reads agent-message 1.0",
      "gone kiwi",
      "root accepts subagent-settled",
      "end kiwi completed",
      "root reads subagent-settled 1.0",
    ]
  `);
  expect(world.diagnostics).toEqual([]);
});
