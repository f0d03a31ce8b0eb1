import { describe, expect, it } from 'vitest';
import { conditionOf, ownedOf, type ActivationFacts } from '../../src/activation/condition.ts';

const quiet: ActivationFacts = {
  phase: 'resident',
  busy: false,
  parkedWork: false,
  held: false,
  owned: 'none',
};

describe('the condition of an Activation [M25]', () => {
  it.each([
    ['nothing keeps it', {}, 'settled'],
    ['its agent runs', { busy: true }, 'running'],
    ['it owns a child that runs', { owned: 'active' }, 'waiting'],
    ['its agent runs beside a child', { busy: true, owned: 'active' }, 'running'],
    ['parked work waits', { parkedWork: true }, 'parked'],
    ['parked work waits beside a child that runs', { parkedWork: true, owned: 'active' }, 'waiting'],
    ['it owns children that are parked', { owned: 'parked' }, 'parked'],
    ['an operation holds it', { held: true }, 'running'],
    ['it starts', { phase: 'starting', busy: true }, 'starting'],
    ['it closes', { phase: 'closing', busy: true, owned: 'active' }, 'closing'],
  ] as const)('%s: %o is %s', (_name, facts, condition) => {
    expect(conditionOf({ ...quiet, ...facts })).toBe(condition);
  });

  it('counts a parked child as no running one, and any other as one', () => {
    expect(ownedOf([])).toBe('none');
    expect(ownedOf(['parked', 'parked'])).toBe('parked');
    expect(ownedOf(['parked', 'closing'])).toBe('active');
    expect(ownedOf(['settled'])).toBe('active');
  });
});
