import { openPool } from '@locmetrics/core/runtime/pool';
import { expect, test } from 'vitest';

function openNumbers({ itemsMax = 2, waitingMax = 2, failures = 0 } = {}) {
  let created = 0;
  let failuresLeft = failures;
  return openPool({
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
    full: () => new Error('All are in use.'),
  });
}

const PATIENT = new AbortController().signal;

test('at most itemsMax items are in use, and later requests are queued first in, first out', async () => {
  const { acquire, release, takeIdle } = openNumbers();
  expect([await acquire(PATIENT), await acquire(PATIENT)]).toEqual([1, 2]);
  const [third, fourth] = [acquire(PATIENT), acquire(PATIENT)];
  release(2);
  expect(await third).toBe(2);
  release(1);
  expect(await fourth).toBe(1);
  release(1);
  release(2);
  expect(takeIdle()).toEqual([1, 2]);
});

test('a request to a full queue is refused', async () => {
  const { acquire } = openNumbers({ itemsMax: 1, waitingMax: 0 });
  await acquire(PATIENT);
  await expect(acquire(PATIENT)).rejects.toThrow('All are in use.');
});

test('a request that is aborted leaves the queue', async () => {
  const { acquire, release } = openNumbers({ itemsMax: 1 });
  await acquire(PATIENT);
  const leaver = new AbortController();
  const left = acquire(leaver.signal);
  const stayed = acquire(PATIENT);
  leaver.abort(new Error('Gone.'));
  await expect(left).rejects.toThrow('Gone.');
  release(1);
  expect(await stayed).toBe(1);
  await expect(acquire(leaver.signal)).rejects.toThrow('Gone.');
});

test('an item that could not be created does not count', async () => {
  const { acquire } = openNumbers({ itemsMax: 1, failures: 1 });
  await expect(acquire(PATIENT)).rejects.toThrow('It could not be made.');
  expect(await acquire(PATIENT)).toBe(1);
});
