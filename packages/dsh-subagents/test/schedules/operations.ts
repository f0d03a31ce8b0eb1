/** What agents and the test itself ask of the runtime. Every call is tracked from its span on. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';
import { routeOf } from './actors.ts';
import type { Operation } from './happening.ts';
import { depthOf } from './program.ts';
import { idOf, type Trial } from './trial.ts';

export const text = (value: string) => [{ type: 'text' as const, text: value }];

const childIds = Array.from({ length: 9 }, (_, index) => idOf(`c${String(index + 1)}`));

/** The deepest half of the time: otherwise trees stay flat. */
export function chooseAgent(trial: Trial): Agent | undefined {
  const agents = trial.program.agents.list();
  if (trial.chance('deepest', 2)) {
    const deepest = Math.max(...agents.map(depthOf));
    return agents.find((agent) => depthOf(agent) === deepest);
  }
  return trial.pick('agent', agents);
}

/** Live or stale, as an asker that the runtime has to check. */
export function chooseAsker(trial: Trial): Agent | undefined {
  return trial.chance('stale', 8) ? trial.pick('stale agent', trial.stale) : chooseAgent(trial);
}

/** Neighbours most of the time, and then anyone: self, siblings, grandparents, strangers. */
export function chooseTarget(trial: Trial, asker: Agent): SessionId {
  const { parentSession } = asker.session.header;
  switch (trial.choose('target', 4)) {
    case 0:
      return trial.pick('child', knownChildren(trial, asker.id)) ?? parentSession ?? asker.id;
    case 1:
      return parentSession ?? trial.pick('child', knownChildren(trial, asker.id)) ?? asker.id;
    case 2:
      return trial.pick('child', knownChildren(trial, asker.id)) ?? idOf('c1');
    default:
      return trial.pick('anyone', [...childIds, idOf('R'), idOf('Q'), idOf('nobody')]) ?? asker.id;
  }
}

/** Ids that were once started under this parent. */
export function knownChildren(trial: Trial, parent: SessionId): readonly SessionId[] {
  const ids = trial.operations
    .filter(({ kind, asker, state }) => kind === 'start' && asker?.id === parent && state !== 'refused')
    .map(({ targetId }) => targetId ?? parent);
  return [...new Set(ids)];
}

function chooseSignal(trial: Trial): AbortSignal | undefined {
  if (!trial.chance('with a signal', 3)) return undefined;
  const controller = new AbortController();
  trial.aborts.push(controller);
  return controller.signal;
}

/** The next free id, or now and then one that was used before. */
function chooseChildId(trial: Trial): SessionId {
  const used = trial.operations.filter(({ kind }) => kind === 'start').length;
  if (used >= childIds.length || trial.chance('id again', 6))
    return trial.pick('child id', childIds) ?? idOf('c1');
  return childIds[used] ?? idOf('c1');
}

const providers = ['spawn', 'spawn', 'fork', 'slow', 'slow'] as const;

/** Resolves with the child's id, or rejects as the runtime did. */
export function startChild(trial: Trial, parent: Agent, given?: AbortSignal): Promise<SessionId> {
  const childId = chooseChildId(trial);
  const odd = trial.settings.faulty?.providers === true ? (['odd', 'odd'] as const) : [];
  const provider = trial.pick('provider', [...providers, ...odd]) ?? 'spawn';
  const signal = given ?? chooseSignal(trial);
  const messageId = trial.newMessageId();
  return asked(trial, { kind: 'start', asker: parent, targetId: childId, messageId, signal }, async () => {
    const request = { prompt: `Task of ${childId}`, parent, model: routeOf(childId) };
    await trial.program.runtime.startContinuable({
      provider,
      label: childId,
      request,
      childId,
      messageId,
      ...(signal === undefined ? {} : { signal }),
    });
    return childId;
  });
}

export function send(trial: Trial, asker: Agent, targetId: SessionId, given?: AbortSignal): Promise<unknown> {
  const signal = given ?? chooseSignal(trial);
  const messageId = trial.newMessageId();
  return asked(trial, { kind: 'send', asker, targetId, messageId, signal }, () =>
    trial.program.runtime.sendMessage(asker, targetId, text(messageId), {
      messageId,
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

/** Tracks a call and gives its answer. The caller need not wait: the tracking hears of a failure. */
export function asked<T>(
  trial: Trial,
  about: Pick<Operation, 'kind' | 'asker' | 'targetId' | 'messageId' | 'signal'>,
  call: () => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = deferred<T>();
  promise.catch(() => undefined);
  trial.track(about, async () => {
    try {
      const value = await call();
      resolve(value);
      return value;
    } catch (error) {
      reject(error);
      throw error;
    }
  });
  return promise;
}
