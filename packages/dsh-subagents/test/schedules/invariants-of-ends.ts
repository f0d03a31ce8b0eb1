/** At rest and at the end: everything has settled, nothing is left, and the log is the truth. */
import { createAgentRegistry, createToolRegistry, type Agent } from '@deepseek-ai/dsh-agent';
import {
  memoryDriver,
  openSessionStore,
  type Session,
  type SessionId,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { subagentVocabulary } from '../../src/resume/descriptor.ts';
import type { Facts } from './facts.ts';
import type { Invariant, Operation } from './happening.ts';
import { heldIds, storedIds } from './medium.ts';
import type { Trial } from './trial.ts';
import { plannedFailure } from './wide-operations.ts';

/** A store that never answers is waited for by those alone who ask it, and so is a provider of one-shots. */
const readers = ['store-disposal', 'interrupt', 'host-interrupt', 'stop-children', 'prompt', 'send', 'again'];

function waitsForEver({ settings: { faulty } }: Trial, kind: string): boolean {
  if (faulty?.endless !== true) return false;
  if (kind === 'one-shot') return faulty.providers;
  return faulty.store && readers.some((reader) => kind.startsWith(reader));
}

export function everythingSettles(trial: Trial): Invariant {
  const look = (when: string): void => {
    for (const { kind, state, program, targetId } of trial.operations) {
      if (waitsForEver(trial, kind)) continue;
      if (state === 'open' && program === trial.programs)
        trial.fail(
          `[M28 M31] ${kind} of ${String(targetId)} never settled: nothing is left to wait for ${when}`,
        );
    }
  };
  return {
    rest() {
      if (trial.settings.faulty?.endless !== true) look('at rest');
    },
    end() {
      look('after the drain');
    },
  };
}

/** With nothing left to do, a child that is still live is kept by parked messages, its own or those below it. */
export function restMeansParked(trial: Trial, facts: Facts): Invariant {
  return {
    rest() {
      // What never ends keeps whom it works for.
      if (trial.settings.faulty?.endless === true) return;
      for (const agent of facts.live.values()) {
        if (agent.status === 'running') trial.fail(`[A10] ${agent.id} is running, and nothing goes on`);
        if (!facts.epochs.has(agent.id)) continue;
        const owns = [...facts.epochs.values()].some(({ parentId }) => parentId === agent.id);
        const parked = agent.inbox.list().some(({ wake }) => wake);
        if (!owns && !parked) trial.fail(`[M25] ${agent.id} is live, though nothing keeps it`);
      }
    },
  };
}

export function nothingIsLeft(trial: Trial, facts: Facts): Invariant {
  return {
    unloaded() {
      if (trial.settings.time === 'any' || trial.settings.faulty?.store === true) return;
      const kept = storedIds(trial.medium).filter((id) => trial.program.sessions.get(id) !== undefined);
      if (kept.length > 0) trial.fail(`[M29 A25] Sessions still live: ${kept.join(' ')}`);
      const held = heldIds(trial.medium);
      if (held.length > 0) trial.fail(`[M29 A25] writer's places still held: ${held.join(' ')}`);
    },
    end() {
      const { program, scheduler } = trial;
      const agents = program.agents.list().map(({ id }) => id);
      if (agents.length > 0) trial.fail(`[M29 A32] still in the registry: ${agents.join(' ')}`);
      if (facts.live.size > 0)
        trial.fail(`[M29 A32] never told to be disposed: ${[...facts.live.keys()].join(' ')}`);
      if (scheduler.pending.length > 0)
        trial.fail(`[M29] still waiting to go on: ${scheduler.pending.join(', ')}`);
    },
  };
}

const inner = ['internal-failure', 'listener-failed', 'subscriber-failed', 'write-behind'];

export function nothingFailsInside(trial: Trial): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'diagnostic') return;
      const { code, message, cause } = happening.diagnostic;
      if (inner.includes(code) && !String(cause).includes(plannedFailure))
        trial.fail(`[M29] ${code}: ${message} ${String(cause)}`);
      const { deaf, time, faulty } = trial.settings;
      if (code === 'rollback-failed' && !deaf && time === 'idle' && faulty === undefined)
        trial.fail(`[M5] ${message} ${String(cause)}`);
    },
  };
}

