/** Whether what a model is asked with is what the log of the asking agent gives (A13). */
import type { JsonValue, Message, SessionEvent } from '@deepseek-ai/dsh-session';
import type { Agent } from '../agent.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Model, ModelRequest } from '../model.ts';
import { lastRequestHead } from '../request.ts';

/**
 * Says what in `request` does not equal, as canonical JSON, what is rebuilt from the log of the agent that asks;
 * nothing where all does. `agents` are the live ones: the one that asks is found by its history.
 */
export function requestProblem(request: ModelRequest, agents: readonly Agent[]): string | undefined {
  const asking = agents.find((agent) => historyOf(agent) === request.messages);
  if (asking === undefined) return 'a request shows what is the history of no live agent';
  const events = asking.session.events();
  const { model, effort } = asking.options;
  const head = lastRequestHead(events);
  const sent = { route: request.route, effort: request.effort, system: request.system, tools: request.tools };
  const rebuilt = { route: model, effort, system: head?.system, tools: head?.tools };
  if (!isEqual(sent, rebuilt)) return `what stands before the messages of ${asking.id} is not in its log`;
  const messages = messagesOf(events);
  const count = Math.max(messages.length, request.messages.length);
  for (let index = 0; index < count; index += 1) {
    if (!isEqual(messages[index], request.messages[index]))
      return `message ${index} that ${asking.id} shows is not what its log says`;
  }
  return undefined;
}

/** The same model, which fails with what {@link requestProblem} says, so that the turn ends with an error. */
export function checkedModel(model: Model, agents: () => readonly Agent[]): Model {
  return {
    id: model.id,
    stream(request, options) {
      const problem = requestProblem(request, agents());
      if (problem !== undefined) throw new Error(problem);
      return model.stream(request, options);
    },
  };
}

/** Who asks has a loaded history. */
function historyOf({ session }: Agent): readonly Message[] | undefined {
  try {
    return session.history();
  } catch {
    return undefined;
  }
}

/** A second way from the events to the messages, which shares nothing with the first. */
function messagesOf(events: readonly SessionEvent[]): readonly Message[] {
  let shown: readonly { readonly seq: number; readonly message: Message }[] = [];
  let added: { readonly seq: number; readonly message: Message }[] = [];
  for (const event of events) {
    const { seq } = event;
    switch (event.type) {
      case 'user/message':
      case 'assistant/message':
      case 'tool/result':
        added.push({ seq, message: event.data });
        break;
      case 'history/replaced': {
        const { upTo, messages } = event.data;
        const first = messages.map((message) => ({ seq: upTo - 1, message }));
        shown = [...first, ...[...shown, ...added].filter((one) => one.seq >= upTo)];
        added = [];
        break;
      }
      default:
        break;
    }
  }
  return [...shown, ...added].map(({ message }) => message);
}

function isEqual(one: object | undefined, other: object | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && canonical(one) === canonical(other);
}

/** Without the members that JSON leaves out. */
function canonical(value: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue);
}
