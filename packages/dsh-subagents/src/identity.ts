/** Tells the standard `send_message` tool from one of the same name, also across two installed copies (T2, M37). */
export const SEND_MESSAGE_TOOL: symbol = Symbol.for('@deepseek-ai/dsh-tool-send-message/standard');
