/** Makes the arguments of a tool from a schema that its author has already. */
import { Validator } from '@cfworker/json-schema';
import { freezeJson, type JsonObject, type JsonValue, type StandardSchema } from '@deepseek-ai/dsh-session';
import { agentError } from './errors.ts';
import type { Issues, ToolInput } from './tool.ts';

/** The part of a Standard Schema that can say itself as JSON Schema: zod from 4.2 on and others have it. */
interface JsonSchemaTrait {
  readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => unknown };
}

/**
 * Arguments checked by a Standard Schema with synchronous validation: zod, Valibot, ArkType and others.
 * `json` is what the model sees; it may be left out where the schema can say itself as JSON Schema.
 * Throws `INVALID_TOOL` where it cannot.
 */
export function fromStandardSchema<Output>(
  schema: StandardSchema<Output>,
  options: { readonly json?: JsonObject } = {},
): ToolInput<Output> {
  const standard = schema['~standard'];
  return {
    json: options.json === undefined ? ownJsonSchema(standard) : freezeJson(options.json),
    parse(value) {
      const result = standard.validate(value);
      if (result instanceof Promise)
        return { issues: [{ message: 'the schema is asynchronous: it cannot check' }] };
      if (result.issues === undefined) return { value: result.value };
      return {
        issues: result.issues.map(({ message, path }) => ({ message, path: (path ?? []).map(pathKey) })),
      };
    },
  };
}

function ownJsonSchema(standard: object): JsonValue {
  const { jsonSchema } = standard as JsonSchemaTrait;
  if (jsonSchema === undefined) {
    throw agentError(
      'INVALID_TOOL',
      'no tool input made: the schema cannot say itself as JSON Schema; give `json`',
    );
  }
  try {
    const whole = jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject;
    // A name of the dialect is of no use to a model.
    return freezeJson(Object.fromEntries(Object.entries(whole).filter(([key]) => key !== '$schema')));
  } catch (cause) {
    throw agentError('INVALID_TOOL', 'no tool input made: the schema has no JSON Schema', { cause });
  }
}

function pathKey(step: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof step === 'object' ? step.key : step;
  return typeof key === 'symbol' ? key.toString() : key;
}

/** Arguments checked by a JSON Schema (2020-12). */
export function fromJsonSchema<I = JsonObject>(schema: JsonObject): ToolInput<I> {
  const json = freezeJson(schema);
  // The validator notes things in the schema that it is given.
  const validator = new Validator(structuredClone(json), '2020-12', false);
  return {
    json,
    parse(value): { readonly value: I } | Issues {
      const { valid, errors } = validator.validate(value);
      if (valid) return { value: value as I };
      // The last error is the deepest: the ones before it only say that something below them failed.
      const issues = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items');
      return {
        issues: issues.map(({ instanceLocation, error }) => ({
          message: error,
          path: pointer(instanceLocation),
        })),
      };
    },
  };
}

/** `#/a/0` as its steps. */
function pointer(location: string): readonly string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}
