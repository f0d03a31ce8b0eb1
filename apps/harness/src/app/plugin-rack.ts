/**
 * The loaded plugins.
 * Owns: the order of loading and of unloading.  Does not own: what a plugin makes and disposes.
 * I1. Unloading goes in reverse order, each plugin awaited before the next: a container that is disposed as a
 *     whole starts its disposers in order, but waits for none of them.
 * I2. With a plugin goes what needs it, before it; loading it again brings that back, after it.
 * I3. One thing at a time: what is asked for meanwhile waits its turn. After `stop` nothing is loaded.
 */
import type { Context, Plugin } from '@deepseek-ai/cordis';
import { UsageError } from '../run/usage-error.ts';

export interface PluginRack {
  /** The names of what is loaded, in the order of loading. */
  readonly names: readonly string[];
  /** Rejects where a service is missing that the plugin needs, and with what the plugin says. */
  readonly load: <T>(plugin: Plugin.Object<T>, options: T) => Promise<void>;
  /** Unloads a plugin, with what needs it (I2). Rejects where none has that name. */
  readonly unload: (name: string) => Promise<void>;
  /** Loads again what `unload` has taken away. */
  readonly reload: (name: string) => Promise<void>;
  /** Unloads everything. Memoized. */
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

export function createPluginRack(ctx: Context): PluginRack {
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
      throw new UsageError(`the plugin ${slot.name} needs ${missing}, which no plugin provides`);
    slot.dispose = await slot.open();
    slot.goneWith = undefined;
  };
  return {
    get names() {
      return slots.filter(({ dispose }) => dispose !== undefined).map(({ name }) => name);
    },
    load: (plugin, options) =>
      inTurn(async () => {
        const slot = slotFor(ctx, plugin, options);
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

function slotFor<T>(ctx: Context, plugin: Plugin.Object<T>, options: T): Slot {
  const { name = 'a plugin without a name', inject = [], provide = [] } = plugin;
  return {
    name,
    needs: Array.isArray(inject) ? inject.map(String) : [],
    provides: [provide].flat(),
    async open() {
      const fiber = ctx.plugin(plugin, options);
      try {
        await fiber;
      } catch (error) {
        await fiber.dispose();
        throw error;
      }
      return () => fiber.dispose();
    },
  };
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

async function close(slots: readonly Slot[], goneWith: string): Promise<void> {
  for (const slot of slots.toReversed()) {
    const { dispose } = slot;
    if (dispose === undefined) continue;
    slot.dispose = undefined;
    slot.goneWith = goneWith;
    await dispose();
  }
}
