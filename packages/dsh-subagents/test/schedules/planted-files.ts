/** [pure] Where the sources of each package lie that bugs are planted into. */
export const subagents = 'packages/dsh-subagents/src/';
export const agent = 'packages/dsh-agent/src/';
export const session = 'packages/dsh-session/src/';
