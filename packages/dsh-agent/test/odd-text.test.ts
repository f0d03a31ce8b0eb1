/** Text that some part on the way might not like: A13, A16, S5. */
import { expect, it } from 'vitest';
import { openLife } from './durable-world.ts';
import { say, tool } from './agent-world.ts';

const odd = [
  '🍐',
  '👩‍🌾',
  '\ud83c',
  '\udf50',
  '\u0000',
  '\u2028',
  '\u2029',
  '\r\n',
  '\ufeff',
  'é',
  '\u202e',
  '"\\',
].join('|');
const megabyte = odd.repeat(Math.ceil(2 ** 20 / odd.length));

it('takes a megabyte of odd text through log, reload and request unharmed [A13 A14 S5]', async () => {
  const first = await openLife({ script: [{ calls: [{ tool: 'dump' }] }, 'done'] });
  first.tools.register(tool('dump', () => ({ content: megabyte, structured: { [odd]: odd } })));
  const { agent } = await first.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  const shown = first.model.requests[1]!.messages;
  expect(shown.at(-1)).toMatchObject({ role: 'tool', structured: { [odd]: odd } });
  expect(textOfLast(shown) === megabyte).toBe(true);
  await first.sessions.flush(agent.session);
  const events = JSON.stringify(agent.session.events());

  const second = await first.crash({ script: ['again'] });
  const { agent: again } = await second.resume();
  expect(JSON.stringify(again.session.events().slice(0, agent.session.length)) === events).toBe(true);
  again.followup(say('m2'));
  await again.whenIdle();
  const { messages } = second.model.requests[0]!;
  expect(JSON.stringify(messages.slice(0, shown.length)) === JSON.stringify(shown)).toBe(true);
  expect(textOfLast(messages.slice(0, shown.length)) === megabyte).toBe(true);
});

function textOfLast(messages: readonly { readonly content: readonly unknown[] }[]): string {
  return (messages.at(-1)!.content[0] as { readonly text: string }).text;
}
