/**
 * New Sessions, empty or with the leading events of another one.
 * I1. What the caller gave is checked and copied before anything is awaited.
 * I2. The prefix is durable before the place is taken with it (S22).
 */
import type { WriterPlace } from '../driver.ts';
import { sessionError } from '../errors.ts';
import { createEventLog } from '../log/event-log.ts';
import type { SeedPrefix, SessionHeader } from '../header.ts';
import { checkHeader, makeHeader } from '../header-check.ts';
import { parseSessionId, type SessionId } from '../ids.ts';
import { startOutline } from '../log/outline.ts';
import type { Session, WaitOptions } from '../session.ts';
import type { CreateSessionOptions, ForkOptions } from '../store.ts';
import type { StoreContext } from './context.ts';
import { storedHeader } from './stored-log.ts';
import { makeResident, type ResidentParts } from './make-resident.ts';
import { withPlace } from './place.ts';
import { findPrefix, type FoundPrefix } from './prefix.ts';
import { reserve, settleIn } from './reserve.ts';

/** What the caller asks for, checked and copied before anything is awaited. */
interface Start {
  /** As far as it does not depend on what is stored. */
  readonly given: SessionHeader;
  readonly provisional: boolean;
  readonly signal: AbortSignal | undefined;
  readonly seed?: { readonly session: SessionId; readonly length: number | undefined } | undefined;
  /** Of the source's header, what a fork takes over. */
  readonly inherits: boolean;
}

export function create(context: StoreContext, options: CreateSessionOptions): Promise<Session> {
  const { seed } = options;
  const copy =
    seed === undefined ? undefined : { session: parseSessionId(seed.session), length: seed.length };
  return begin(context, { ...startOf(context, options), seed: copy, inherits: false });
}

export function fork(context: StoreContext, source: SessionId, options: ForkOptions): Promise<Session> {
  const seed = { session: parseSessionId(source), length: options.length };
  return begin(context, { ...startOf(context, options), seed, inherits: true });
}

function startOf(
  context: StoreContext,
  options: CreateSessionOptions,
): Pick<Start, 'given' | 'provisional' | 'signal'> {
  const { cwd, parentSession, rootSession, origin, delegationDepth, meta, provisional, signal } = options;
  const id = options.id === undefined ? context.newId() : parseSessionId(options.id);
  const fields = { cwd, parentSession, rootSession, origin, delegationDepth, meta };
  const given = makeHeader(id, context.clock.now(), fields);
  return { given, provisional: provisional === true, signal };
}

function begin(context: StoreContext, start: Start): Promise<Session> {
  const { given, seed, provisional, signal } = start;
  const { id } = given;
  if (seed?.session === id)
    throw sessionError('INVALID_PREFIX', `session ${id} not created: it cannot start with itself`);
  return reserve(context, { id, code: 'SESSION_EXISTS', what: 'created', signal }, async () => {
    const found = seed && (await findPrefix(context, seed.session, { length: seed.length, signal }));
    const header = fullHeader(start, found, await rootOf(context, given, { signal }));
    return withPlace(context, id, { intent: 'create', prefix: shared(found), signal }, (place) => {
      const parts = { ...partsOf(place, header, found), provisional };
      return settleIn(context, makeResident(context, parts), 'created');
    });
  });
}

/** A new Session over its place. Throws `INVALID_PREFIX` where the driver has taken another prefix. */
function partsOf(
  place: WriterPlace,
  header: SessionHeader,
  found: FoundPrefix | undefined,
): Omit<ResidentParts, 'provisional'> {
  const { id } = header;
  const { log, outline } = found ?? { log: createEventLog(), outline: startOutline() };
  if (place.length !== log.length)
    throw sessionError(
      'INVALID_PREFIX',
      `session ${id} not created: its place has ${place.length} events, not ${log.length}`,
    );
  return {
    ...{ place, header, log, outline },
    opening: [],
    loadRest: found === undefined ? undefined : () => found.loadRest(id),
    // The first summary of a fork goes with its header: nobody is to read a prefix only to open it.
    unsummed: log.length > 0 ? Infinity : 0,
    fresh: true,
  };
}

/** An empty prefix asks nothing of the medium. */
function shared(found: FoundPrefix | undefined): SeedPrefix | undefined {
  return found !== undefined && found.prefix.length > 0 ? found.prefix : undefined;
}

function fullHeader(
  { given: own, inherits }: Start,
  found: FoundPrefix | undefined,
  root: SessionId | undefined,
): SessionHeader {
  const { cwd, delegationDepth, meta } = inherits && found !== undefined ? found.header : {};
  const taken = Object.fromEntries(
    Object.entries({ cwd, delegationDepth, meta }).filter(([, value]) => value !== undefined),
  );
  const forked = found === undefined ? {} : { forkedFrom: found.prefix, seedLength: found.prefix.length };
  return checkHeader({ ...taken, ...own, ...(root === undefined ? {} : { rootSession: root }), ...forked });
}

/** The top of the chain above: what the parent's header says, or the parent itself where it says nothing. */
async function rootOf(
  context: StoreContext,
  header: SessionHeader,
  options: WaitOptions,
): Promise<SessionId | undefined> {
  const { parentSession, rootSession } = header;
  if (parentSession === undefined || rootSession !== undefined) return rootSession;
  const slot = context.residents.slots.get(parentSession);
  if (slot?.kind === 'live') return slot.resident.session.header.rootSession ?? parentSession;
  try {
    return (await storedHeader(context, parentSession, options)).rootSession ?? parentSession;
  } catch {
    options.signal?.throwIfAborted();
    // A parent that is gone or cannot be read still was the parent.
    return parentSession;
  }
}
