/** What a driver says of itself. */
import assert from 'node:assert/strict';
import type { Group } from '../medium.ts';

export const manifestGroups: readonly Group[] = [
  {
    name: 'manifest',
    cases: {
      'keeps this version of the contract': async (medium) => {
        const driver = await medium.driver();
        assert.equal(driver.protocol.name, 'dsh-session/driver');
        assert.equal(driver.protocol.version, 1);
      },
      'says what the medium supports, and the same each time': async (medium) => {
        const [one, two] = [(await medium.driver()).manifest, (await medium.driver()).manifest];
        assert.deepEqual(one, two);
        assert.equal(typeof one.name, 'string');
        for (const flag of ['outlivesProcess', 'sharesPrefix', 'fences'] as const)
          assert.equal(typeof one[flag], 'boolean');
      },
      'a medium that fences can let a lease run out [S21]': async (medium) => {
        const { manifest } = await medium.driver();
        if (manifest.fences) assert.equal(typeof medium.expire, 'function');
      },
    },
  },
];
