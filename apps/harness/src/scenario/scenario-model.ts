/**
 * One model for all agents of a scenario: each is answered from the script of its label.
 * I1. An agent has a script of its own, also beside another one with the same label.
 * I2. Every request is one that the log of its agent gives, or it fails.
 */
import type { Model, ModelEvent, ModelRequest } from '@deepseek-ai/dsh-agent';
import { modelError } from '@deepseek-ai/dsh-agent';
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from '@deepseek-ai/dsh-agent/testing';
import type { JsonValue } from '@deepseek-ai/dsh-session';
import type { Directory } from './directory.ts';
import type { Scenario, ScenarioEntry } from './schema.ts';
import type { Stage } from './stage.ts';
import { childrenNamed, substitute, type KnownIds } from './substitute.ts';
import { taskOf } from './task-of.ts';

/** The route under which a scenario's model is registered. */
export const scenarioRoute = 'scenario';

export function scenarioModel(scenario: Scenario, stage: Stage, directory: () => Directory): Model {
  const scripts = new Map<string, ScriptedModel>();
  const scriptOf = (key: string, label: string): ScriptedModel => {
    const known = scripts.get(key);
    if (known !== undefined) return known;
    const entries = (scenario.agents[label] ?? []).map(toAnswer);
    const prepare = (answer: ScriptedAnswer, request: ModelRequest): ScriptedAnswer =>
      prepared(answer, stage, idsFor(request, directory()));
    const made = scriptedModel(entries, { id: `script of ${label}`, prepare });
    scripts.set(key, made);
    return made;
  };
  return {
    id: scenarioRoute,
    async *stream(request, options): AsyncIterable<ModelEvent> {
      const problem = directory().problemOf(request);
      if (problem !== undefined) throw modelError('SCENARIO', problem, { retryable: false });
      const task = taskOf(request.messages);
      const script = scriptOf(task?.messageId ?? 'root', task?.label ?? 'root');
      if (childrenNamed(script.remaining)) await directory().refresh();
      yield* script.stream(request, options);
    },
  };
}

function idsFor(request: ModelRequest, directory: Directory): KnownIds {
  const task = taskOf(request.messages);
  return {
    parent: task?.parentId,
    self: directory.agentWith(task),
    child: (label) => directory.child(label)?.id,
  };
}

function toAnswer(entry: ScenarioEntry): ScriptedAnswer {
  // A member that is absent and one that is undefined say the same here.
  return entry as ScriptedAnswer;
}

function prepared(answer: ScriptedAnswer, stage: Stage, ids: KnownIds): ScriptedAnswer {
  try {
    return {
      ...answer,
      ...(answer.text === undefined ? {} : { text: substitute(answer.text, ids) as string }),
      ...(answer.calls === undefined
        ? {}
        : {
            calls: answer.calls.map((call) => ({ ...call, input: substitute(call.input as JsonValue, ids) })),
          }),
      ...(typeof answer.hold === 'string' ? { hold: { until: stage.hold(answer.hold) } } : {}),
    };
  } catch (cause) {
    throw modelError('SCENARIO', cause instanceof Error ? cause.message : String(cause), {
      retryable: false,
      cause,
    });
  }
}
