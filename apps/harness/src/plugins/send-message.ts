/** Registers the tool `send_message`, once and globally. */
import type { Context } from '@deepseek-ai/cordis';
import { sendMessageTool } from '@deepseek-ai/dsh-tool-send-message';
import { z } from 'zod';

const Config = z.strictObject({
  maxBytes: z.int().min(1).optional().describe('The longest message, in bytes.'),
});

export const sendMessagePlugin = {
  name: 'send-message',
  inject: ['tools', 'subagents'],
  Config,
  apply(ctx: Context, { maxBytes }: z.output<typeof Config>): void {
    const { tools, subagents } = ctx;
    ctx.effect(() => {
      const tool = sendMessageTool(subagents, maxBytes === undefined ? {} : { maxBytes });
      const registration = tools.register(tool);
      return () => {
        registration.dispose();
      };
    }, 'send-message');
  },
};
