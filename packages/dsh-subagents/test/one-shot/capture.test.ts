import type { ScriptedAnswer } from '@deepseek-ai/dsh-agent/testing';
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import type { SubagentResult } from '../../src/provider.ts';
import { program, textsOf, userMessages, type Program } from '../program.ts';

const schema: JsonObject = {
  type: 'object',
  properties: { pears: { type: 'integer' } },
  required: ['pears'],
  additionalProperties: false,
};
const deliver = (input: JsonValue): ScriptedAnswer => ({ calls: [{ tool: 'deliver_result', input }] });

async function runWith(
  script: readonly (ScriptedAnswer | string)[],
  outputSchema: JsonValue = schema,
): Promise<{ p: Program; result: SubagentResult; prompts: readonly string[] }> {
  const p = await program({ scripts: { main: script } });
  const { agent: parent } = await p.root();
  await using run = await p.runtime.start('spawn', {
    label: 'x',
    prompt: 'Count pears.',
    parent,
    outputSchema,
  });
  const result = await run.result;
  const prompts = userMessages(p.agents.get(run.id)!.session.events()).flatMap(textsOf);
  return { p, result, prompts };
}

describe('a structured result', () => {
  it('[M49] is what the agent delivers by the tool that it got for this', async () => {
    const { p, result, prompts } = await runWith([deliver({ pears: 12 }), 'Delivered.']);
    expect(result).toEqual({ stopReason: 'completed', output: 'Delivered.', structured: { pears: 12 } });
    expect(p.model('main').requests[0]!.tools).toEqual([
      {
        name: 'deliver_result',
        description: 'Delivers the result of your task. Its arguments are the result.',
        inputSchema: schema,
      },
    ]);
    expect(prompts[1]).toMatch(/^Deliver your result by calling deliver_result/);
  });

  it.each<[JsonValue, JsonValue]>([
    [{ type: 'array', items: { type: 'string' } }, ['a']],
    [{ type: 'integer' }, 12],
    [{ type: ['string', 'null'] }, null],
  ])('[M49] may have any schema: %j', async (outputSchema, value) => {
    const { result } = await runWith([deliver({ result: value }), ''], outputSchema);
    expect(result.structured).toEqual(value);
  });

  it('[M49] is the first that keeps the schema', async () => {
    const { result } = await runWith([deliver({ pears: 1 }), deliver({ pears: 2 }), '']);
    expect(result.structured).toEqual({ pears: 1 });
  });

  it('[M49] may be repaired once where it does not keep the schema', async () => {
    const { result } = await runWith([deliver({ pears: 'many' }), deliver({ pears: 12 }), 'Done.']);
    expect(result).toMatchObject({ stopReason: 'completed', structured: { pears: 12 } });
    const again = await runWith([deliver({}), deliver({}), deliver({ pears: 12 }), 'Sorry.']);
    expect(again.result).toEqual({ stopReason: 'error', output: 'Sorry.' });
  });

  it('[M49] is asked for once where a turn has ended without it', async () => {
    const { result, prompts } = await runWith(['Twelve.', deliver({ pears: 12 }), 'Done.']);
    expect(result).toMatchObject({ stopReason: 'completed', structured: { pears: 12 } });
    expect(prompts.at(-1)).toMatch(/^No result has arrived\./);
    const never = await runWith(['Twelve.', 'Twelve, I said.', deliver({ pears: 12 })]);
    expect(never.result).toEqual({ stopReason: 'error', output: 'Twelve, I said.' });
    expect(never.p.model('main').requests).toHaveLength(2);
  });

  it('[M49] is kept where the turn then fails', async () => {
    const { result } = await runWith([deliver({ pears: 12 }), { error: { status: 400 } }]);
    expect(result).toMatchObject({ stopReason: 'error', structured: { pears: 12 } });
  });
});
