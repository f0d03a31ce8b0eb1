/**
 * The loaded plugins.
 * Owns: the order of loading and of unloading.  Does not own: what a plugin makes and disposes.
 * I1. Unloading goes in reverse order, each plugin awaited before the next: a container that is disposed as a
 *     whole starts its disposers in order, but waits for none of them.
 * I2. With a plugin goes what needs it, before it; loading it again brings that back, after it.
 * I3. One thing at a time: what is asked for meanwhile waits its turn. After `stop` nothing is loaded.
 * I4. A plugin that comes or goes for too long is given up: none holds up the others for ever.
 * I5. A name and a service are one plugin's only, so that what is unloaded and what is needed is never in doubt.
 */
import type { Context, Plugin } from '@deepseek-ai/cordis';
import { diagnosticsOf } from '../plugins/diagnostics.ts';
import { UsageError } from '../run/usage-error.ts';
import { withinTime } from './within-time.ts';

export interface PluginRack {
  /** The names of what is loaded, in the order of loading. */
  readonly names: readonly string[];
  /**
   * Rejects where a service is missing that the plugin needs, where its name or a service of it is taken, with what
   * the plugin says, and where it is given up (I4). Nothing of it is left then, as far as it can be unloaded.
   */
  readonly load: <T>(plugin: Plugin.Object<T>, options: T) => Promise<void>;
  /** Unloads a plugin, with what needs it (I2). Rejects where none has that name. */
  readonly unload: (name: string) => Promise<void>;
  /** Loads again what `unload` has taken away. Rejects as `load` does; what was brought back by then stays. */
  readonly reload: (name: string) => Promise<void>;
  /** Unloads everything. Memoized. What is given up (I4) is told as a diagnostic. */
  readonly stop: () => Promise<void>;
}

interface Slot {
  readonly name: string;
  readonly needs: readonly string[];
  readonly provides: readonly string[];
  readonly open: () => Promise<() => Promise<void>>;
  dispose?: (() => Promise<void>) | undefined;
  /** The plugin with which it was unloaded. */
  goneWith?: string | undefined;
}

/** Whether `work` has ended before it is given up. */
export type Patience = (work: PromiseLike<unknown>) => Promise<boolean>;

/** Longer than the runtime of children takes at most to drain them. */
const aMinute: Patience = (work) => withinTime(work, 60_000);

export function createPluginRack(ctx: Context, patience: Patience = aMinute): PluginRack {
  const slots: Slot[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let stopping: Promise<void> | undefined;
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
  const open = async (slot: Slot): Promise<void> => {
    if (stopping !== undefined) throw new Error(`the plugin ${slot.name} was not loaded: the program stops`);
    const missing = slot.needs.find((service) => ctx.reflect.get(service) === undefined);
    if (missing !== undefined)
      throw new UsageError(`the plugin ${slot.name} needs ${missing}, which no plugin before it provides`);
    slot.dispose = await slot.open();
    slot.goneWith = undefined;
  };
  const close = (going: readonly Slot[], goneWith: string): Promise<void> =>
    closeAll(going, goneWith, async (slot, dispose) => {
      if (await patience(dispose())) return;
      const message = `the plugin ${slot.name} does not end: what is unloaded after it does not wait for it`;
      diagnosticsOf(ctx)({ code: 'plugin-left-behind', level: 'error', message });
    });
  return {
    get names() {
      return slots.filter(({ dispose }) => dispose !== undefined).map(({ name }) => name);
    },
    load: (plugin, options) =>
      inTurn(async () => {
        const slot = slotFor(ctx, plugin, options, patience);
        refuseTaken(slots, slot);
        await open(slot);
        slots.push(slot);
      }),
    unload: (name) =>
      inTurn(async () => {
        const slot = slots.find((one) => one.name === name && one.dispose !== undefined);
        if (slot === undefined) throw new Error(`no plugin ${name} is loaded`);
        await close(slots.filter(whatNeeds(slots, slot)), name);
      }),
    reload: (name) =>
      inTurn(async () => {
        for (const slot of slots) if (slot.goneWith === name) await open(slot);
      }),
    stop: () => (stopping ??= inTurn(() => close(slots, ''))),
  };
}

function slotFor<T>(ctx: Context, plugin: Plugin.Object<T>, options: T, patience: Patience): Slot {
  const { name = 'a plugin without a name', inject = [], provide = [] } = plugin;
  const provides = [provide].flat();
  return {
    name,
    needs: Array.isArray(inject) ? inject.map(String) : [],
    provides,
    async open() {
      const fiber = ctx.plugin(plugin, options);
      let ready = true;
      try {
        ready = await patience(fiber.await());
        if (!ready)
          throw new UsageError(`the plugin ${name} is not ready after a long time: its apply does not end`);
        const absent = provides.find((service) => ctx.reflect.get(service) === undefined);
        if (absent !== undefined)
          throw new UsageError(`the plugin ${name} says that it provides ${absent}, and does not`);
      } catch (error) {
        // What is not ready goes when it is.
        const gone = fiber.dispose();
        if (ready) await patience(gone);
        throw error;
      }
      return () => fiber.dispose();
    },
  };
}

function refuseTaken(slots: readonly Slot[], { name, provides }: Slot): void {
  if (slots.some((one) => one.name === name))
    throw new UsageError(`another plugin has the name ${name}: give it a name of its own`);
  for (const service of provides) {
    const other = slots.find((one) => one.provides.includes(service));
    if (other !== undefined)
      throw new UsageError(`the plugin ${name} provides ${service}, and so does the plugin ${other.name}`);
  }
}

/** A plugin, and what needs a service of it or of another one that goes with it. */
function whatNeeds(slots: readonly Slot[], first: Slot): (slot: Slot) => boolean {
  const going = new Set([first]);
  for (const slot of slots) {
    const gone = [...going].flatMap(({ provides }) => provides);
    if (slot.needs.some((service) => gone.includes(service))) going.add(slot);
  }
  return (slot) => going.has(slot);
}

async function closeAll(
  slots: readonly Slot[],
  goneWith: string,
  close: (slot: Slot, dispose: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const slot of slots.toReversed()) {
    const { dispose } = slot;
    if (dispose === undefined) continue;
    slot.dispose = undefined;
    slot.goneWith = goneWith;
    await close(slot, dispose);
  }
}
