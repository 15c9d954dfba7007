import { expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/service-error.ts';
import {
  admit,
  callerWith,
  headersOf,
  isAdmitted,
  type LimitedProcess,
  openLimits,
} from './limits-under-test.ts';

const CALLER = callerWith({ concurrentQueries: 3 });

async function begin(process: LimitedProcess): Promise<() => void> {
  const admitted = await admit(process, CALLER);
  if (admitted instanceof ServiceError) throw admitted;
  return admitted.end;
}

test('no more requests are answered at the same time than may be, in all processes together', async () => {
  const limits = openLimits();
  const [one, other] = [limits.openProcess(), limits.openProcess()];
  const ends = [await begin(one), await begin(one), await begin(other)];
  expect(headersOf(other, CALLER)).toEqual({
    'ratelimit-policy': '"concurrent";q=3;qu="concurrent-requests"',
    ratelimit: '"concurrent";r=0',
  });
  expect(await admit(other, CALLER)).toMatchObject({
    reason: 'LIMIT_EXCEEDED',
    limit: 'concurrentQueries',
    message:
      'Your organisation has 3 requests in progress, the most that it may have at the same time.',
    hint: 'Wait until one of them has ended before you send the next.',
    retryAfterSeconds: 1,
  });
  ends[0]?.();
  // Only for a moment is who was refused refused again without asking.
  limits.passMs(5);
  expect(await isAdmitted(other, CALLER)).toBe(true);
  expect(await isAdmitted(one, CALLER)).toBe(false);
});

test('a place is given back once', async () => {
  const process = openLimits().openProcess();
  const ends = [await begin(process), await begin(process), await begin(process)];
  ends[0]?.();
  ends[0]?.();
  expect(await isAdmitted(process, CALLER)).toBe(true);
  expect(await isAdmitted(process, CALLER)).toBe(false);
});

test('the places of a process that is killed go to others', async () => {
  const limits = openLimits();
  const [one, other] = [limits.openProcess(), limits.openProcess()];
  await begin(one);
  await begin(one);
  await begin(other);
  one.kill();
  await begin(other);
  await begin(other);
  expect(await isAdmitted(other, CALLER)).toBe(false);
});

test('a request of who has gone away meanwhile keeps no place', async () => {
  const process = openLimits().openProcess();
  const gone = new AbortController();
  const waiting = process.keeper.admit(CALLER, gone.signal);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'CANCELLED' });
  await begin(process);
  await begin(process);
  await begin(process);
});

test('a request that is refused by one limit takes nothing of the others', async () => {
  const limits = openLimits();
  const process = limits.openProcess();
  const caller = callerWith({ concurrentQueries: 1, requestsPerSecond: 0.001, burst: 2 });
  const first = await admit(process, caller);
  for (let sent = 0; sent < 5; sent += 1) {
    expect(await isAdmitted(process, caller)).toBe(false);
    limits.passMs(5);
  }
  if (!(first instanceof ServiceError)) first.end();
  expect(await isAdmitted(process, caller)).toBe(true);
});
