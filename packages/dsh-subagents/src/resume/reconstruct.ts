/**
 * [pure] Whether and from what a stored child can be made resident again (M10, M11).
 */
import type { SessionEvent, SessionHead } from '@deepseek-ai/dsh-session';
import { childDescriptor, type ChildDescriptor } from './descriptor.ts';

export type Reconstruction =
  | { readonly kind: 'ok'; readonly descriptor: ChildDescriptor }
  /** `reason` goes on after "it cannot be resumed: ". */
  | { readonly kind: 'not-resumable'; readonly reason: string };

export type UsableDescriptor =
  | { readonly kind: 'ok'; readonly descriptor: ChildDescriptor }
  /** `reason` is a phrase. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** One-shot children have a descriptor too, and are never resumed. */
export function reconstruct(head: SessionHead): Reconstruction {
  const reading = readDescriptor(head);
  if (reading.kind === 'unusable') return { kind: 'not-resumable', reason: reading.reason };
  if (reading.descriptor.mode === 'continuable') return reading;
  return { kind: 'not-resumable', reason: 'it was a one-shot child' };
}

/** The descriptor of a child of either mode. */
export function readDescriptor(head: SessionHead): UsableDescriptor {
  const reading = childDescriptor.read(head);
  switch (reading.kind) {
    case 'ok':
      return { kind: 'ok', descriptor: reading.value };
    case 'none':
      return unusable('it has no descriptor');
    case 'unsupported':
      return unusable(`its descriptor has version ${reading.version}, which this program does not know`);
    case 'malformed':
      return unusable(`its descriptor is malformed (${reading.issues.map(issueText).join('; ')})`);
  }
}

/**
 * The system prompt of the last request in the first `seedLength` events; nothing where none was made, or none was sent.
 * A request header that came back names only its hash: the bytes stand in an earlier one.
 */
export function inheritedSystem(events: readonly SessionEvent[], seedLength: number): string | undefined {
  let hash: string | undefined;
  for (let index = Math.min(seedLength, events.length) - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event?.type !== 'request/header') continue;
    hash ??= event.data.hash;
    if (event.data.hash === hash && event.data.content !== undefined) return event.data.content.system;
  }
  return undefined;
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function issueText({ message, path = [] }: Issue): string {
  const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}

function unusable(reason: string): UsableDescriptor {
  return { kind: 'unusable', reason };
}
