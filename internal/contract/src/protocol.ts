/** Which contract a long-lived object keeps. It changes only when old consumers can no longer use the object. */
export interface ProtocolMark {
  readonly name: string;
  readonly version: number;
}

/** What stands in the way of using `object` as a `wanted`, as a sentence; nothing where it fits. */
export function protocolProblem(object: unknown, wanted: ProtocolMark): string | undefined {
  const found = (object as { readonly protocol?: Partial<ProtocolMark> } | null | undefined)?.protocol;
  if (found?.name === wanted.name && found.version === wanted.version) return undefined;
  const seen =
    found === undefined ? 'an object without a protocol' : `${String(found.name)} ${String(found.version)}`;
  return `expected ${wanted.name} ${String(wanted.version)}, got ${seen}`;
}
