import { expect, it } from 'vitest';
import { sendMessageTool } from '../src/index.ts';
import { fakeRuntime } from './fake-runtime.ts';

it('shows a model these words, and no others [T1 T2]', () => {
  const { name, description, inputSchema } = sendMessageTool(fakeRuntime());
  expect({ name, description, inputSchema: inputSchema.json }).toEqual({
    name: 'send_message',
    description:
      'Send a message to an agent that you work with: to a child that you started, with the id that starting it ' +
      'returned, or to the agent that started you, with the id that it gave you. A child that has finished can be ' +
      'written to as well; it goes on with everything that it knew. The result says that the message was accepted, ' +
      'not that it was read: an answer, if there is one, comes as a message of its own.',
    inputSchema: {
      type: 'object',
      properties: {
        agent_id: { type: 'string', description: 'The id of the agent that gets the message.' },
        message: {
          type: 'string',
          description:
            'The text. It must be understood without the rest of your conversation, which the other agent does not see.',
        },
      },
      required: ['agent_id', 'message'],
      additionalProperties: false,
    },
  });
});
