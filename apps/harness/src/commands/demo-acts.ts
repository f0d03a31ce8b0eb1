/** [pure] The two scenarios of the demo: the first process, and the second one that wakes a child from its log. */
import type { Scenario } from '../scenario/schema.ts';

export const firstAct: Scenario = {
  name: 'demo',
  prompts: [
    { text: 'I want to make jam in autumn. Which fruit should I think of?' },
    { after: 'idle', text: 'Find out about pears and about plums.' },
    { after: 'held:deep in books', to: 'child:pears', text: 'How long do they keep?' },
    { interrupt: 'pears' },
    { to: 'child:pears', text: 'Leave the books. A short answer is enough.' },
  ],
  agents: {
    root: [
      { text: 'Pears and plums are the two to look at.', delayMs: 200 },
      {
        text: 'Two helpers can do that side by side.',
        calls: [
          {
            tool: 'subagent',
            input: { description: 'pears', prompt: 'Find out when pears are ripe, and which make good jam.' },
          },
          { tool: 'subagent_fork', input: { description: 'plums', prompt: 'Do the same for plums.' } },
        ],
        delayMs: 200,
      },
      { text: 'Both are at work. I will hear from them.' },
      { when: { contains: 'September' }, text: 'Pears in September: noted.' },
      { when: { contains: 'August' }, text: 'Plums in August: noted.' },
      { when: { contains: '"pears", has ended' }, text: 'The pears helper is done.' },
      {
        when: { contains: '"plums", has ended' },
        text: 'Make plum jam in August, and pear jam in September.',
      },
    ],
    pears: [
      {
        text: 'The books agree on the month.',
        calls: [
          { tool: 'send_message', input: { agent_id: '$parent', message: 'Pears are ripe in September.' } },
        ],
        delayMs: 250,
      },
      {
        text: 'Now every sort that was ever grown, from the beginning ...',
        hold: 'deep in books',
        delayMs: 250,
      },
      { text: 'Two weeks in a cool cellar.', delayMs: 250 },
      { text: 'Conference makes the best jam.', delayMs: 250 },
    ],
    plums: [
      {
        calls: [
          { tool: 'send_message', input: { agent_id: '$parent', message: 'Plums are ripe in August.' } },
        ],
        delayMs: 650,
      },
      { text: 'Damsons make the best jam.', delayMs: 1000 },
    ],
  },
};

export const secondAct: Scenario = {
  name: 'demo, second process',
  prompts: [{ text: 'Ask the pears helper how much sugar Conference needs.' }],
  agents: {
    root: [
      {
        text: 'It is long gone from memory, but its Session is not.',
        calls: [
          {
            tool: 'send_message',
            input: { agent_id: '$child:pears', message: 'How much sugar does Conference need?' },
          },
        ],
      },
      { text: 'I have asked.' },
      { when: { contains: '300 g' }, text: 'The helper says 300 g of sugar per kilogram.' },
      { when: { contains: 'has ended' }, text: 'That is all.' },
    ],
    pears: [
      {
        text: 'I remember Conference.',
        delayMs: 250,
        calls: [
          { tool: 'send_message', input: { agent_id: '$parent', message: '300 g of sugar per kilogram.' } },
        ],
      },
      { text: 'Answered.', delayMs: 250 },
    ],
  },
};
