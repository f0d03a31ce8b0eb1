import { describe, expect, it } from 'vitest';
import { stopOnSignals, type StopSignal } from '../../src/app/stop-on-signals.ts';
import { dsh, scenarioFile, temporaryFolder } from '../command-line.ts';
import { jsonLines } from '../stable-transcript.ts';

function fakeProcess() {
  const listeners = new Map<StopSignal, () => void>();
  const exits: number[] = [];
  return {
    exits,
    listeners,
    on: (signal: StopSignal, listener: () => void) => listeners.set(signal, listener),
    off: (signal: StopSignal) => listeners.delete(signal),
    exit: (code: number) => exits.push(code),
  };
}

describe('signals', () => {
  it('the first one asks to stop, the second one ends the process with the code of the first [H3]', () => {
    const target = fakeProcess();
    const stops: string[] = [];
    const registration = stopOnSignals(target, (signal) => stops.push(signal));
    target.listeners.get('SIGTERM')?.();
    expect([stops, target.exits]).toEqual([['SIGTERM'], []]);
    target.listeners.get('SIGINT')?.();
    expect([stops, target.exits]).toEqual([['SIGTERM'], [143]]);
    registration.dispose();
    expect(target.listeners.size).toBe(0);
  });

  const codes: readonly [StopSignal, number][] = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ];
  it.each(codes)(
    '%s in the middle of a run unwinds it, with a summary at its end [H3 H5]',
    async (signal, code) => {
      using folder = temporaryFolder();
      let send: (signal: StopSignal) => void = () => {};
      const ended = await dsh(
        ['run', '--scenario', scenarioFile('killed'), '--store', folder.path, '--json'],
        {
          onStart: (given) => (send = given),
          onText: (text) => {
            if (text.includes('"Noted."')) send(signal);
          },
        },
      );
      expect([ended.code, ended.exits, ended.err]).toEqual([code, [], '']);
      const lines = jsonLines(ended.out);
      expect(lines.at(-1)).toMatchObject({ type: 'summary', outcome: signal, exitCode: code });
      // The child was drained before that.
      expect(lines.some(({ type, outcome }) => type === 'subagent/end' && outcome === 'aborted')).toBe(true);
    },
  );
});
