/**
 * The live agents of a program: creation, lookup, and their end together.
 * Owns: the services that agents share, the order of the registry's disposal (A32).
 */
import { newMessageId, type MessageId, type OnDiagnostic, type Session } from '@deepseek-ai/dsh-session';
import { contained, createEmitter, memo, settleAll } from '@dsh-internal/async';
import { protocolProblem } from '@dsh-internal/contract';
import type { RegistryServices } from './core.ts';
import { agentError } from './errors.ts';
import { establish, type EstablishDeps, type SessionPlan } from './establish.ts';
import type { AgentEventMap } from './events.ts';
import { inboxVocabulary } from './inbox-events.ts';
import { createModelLimiter } from './limiter.ts';
import {
  checkCreateSpec,
  checkFunction,
  checkObject,
  checkOptions,
  checkResumeSpec,
  limitsOf,
} from './options.ts';
import type { AgentCreateSpec, AgentRegistry, AgentRegistryOptions, AgentResumeSpec } from './registry.ts';
import { createResidents, type Residents } from './residents.ts';
import { waitingClock } from './waiting-clock.ts';

/**
 * Makes a registry over a store, models and tools, which stay the caller's.
 * Throws `INCOMPATIBLE` where the store or the tools keep another version of their contract, and `INVALID_OPTION` for an
 * option that is none.
 */
export function createAgentRegistry(options: AgentRegistryOptions): AgentRegistry {
  checkObject('registry not created', 'options', options);
  checkProtocol(options.sessions, 'dsh-session/store');
  checkProtocol(options.tools, 'dsh-agent/tools');
  checkOptions(options);
  options.sessions.learn(inboxVocabulary);
  const report = contained(options.onDiagnostic);
  const emitter = createEmitter<AgentEventMap>((cause, type) => {
    report({ code: 'listener-failed', level: 'error', message: `a listener of ${type} failed`, cause });
  });
  const services = makeServices(options, report, (type, event) => {
    emitter.emit(type, event);
  });
  const residents = createResidents();
  const deps: EstablishDeps = {
    services,
    residents,
    hooks: options.hooks,
    defaults: { ...options.defaults },
  };
  const beforeDispose: (() => Promise<void>)[] = [];

  return {
    protocol: { name: 'dsh-agent/registry', version: 1 },
    create: async (spec = {}) => establish(deps, spec, creation(services, spec)),
    resume: async (spec) => establish(deps, spec, resumption(services, spec)),
    get: (id) => residents.get(id),
    list: () => residents.list(),
    beforeDispose(hook) {
      checkFunction('nothing registered', 'the hook', hook);
      // A wrapper of its own, so that the same hook registered twice is two registrations.
      const own = () => hook();
      beforeDispose.push(own);
      const dispose = (): void => {
        const index = beforeDispose.indexOf(own);
        if (index >= 0) beforeDispose.splice(index, 1);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
    on(type, listener) {
      checkFunction('nobody registered', 'the listener', listener);
      return emitter.on(type, listener);
    },
    [Symbol.asyncDispose]: memo(async () => {
      await disposeRegistry(residents, beforeDispose);
      emitter.clear();
    }),
  };
}

async function disposeRegistry(residents: Residents, hooks: readonly (() => Promise<void>)[]): Promise<void> {
  residents.close();
  const failures: unknown[] = [];
  for (const hook of hooks.toReversed()) failures.push(...(await settleAll([(async () => hook())()])));
  await settleAll(residents.onTheWay());
  const handles = residents.handles().toReversed();
  for (const handle of handles) handle.stop('disposed');
  for (const handle of handles) await handle.dispose();
  if (failures.length > 0) {
    throw new AggregateError(
      failures,
      `the registry was disposed, but ${failures.length} hooks before that failed`,
    );
  }
}

function creation({ sessions }: RegistryServices, spec: AgentCreateSpec): SessionPlan {
  checkCreateSpec(spec);
  const { id, cwd, parentSession, rootSession, origin, delegationDepth, meta, seed, provisional } = spec;
  const fields = { id, cwd, parentSession, rootSession, origin, delegationDepth, meta, seed, provisional };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    id,
    inbox: spec.inbox ?? 'process',
    open: (signal) => sessions.create({ ...given, signal }),
    giveUp: (session) => (provisional === true ? discard(session) : sessions.close(session)),
  };

  // `admit` may have committed it before the creation failed.
  async function discard(session: Session): Promise<void> {
    try {
      sessions.discard(session);
    } catch {
      await sessions.close(session);
    }
  }
}

function resumption({ sessions }: RegistryServices, spec: AgentResumeSpec): SessionPlan {
  checkResumeSpec(spec);
  const { id } = spec;
  return {
    id,
    open: (signal) => sessions.open(id, { signal }),
    giveUp: (session) => sessions.close(session),
  };
}

function makeServices(
  options: AgentRegistryOptions,
  report: OnDiagnostic,
  publish: RegistryServices['publish'],
): RegistryServices {
  const {
    sessions,
    models,
    tools,
    clock = waitingClock,
    random = Math.random,
    checkpoint = 'turn',
  } = options;
  const limits = limitsOf(options.limits);
  const limiter = createModelLimiter({ limit: limits.modelCalls, clock });
  return {
    sessions,
    models,
    tools,
    limits,
    limiter,
    checkpoint,
    clock,
    random,
    newMessageId: ids(options.newId),
    report,
    publish,
  };
}

function checkProtocol(object: unknown, name: string): void {
  const problem = protocolProblem(object, { name, version: 1 });
  if (problem !== undefined) throw agentError('INCOMPATIBLE', `registry not created: ${problem}`);
}

function ids(newId: (() => string) | undefined): () => MessageId {
  return newId === undefined ? newMessageId : () => newId() as MessageId;
}
