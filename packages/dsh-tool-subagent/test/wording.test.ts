import { describe, expect, it } from 'vitest';
import { interruptAgentTool, listAgentsTool, readAgentTool, subagentTool } from '../src/index.ts';
import { fakeRuntime } from './fake-runtime.ts';

const runtime = fakeRuntime();
const shown = ({ name, description, inputSchema }: ReturnType<typeof subagentTool>) => ({
  name,
  description,
  inputSchema: inputSchema.json,
});

const nothing =
  'It knows nothing of this conversation: the prompt must hold everything that it needs, and say what to report.';
const turns =
  'It knows this conversation up to the end of your last completed turn, but nothing of the present turn: the ' +
  'prompt must hold what it needs of that, and say what to report.';
const background =
  'It works in the background. The result is its id, with which you can write to it, also after it has finished. ' +
  'It writes to you when it has something to report, and you are told when it has ended. Do not wait for it in a ' +
  'loop: end your turn when there is nothing else to do. With run_in_background false you wait for one result ' +
  'instead, and cannot write to it afterwards.';
const foreground =
  'You wait for its result, and cannot write to it afterwards. With run_in_background true you go on at once, and ' +
  'are told its result when it has ended.';

const schema = (words: string) => ({
  type: 'object',
  properties: {
    description: { type: 'string', description: 'A name for the task in three to five words.' },
    prompt: { type: 'string', description: 'The task.' },
    run_in_background: { type: 'boolean', description: words },
  },
  required: ['description', 'prompt'],
  additionalProperties: false,
});

describe('the delegation tools', () => {
  it('tell what the child of `spawn` and of `fork` knows, word for word [T7 T9]', () => {
    const make = (provider: string, toolName: string) =>
      shown(subagentTool(runtime, { provider, toolName, backgroundMode: 'continuable' }));
    const inputSchema = schema('Default true. False: wait for one result.');
    expect(make('spawn', 'subagent')).toEqual({
      name: 'subagent',
      description: `Delegate a task to a new subagent. ${nothing} ${background}`,
      inputSchema,
    });
    expect(make('fork', 'subagent_fork')).toEqual({
      name: 'subagent_fork',
      description: `Delegate a task to a copy of yourself. ${turns} ${background}`,
      inputSchema,
    });
  });

  it('tell how a one-shot child is waited for, word for word [T9]', () => {
    const options = { provider: 'spawn', toolName: 'ask', backgroundMode: 'one-shot' } as const;
    expect(shown(subagentTool(runtime, options))).toEqual({
      name: 'ask',
      description: `Delegate a task to a new subagent. ${nothing} ${foreground}`,
      inputSchema: schema('Default false. True: go on at once.'),
    });
    expect(subagentTool(runtime, { ...options, childKnows: 'completed-turns' }).description).toContain(turns);
  });
});

describe('the tools that look after children', () => {
  const protocol = runtime.protocol;
  const never = () => {
    throw new Error('not asked');
  };

  it('have these words, and no others [T8 T9]', () => {
    const tools = [
      listAgentsTool({ protocol, listChildren: never, listDescendants: never }),
      readAgentTool({ protocol, readTranscript: never }),
      interruptAgentTool({ protocol, interrupt: never }),
    ];
    expect(
      tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: inputSchema.json,
      })),
    ).toMatchInlineSnapshot(`
      [
        {
          "description": "List the subagents that you started: their ids, what they are called, and what they are doing.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "scope": {
                "description": "children (default): those that you started yourself; descendants: those that they started as well.",
                "enum": [
                  "children",
                  "descendants",
                ],
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "list_agents",
        },
        {
          "description": "Read what a subagent that you started has done: a page of its conversation, oldest first. It is not disturbed by that.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "agent_id": {
                "description": "The id of the subagent.",
                "type": "string",
              },
              "from": {
                "description": "The place to begin at. Default: where its own work begins. The end of a page names the next place.",
                "minimum": 0,
                "type": "integer",
              },
              "limit": {
                "description": "How many places to look at: 1 to 200. Default 50. Long texts are cut; with limit 1 a text is shown whole.",
                "maximum": 200,
                "minimum": 1,
                "type": "integer",
              },
            },
            "required": [
              "agent_id",
            ],
            "type": "object",
          },
          "name": "read_agent",
        },
        {
          "description": "Interrupt what a subagent is doing at present. It keeps what it knows, what waits for it, and its own subagents; it goes on when it is written to.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "agent_id": {
                "description": "The id of the subagent.",
                "type": "string",
              },
            },
            "required": [
              "agent_id",
            ],
            "type": "object",
          },
          "name": "interrupt_agent",
        },
      ]
    `);
  });
});
