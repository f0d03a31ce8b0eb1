import { expect, it } from 'vitest';
import { firstPhase, reducePhase, statusOf, type Phase, type PhaseEvent } from '../src/phase.ts';

const after = (...events: readonly PhaseEvent[]): Phase => events.reduce(reducePhase, firstPhase);

it('begins no driver while held or stopped [A23][A25]', () => {
  expect(after('schedule').driver).toBe('none');
  expect(after('start', 'stop', 'schedule').driver).toBe('none');
  expect(after('start', 'schedule').driver).toBe('active');
});

it('never leaves the stop again [A23]', () => {
  expect(after('start', 'stop', 'start').life).toBe('stopped');
  expect(after('start', 'dispose', 'stop').life).toBe('disposed');
});

it('is running from acceptance to rest, whoever is to begin the driver [A9]', () => {
  expect(statusOf(after(), true)).toBe('running');
  expect(statusOf(after('start', 'schedule'), false)).toBe('running');
  expect(statusOf(after('start', 'schedule', 'rest'), false)).toBe('idle');
  expect(statusOf(after('start', 'schedule', 'stop'), true)).toBe('closing');
});
