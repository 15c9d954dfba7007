import { type Abortable, openQueue } from '@locmetrics/core/runtime/queue';
import { Stop } from '@locmetrics/core/runtime/stop';
import { expect, test } from 'vitest';

const FULL = { waitingMax: 2, full: () => new Error('full') };

test('the first waiter that is ready is served, and the order of the others stays', async () => {
  const queue = openQueue<Abortable & { readonly size: number }, string>();
  const [large, small] = [queue.wait({ size: 9 }), queue.wait({ size: 1 })];
  expect(queue.give('first', ({ size }) => size < 5)).toEqual({ size: 1 });
  expect(queue.give('none', ({ size }) => size < 5)).toBeUndefined();
  expect(queue.give('second')).toEqual({ size: 9 });
  expect(await Promise.all([large, small])).toEqual(['second', 'first']);
  expect(queue.give('third')).toBeUndefined();
});

test('a full queue refuses a waiter until another one has left', async () => {
  const queue = openQueue<Abortable, number>(FULL);
  const leaver = new Stop();
  const left = queue.wait({ signal: leaver });
  const stayed = queue.wait({});
  await expect(queue.wait({})).rejects.toThrow('full');
  leaver.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  const later = queue.wait({});
  for (const number of [1, 2]) queue.give(number);
  expect(await Promise.all([stayed, later])).toEqual([1, 2]);
});

test('a signal that aborts after its waiter was served removes no other waiter', async () => {
  const queue = openQueue<Abortable, string>();
  const signal = new Stop();
  const served = queue.wait({ signal });
  const other = queue.wait({});
  queue.give('one');
  signal.abort();
  queue.give('other');
  expect(await Promise.all([served, other])).toEqual(['one', 'other']);
});
