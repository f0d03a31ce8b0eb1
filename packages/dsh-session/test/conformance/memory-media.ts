import { memoryDriver, memoryMedium, type MemoryDriver } from '@deepseek-ai/dsh-session';
import type { Medium } from '@deepseek-ai/dsh-session/conformance';

/** The memory driver as a medium of the suite. */
export async function openMemory(): Promise<Medium> {
  const medium = memoryMedium();
  const processes: MemoryDriver[] = [];
  const start = (): MemoryDriver => {
    const driver = memoryDriver({ medium });
    processes.push(driver);
    return driver;
  };
  return {
    driver: async () => start(),
    reopen: async () => {
      for (const driver of processes) driver.crash();
      return start();
    },
    damage: async (id, kind, seq) => {
      medium.damage(id, kind, seq);
    },
    expire: async (id) => {
      medium.expire(id);
    },
  };
}
