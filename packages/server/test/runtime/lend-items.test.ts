import { expect, test } from 'vitest';
import { openLender } from '../../src/runtime/lend-items.ts';

function openNumbers({ itemsMax = 2, waitingMax = 2, failures = 0 } = {}) {
  let created = 0;
  let failuresLeft = failures;
  return openLender({
    create: async () => {
      if (failuresLeft > 0) {
        failuresLeft -= 1;
        throw new Error('It could not be made.');
      }
      created += 1;
      return created;
    },
    itemsMax,
    waitingMax,
    busy: 'All are lent.',
  });
}

const PATIENT = new AbortController().signal;

test('at most itemsMax items are lent, and later requests are queued first in, first out', async () => {
  const { borrow, giveBack, takeIdle } = openNumbers();
  expect([await borrow(PATIENT), await borrow(PATIENT)]).toEqual([1, 2]);
  const [third, fourth] = [borrow(PATIENT), borrow(PATIENT)];
  giveBack(2);
  expect(await third).toBe(2);
  giveBack(1);
  expect(await fourth).toBe(1);
  giveBack(1);
  giveBack(2);
  expect(takeIdle()).toEqual([1, 2]);
});

test('a request to a full queue is refused', async () => {
  const { borrow } = openNumbers({ itemsMax: 1, waitingMax: 0 });
  await borrow(PATIENT);
  await expect(borrow(PATIENT)).rejects.toMatchObject({
    reason: 'OVERLOADED',
    message: 'All are lent.',
  });
});

test('a request that is aborted leaves the queue', async () => {
  const { borrow, giveBack } = openNumbers({ itemsMax: 1 });
  await borrow(PATIENT);
  const leaver = new AbortController();
  const left = borrow(leaver.signal);
  const stayed = borrow(PATIENT);
  leaver.abort(new Error('Gone.'));
  await expect(left).rejects.toThrow('Gone.');
  giveBack(1);
  expect(await stayed).toBe(1);
  await expect(borrow(leaver.signal)).rejects.toThrow('Gone.');
});

test('an item that could not be created does not count', async () => {
  const { borrow } = openNumbers({ itemsMax: 1, failures: 1 });
  await expect(borrow(PATIENT)).rejects.toThrow('It could not be made.');
  expect(await borrow(PATIENT)).toBe(1);
});
