/**
 * A model whose request and events are steps of a scheduler.
 * I1. Each event is a step before it is given out; an abort that came meanwhile is thrown in its place.
 */
import type { Model, ModelEvent, ModelRequest } from '../model.ts';
import type { SeededScheduler } from './seeded-scheduler.ts';

/** Lets `scheduler` decide when each event of `model` arrives. `label` (default: the model's id) stands in the trace. */
export function scheduledModel(
  model: Model,
  scheduler: SeededScheduler,
  { label = model.id }: { readonly label?: string } = {},
): Model {
  async function* events(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    await scheduler.task(`${label} request`);
    signal.throwIfAborted();
    for await (const event of model.stream(request, { signal })) {
      await scheduler.task(`${label} ${event.type}`);
      signal.throwIfAborted();
      yield event;
    }
    await scheduler.task(`${label} end`);
  }
  return { id: model.id, stream: (request, { signal }) => events(request, signal) };
}
