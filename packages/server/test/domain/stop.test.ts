import { expect, test } from 'vitest';
import { LateAbort } from '../../src/domain/late-abort.ts';

test('a signal that is read before the abort aborts with its reason', () => {
  const gone = new LateAbort();
  const { signal } = gone;
  expect([gone.aborted, signal.aborted]).toEqual([false, false]);
  gone.abort('first');
  gone.abort('second');
  expect([gone.aborted, signal.aborted, signal.reason]).toEqual([true, true, 'first']);
});

test('a signal that is read after the abort is aborted with its reason', () => {
  const gone = new LateAbort();
  gone.abort('first');
  expect([gone.signal.aborted, gone.signal.reason]).toEqual([true, 'first']);
});
