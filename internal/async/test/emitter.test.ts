import { createEmitter, type EmitterRegistration } from '@dsh-internal/async';
import { describe, expect, it } from 'vitest';

interface Events {
  ripe: { readonly fruit: string };
  rotten: undefined;
}

function setUp() {
  const reports: unknown[] = [];
  const emitter = createEmitter<Events>((cause, type) => reports.push([cause, type]));
  return { emitter, reports };
}

describe('the emitter', () => {
  it('runs the listeners of that event in the order of their registration', () => {
    const { emitter } = setUp();
    const heard: string[] = [];
    emitter.on('ripe', ({ fruit }) => heard.push(`1 ${fruit}`));
    emitter.on('rotten', () => heard.push('rotten'));
    emitter.on('ripe', ({ fruit }) => heard.push(`2 ${fruit}`));
    emitter.emit('ripe', { fruit: 'plum' });
    expect(heard).toEqual(['1 plum', '2 plum']);
  });

  it('reports what a listener throws; the others hear, and the emitter goes on', () => {
    const { emitter, reports } = setUp();
    const cause = new Error('bad');
    let heard = 0;
    emitter.on('ripe', () => {
      throw cause;
    });
    emitter.on('ripe', () => (heard += 1));
    emitter.emit('ripe', { fruit: 'plum' });
    expect(heard).toBe(1);
    expect(reports).toEqual([[cause, 'ripe']]);
  });

  it('counts what is registered or disposed during an emission from the next one on', () => {
    const { emitter } = setUp();
    const heard: string[] = [];
    let second: EmitterRegistration | undefined = undefined as EmitterRegistration | undefined;
    emitter.on('rotten', () => {
      heard.push('first');
      second?.dispose();
      emitter.on('rotten', () => heard.push('late'));
    });
    second = emitter.on('rotten', () => heard.push('second'));
    emitter.emit('rotten', undefined);
    expect(heard).toEqual(['first', 'second']);
    emitter.emit('rotten', undefined);
    expect(heard).toEqual(['first', 'second', 'first', 'late']);
  });

  it('keeps the same function registered twice as two registrations, each disposed once', () => {
    const { emitter } = setUp();
    let heard = 0;
    const listener = (): void => {
      heard += 1;
    };
    const one = emitter.on('rotten', listener);
    const two = emitter.on('rotten', listener);
    one.dispose();
    one[Symbol.dispose]();
    emitter.emit('rotten', undefined);
    expect(heard).toBe(1);
    two.dispose();
    emitter.emit('rotten', undefined);
    expect(heard).toBe(1);
  });

  it('has no listeners after clear', () => {
    const { emitter } = setUp();
    let heard = 0;
    emitter.on('rotten', () => (heard += 1));
    emitter.clear();
    emitter.emit('rotten', undefined);
    expect(heard).toBe(0);
  });
});
