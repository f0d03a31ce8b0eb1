import { describe, expect, it } from 'vitest';
import { createGate } from '../../src/admission/gate.ts';
import { id } from '../rig/world.ts';

const lineage = [id('child'), id('parent'), id('root')];

describe('the gate', () => {
  it('closes below a root for every depth, and for nobody else [M42]', () => {
    const gate = createGate();
    gate.closeBelow({ id: id('root') });
    expect(gate.closedOver(lineage)).toBe(true);
    expect(gate.closedOver([id('root')])).toBe(true);
    expect(gate.closedOver([id('other')])).toBe(false);
  });

  it('opens for a namesake when the exact root has left [M42]', () => {
    const gate = createGate();
    const root = { id: id('root') };
    gate.closeBelow(root);
    gate.forget({ id: id('root') });
    expect(gate.closedOver(lineage)).toBe(true);
    gate.forget(root);
    expect(gate.closedOver(lineage)).toBe(false);
  });

  it('never opens again once it is closed for everything [M41]', () => {
    const gate = createGate();
    gate.closeAll();
    gate.forget({ id: id('root') });
    expect(gate.closedOver([])).toBe(true);
  });
});
