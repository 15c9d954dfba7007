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

test('the limit of concurrent queries holds over all processes', async () => {
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
  // Only for a moment are further requests refused without a question to the primary.
  limits.passMs(5);
  expect(await isAdmitted(other, CALLER)).toBe(true);
  expect(await isAdmitted(one, CALLER)).toBe(false);
});

test('a concurrent query is released only once', async () => {
  const process = openLimits().openProcess();
  const ends = [await begin(process), await begin(process), await begin(process)];
  ends[0]?.();
  ends[0]?.();
  expect(await isAdmitted(process, CALLER)).toBe(true);
  expect(await isAdmitted(process, CALLER)).toBe(false);
});

test('the concurrent queries of a killed process are released', async () => {
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

test('a request whose caller has gone away is released', async () => {
  const process = openLimits().openProcess();
  const gone = new AbortController();
  const waiting = process.keeper.admit(CALLER, gone.signal);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'CANCELLED' });
  await begin(process);
  await begin(process);
  await begin(process);
});

test('a request that one limit refuses does not count against the others', async () => {
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
