import type { SessionId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createStage } from '../../src/scenario/stage.ts';

const child = (name: string, label = name) => ({
  id: name as SessionId,
  parentId: 'root' as SessionId,
  label,
});

it('knows the child that was started last under a label, and how often it has ended [H11]', () => {
  const stage = createStage();
  stage.childStarted(child('one', 'pears'));
  stage.childStarted(child('two', 'pears'));
  expect(stage.child('pears')).toMatchObject({ id: 'two', live: true, ended: 0 });
  stage.childEnded('one' as SessionId);
  stage.childStarted(child('one', 'pears'));
  expect(stage.child('pears')).toMatchObject({ id: 'one', live: true, ended: 1 });
  expect(stage.child('plums')).toBeUndefined();
});

it('looks at a wait after each change, and at once [H11]', async () => {
  const stage = createStage();
  const seen: string[] = [];
  const wait = stage.until(() => stage.child('pears')?.live === false);
  wait.reached.then(
    () => seen.push('settled'),
    () => {},
  );
  stage.childStarted(child('pears'));
  await Promise.resolve();
  expect(seen).toEqual([]);
  stage.childEnded('pears' as SessionId);
  await wait.reached;
  expect(seen).toEqual(['settled']);
  await stage.until(() => true).reached;
});

it('tells that a stream stands at a hold, and keeps a released hold open [H11]', async () => {
  const stage = createStage();
  const hold = stage.hold('x');
  expect(stage.isHeld('x')).toBe(false);
  const passed = Promise.resolve(hold);
  await Promise.resolve();
  expect(stage.isHeld('x')).toBe(true);
  stage.release('x');
  await passed;
  await stage.hold('x');
});
