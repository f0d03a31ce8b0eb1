/**
 * The front of a store: one facade over what src/front does.
 * I1. What a closing store does not admit is refused before it begins.
 * I2. Closing waits for what is being made, then ends every Session, then the driver.
 */
import { contained, memo, settleAll } from '@dsh-internal/async';
import { protocolProblem } from '@dsh-internal/contract';
import { systemClock } from './clock.ts';
import { sessionError } from './errors.ts';
import type { StoreContext } from './front/context.ts';
import { create, fork } from './front/create.ts';
import { closeSession, discard } from './front/ending.ts';
import { list, listPage } from './front/listing.ts';
import { open } from './front/open.ts';
import { exportLines, head, read, verify } from './front/reading.ts';
import { commit, createResidents, flush, residentOf } from './front/resident.ts';
import { remove, repair } from './front/upkeep.ts';
import { parseSessionId } from './ids.ts';
import { sessionIdSource } from './new-id.ts';
import { boundsOf, checkVocabulary } from './store-options.ts';
import type { SessionStore, SessionStoreOptions } from './store.ts';
import { assertOpen } from './front/store-status.ts';
import { createKnownTypes } from './log/vocabulary.ts';
import { createWriteBehind } from './writing/write-behind.ts';

/**
 * Opens a store over a driver, which then belongs to the store and is disposed with it.
 * Rejects `INCOMPATIBLE` where the driver keeps another version of the contract than this package, and
 * `INVALID_OPTION` for an option that is none; the driver is the caller's then.
 */
export async function openSessionStore(options: SessionStoreOptions): Promise<SessionStore> {
  const problem = protocolProblem(options.driver, { name: 'dsh-session/driver', version: 1 });
  if (problem !== undefined) throw sessionError('INCOMPATIBLE', `store not opened: ${problem}`);
  const context = makeContext(options);
  return makeStore(context);
}

function makeContext(options: SessionStoreOptions): StoreContext {
  const { driver, vocabulary, clock = systemClock, random, newId, onDiagnostic } = options;
  const { closeTimeoutMs, maxPendingBytes } = boundsOf(options);
  const report = contained(onDiagnostic);
  const writer = createWriteBehind({ driver, clock, random: random ?? Math.random, report, maxPendingBytes });
  return {
    driver,
    clock,
    known: createKnownTypes(vocabulary && checkVocabulary(vocabulary, 'store not opened')),
    newId: newId === undefined ? sessionIdSource(() => clock.now(), random) : () => parseSessionId(newId()),
    report,
    writer,
    residents: createResidents(),
    closeTimeoutMs,
  };
}

function makeStore(context: StoreContext): SessionStore {
  const { residents } = context;
  const admit = (what: string): void => {
    assertOpen(residents.status, what);
  };
  return {
    protocol: { name: 'dsh-session/store', version: 1 },
    create: async (createOptions = {}) => create(context, createOptions),
    fork: async (source, forkOptions = {}) => fork(context, source, forkOptions),
    open: async (id, wait = {}) => open(context, id, wait),
    repair: async (id, wait = {}) => repair(context, id, wait),
    delete: async (id, wait = {}) => remove(context, id, wait),
    commit(session) {
      admit(`session ${session.id} not committed`);
      commit(context, session);
    },
    discard(session) {
      discard(context, session);
    },
    get(id) {
      const slot = residents.slots.get(id);
      return slot?.kind === 'live' ? slot.resident.session : undefined;
    },
    async head(id, wait = {}) {
      admit(`session ${id} not read`);
      return head(context, id, wait);
    },
    async *read(id, range = {}) {
      admit(`session ${id} not read`);
      yield* read(context, id, range);
    },
    async *list(query = {}) {
      admit('nothing listed');
      yield* list(context, query);
    },
    async listPage(query = {}) {
      admit('nothing listed');
      return listPage(context, query);
    },
    flush: async (session, wait = {}) => flush(context, session, wait),
    close: async (session, wait = {}) => closeSession(residentOf(context, session, 'closed'), wait),
    async verify(id, wait = {}) {
      admit(`session ${id} not verified`);
      return verify(context, id, wait);
    },
    async *export(id, wait = {}) {
      admit(`session ${id} not exported`);
      yield* exportLines(context, id, wait);
    },
    learn(vocabulary) {
      context.known.learn(checkVocabulary(vocabulary, 'nothing learned'));
    },
    [Symbol.asyncDispose]: memo(() => closeStore(context)),
  };
}

async function closeStore({ residents, driver }: StoreContext): Promise<void> {
  residents.status = 'closing';
  const slots = [...residents.slots.values()];
  const ends = slots.map((slot) => (slot.kind === 'live' ? slot.resident.close() : slot.gone));
  const failures = await settleAll(ends);
  const last = await settleAll([driver[Symbol.asyncDispose]()]);
  residents.status = 'closed';
  const all = [...failures, ...last];
  if (all.length > 0)
    throw new AggregateError(all, `the store was closed, but ${all.length} of its parts failed`);
}
