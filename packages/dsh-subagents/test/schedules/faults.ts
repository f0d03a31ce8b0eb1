/**
 * Parts of the builder that go wrong: they throw, fail, come after everything else, or never end.
 * Only faulty schedules have them, so that a seed of another kind stays the schedule that it was.
 */
import type { AgentRegistry, SetupScope } from '@deepseek-ai/dsh-agent';
import type { Lifeline } from '@deepseek-ai/dsh-agent/testing';
import { sessionError, type SessionDriver } from '@deepseek-ai/dsh-session';
import type { AgentsPort, PortCreateSpec, PortHandle, PortResumeSpec } from '../../src/port.ts';
import type { SubagentProvider } from '../../src/index.ts';
import type { Trial } from './trial.ts';

type Fate = 'well' | 'throws' | 'fails' | 'late' | 'never';

const bad = ['throws', 'fails', 'late', 'never'] as const;

/** Once in `oneIn` times something bad. Where nothing is endless, what would never end is late. */
function fateOf(trial: Trial, what: string, oneIn: number): Fate {
  if (!trial.chance(`${what} goes wrong`, oneIn)) return 'well';
  const fate = trial.pick(`how ${what} goes wrong`, bad) ?? 'late';
  return fate === 'never' && trial.settings.faulty?.endless !== true ? 'late' : fate;
}

/** Longer than everything else, but not for ever. */
export function idle(trial: Trial, line: Lifeline, label: string): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      trial.tell({ at: 'lull' });
      resolve();
    };
    line.post(label, go, { idle: true });
  });
}

const forEver = (): Promise<never> => new Promise(() => undefined);
const planned = (what: string): Error => new Error(`a planned failure of ${what}`);

/** Does the work, or what its fate is. A failure comes before the work or after it. */
function suffer<T>(
  { trial, line, oneIn = 6 }: { readonly trial: Trial; readonly line: Lifeline; readonly oneIn?: number },
  what: string,
  work: () => Promise<T>,
  failure: Error = planned(what),
): Promise<T> {
  const fate = fateOf(trial, what, oneIn);
  switch (fate) {
    case 'well':
      return work();
    case 'throws':
      throw failure;
    case 'fails':
      return (async () => {
        const done = trial.chance(`${what} fails after its effect`, 2);
        if (done) await work();
        await line.task(`${what} fails`);
        throw failure;
      })();
    case 'late':
      return idle(trial, line, `${what} is late`).then(work);
    case 'never':
      return forEver();
  }
}

/** The agents with a builder's own setup, and with handles of a loop that does not end well. */
export function faultyAgents(trial: Trial, line: Lifeline, agents: AgentRegistry): AgentsPort {
  const { hooks = false, handles = false } = trial.settings.faulty ?? {};
  const over = <Spec extends PortCreateSpec | PortResumeSpec>(spec: Spec): Spec => ({
    ...spec,
    ...(hooks ? { setup: faultySetup(trial, line, spec.setup) } : {}),
    ...(handles && spec.admit !== undefined
      ? {
          admit: (handle: PortHandle) => {
            spec.admit?.(faultyHandle(trial, line, handle));
          },
        }
      : {}),
  });
  return {
    create: (spec) => agents.create(over(spec)),
    resume: (spec) => agents.resume(over(spec)),
    get: (id) => agents.get(id),
    beforeDispose: (hook) => agents.beforeDispose(hook),
    on: (type, listener) => agents.on(type, listener),
  };
}

type Setup = NonNullable<PortCreateSpec['setup']>;

function faultySetup(trial: Trial, line: Lifeline, setup: Setup | undefined): Setup {
  return (agent, scope: SetupScope) => {
    const inner = setup?.(agent, scope);
    scope.defer(() => suffer({ trial, line, oneIn: 4 }, `a disposer of ${agent.id}`, nothing));
    return suffer({ trial, line }, `a setup of ${agent.id}`, async () => inner);
  };
}

const nothing = (): Promise<void> => Promise.resolve();

function faultyHandle(trial: Trial, line: Lifeline, handle: PortHandle): PortHandle {
  const dispose = (): Promise<void> =>
    suffer({ trial, line, oneIn: 4 }, `the disposal of ${handle.agent.id}`, () => handle.dispose());
  return {
    agent: handle.agent,
    start: () => {
      handle.start();
    },
    stop: (cause) => handle.stop(cause),
    dispose,
    abandon: () => handle.abandon?.(),
    [Symbol.asyncDispose]: dispose,
  };
}

const writing = ['take', 'append', 'release', 'head'] as const;

/** A store whose calls come late, fail also where a place is given back, or never end. */
export function faultyDriver(trial: Trial, line: Lifeline, driver: SessionDriver): SessionDriver {
  if (trial.settings.faulty?.store !== true) return driver;
  return new Proxy(driver, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      const method = writing.find((one) => one === key);
      if (typeof member !== 'function' || method === undefined) return member;
      return (...args: unknown[]): Promise<unknown> =>
        suffer(
          { trial, line, oneIn: 12 },
          `a store's ${method}`,
          () => Reflect.apply(member, target, args) as Promise<unknown>,
          sessionError('NOT_DURABLE', `a planned failure of ${method}`),
        );
    },
  });
}

/** It prepares nothing that anybody could use, or too late; a one-shot of it may come to nothing. */
export function oddProvider(trial: Trial, line: Lifeline): SubagentProvider {
  const context = { trial, line, oneIn: 2 };
  return {
    name: 'odd',
    capabilities: { outputSchema: false, depthLimit: true, toolFilter: true, persona: true },
    start: (request) => suffer(context, 'a start of a provider', () => request.runAgent({})),
    prepareContinuable: () =>
      suffer(context, 'a preparation', async () =>
        trial.chance('prepares nonsense', 4) ? (undefined as never) : {},
      ),
  };
}
