/**
 * Captures a structured result: a tool of the agent's own, whose arguments are the result (M49).
 * Owns: what was delivered, and how often something else was. Does not own: when the run is over.
 * I1. The first arguments that keep the schema are the result; later ones change nothing.
 * I2. There is one repair: of arguments that do not keep the schema, or of a turn that ended without a delivery.
 */
import {
  fromJsonSchema,
  type Agent,
  type SetupScope,
  type ToolInput,
  type ToolRegistry,
} from '@deepseek-ai/dsh-agent';
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-session';
import { deliveryToolText, deliveredText, notDeliveredText } from '../wording.ts';

const deliveryTool = 'deliver_result';
const wrapped = 'result';

export interface Capture {
  readonly value: JsonValue | undefined;
  /** A turn has ended without a delivery. Says whether the repair is left for it. */
  missed(): boolean;
  register(agent: Agent, scope: SetupScope): void;
}

export function createCapture(tools: ToolRegistry, schema: JsonValue): Capture {
  let value: JsonValue | undefined;
  let attempts = 2;
  const { json, unwrap } = argumentsSchema(schema);
  const inner = fromJsonSchema<JsonValue>(json);
  const failed = { issues: [{ message: notDeliveredText() }] };
  const inputSchema: ToolInput<JsonValue> = {
    json,
    parse(given) {
      if (attempts === 0) return failed;
      const parsed = inner.parse(given);
      if (!('issues' in parsed)) return parsed;
      attempts -= 1;
      return attempts === 0 ? failed : parsed;
    },
  };
  return {
    get value() {
      return value;
    },
    missed() {
      attempts = Math.max(0, attempts - 1);
      return attempts > 0;
    },
    register(agent, scope) {
      const registration = tools.register<JsonValue>(
        {
          name: deliveryTool,
          description: deliveryToolText(),
          inputSchema,
          exclusive: true,
          execute(input) {
            value ??= unwrap(input);
            return deliveredText();
          },
        },
        agent,
      );
      scope.defer(() => {
        registration.dispose();
      });
    },
  };
}

/** Models take only objects as arguments: another schema stands under a name. */
function argumentsSchema(schema: JsonValue): { json: JsonObject; unwrap: (input: JsonValue) => JsonValue } {
  if (isObject(schema) && schema['type'] === 'object') return { json: schema, unwrap: (input) => input };
  const json = {
    type: 'object',
    properties: { [wrapped]: schema },
    required: [wrapped],
    additionalProperties: false,
  };
  return { json, unwrap: (input) => (input as JsonObject)[wrapped] ?? null };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
