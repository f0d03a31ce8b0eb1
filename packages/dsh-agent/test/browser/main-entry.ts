import * as agent from '@deepseek-ai/dsh-agent';

/** Run in Chromium against the built package. */
export const cases = {
  'the main entry loads': () => {
    if (Object.keys(agent).length === 0) throw new Error('it exports nothing');
  },
};