/** With one process alone, no place is taken but by what the runtime itself keeps. */
export function nobodyElseHoldsPlaces(trial: Trial): Invariant {
  const { kinds, time, faulty } = trial.settings;
  const shared = kinds.some((kind) => kind === 'take-over' || kind === 'crash' || kind === 'second');
  const alone = !shared && time === 'idle' && faulty === undefined;
  return {
    see(happening) {
      if (!alone || happening.at !== 'answer' || happening.operation.state !== 'refused') return;
      const { kind, targetId, error } = happening.operation;
      const { code } = (error ?? {}) as { readonly code?: unknown };
      if (code === 'SESSION_LOCKED' || code === 'BUSY_ELSEWHERE' || code === 'SESSION_LIVE')
        trial.fail(`[M5 M23] ${kind} of ${String(targetId)} was refused with ${code} in the only process`);
    },
  };
}

/** A refusal says why in a code, or is the reason of the caller's own signal. */
export function refusalsHaveCodes(trial: Trial): Invariant {
  const check = ({ kind, error, signal, state }: Operation): void => {
    if (state !== 'refused' || (signal?.aborted === true && error === signal.reason)) return;
    const { code } = (error ?? {}) as { readonly code?: unknown };
    // What a builder's own setup or disposal throws is told as it is.
    if (/^Error: a planned failure of (a setup|the disposal)/.test(String(error))) return;
    if (typeof code !== 'string' && !(error instanceof AggregateError))
      trial.fail(`[M14 M5] ${kind} was refused without a code: ${String(error)}`);
  };
  return {
    see(happening) {
      if (happening.at === 'answer') check(happening.operation);
    },
  };
}

/** What a later process reads is what memory held, and after a crash or a failed write a prefix of it. */
export function reloadEqualsMemory(trial: Trial): Invariant {
  const logs = new Map<SessionId, { readonly session: Session; whole: boolean }>();
  const spoil = (): void => {
    for (const log of logs.values()) log.whole = false;
  };
  const keep = (agent: Agent): void => {
    logs.set(agent.id, {
      session: agent.session,
      whole: !trial.settings.faults && trial.settings.time === 'idle',
    });
  };
  return {
    see(happening) {
      if (happening.at === 'created') keep(happening.agent);
      if (happening.at === 'crash') spoil();
      if (happening.at === 'call' && happening.operation.kind === 'take-over') {
        const { targetId } = happening.operation;
        const log = targetId === undefined ? undefined : logs.get(targetId);
        if (log !== undefined) log.whole = false;
      }
    },
    async end() {
      if (trial.settings.faults && trial.settings.kinds.includes('take-over')) return;
      const store = await openSessionStore({
        driver: memoryDriver({ medium: trial.medium }),
        vocabulary: subagentVocabulary,
      });
      // It teaches the store what agents write.
      createAgentRegistry({ sessions: store, tools: createToolRegistry(), models: () => undefined });
      for (const id of storedIds(trial.medium)) {
        const log = logs.get(id);
        if (log === undefined) continue;
        const records: string[] = [];
        for await (const record of store.read(id))
          records.push(JSON.stringify(record.kind === 'damaged' ? record : record.event));
        const memory = log.session.events().map((event) => JSON.stringify(event));
        // What was lost is not there, and the next opening writes in its place.
        const same = records.findIndex((record, index) => record !== memory[index]);
        const rest = same < 0 ? [] : records.slice(same);
        if (log.whole ? records.length !== memory.length || rest.length > 0 : !rest.every(isRecovery))
          trial.fail(
            `[S12 S14] the stored log of ${id} is not what memory held (${String(records.length)} of ${String(memory.length)})`,
          );
        else if (log.whole) await checkHistory(trial, store, log.session);
      }
    },
  };
}

/** What a model was shown can be shown again. */
async function checkHistory(trial: Trial, store: SessionStore, before: Session): Promise<void> {
  const after = await store.open(before.id);
  await after.ready();
  if (JSON.stringify(after.history()) !== JSON.stringify(before.history()))
    trial.fail(`[S12 S9] the history of ${before.id} is another one after a reload`);
}

/** What an opening writes that then fails: the next one finds it. */
function isRecovery(json: string): boolean {
  return /"type":"(?:session\/taken-over|tool\/result|turn\/end)"/.test(json);
}
