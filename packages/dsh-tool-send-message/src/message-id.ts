/** [pure] The id under which a call's message is accepted, so that the same call is accepted once (T3). */
import type { MessageId } from '@deepseek-ai/dsh-agent';

/** What makes a call the same call. */
export interface SendCall {
  readonly sender: string;
  readonly callId: string;
  readonly target: string;
  readonly message: string;
}

/**
 * Some providers count their call ids anew in every answer. Target and text belong to the call, so that a later
 * message under a worn call id is not taken for the earlier one.
 */
export function messageIdOf({ sender, callId, target, message }: SendCall): MessageId {
  const text = JSON.stringify([sender, callId, target, message]);
  return `send_${hash(text, 0x5bd1e995)}${hash(text, 0x27d4eb2f)}` as MessageId;
}

/** 53 bits that depend on every unit of `text`; enough to tell calls apart, no protection from anybody. */
function hash(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (2 ** 32 * (low & 0x1fffff) + (high >>> 0)).toString(16).padStart(14, '0');
}
