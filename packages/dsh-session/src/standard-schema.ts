/** What this package needs of the Standard Schema specification, version 1: zod and many others keep it. */
export interface StandardSchema<Output = unknown> {
  /** The specification's own member. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a validation gives: the value, or why not. */
export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** One reason why a value was refused. */
export interface SchemaIssue {
  /** For people. */
  readonly message: string;
  /** Where in the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
