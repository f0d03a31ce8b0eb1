/** The one message tool between a parent and its continuable children. */
export { sendMessageTool, type SendMessageInput, type SendMessageOptions } from './send-message-tool.ts';
