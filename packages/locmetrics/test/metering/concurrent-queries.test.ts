// @module-tag slow

import { ServiceError } from '@locmetrics/core/errors/service-error';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
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
    message: 'Your organisation has 3 requests in progress, which is its limit.',
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

test('a busy process asks the primary for few of its slots', async () => {
  const process = openLimits().openProcess();
  const caller = callerWith({ concurrentQueries: 100 });
  for (let sent = 0; sent < 1000; sent += 1) {
    const admitted = await admit(process, caller);
    if (admitted instanceof ServiceError) throw admitted;
    admitted.end();
  }
  expect(process.questions.length).toBeLessThan(10);
});

test('free slots that a process leases are recalled when another one needs them', async () => {
  const limits = openLimits();
  const [one, other] = [limits.openProcess(), limits.openProcess()];
  const caller = callerWith({ concurrentQueries: 20 });
  const begun = [await admit(one, caller)];
  for (let sent = 0; sent < 5; sent += 1) begun.push(await admit(one, caller));
  for (const admitted of begun) if (!(admitted instanceof ServiceError)) admitted.end();
  // All twenty are for the other one now, though the lease of the first has not ended.
  for (let sent = 0; sent < 20; sent += 1) expect(await isAdmitted(other, caller)).toBe(true);
  expect(await isAdmitted(other, caller)).toBe(false);
  expect(await isAdmitted(one, caller)).toBe(false);
});

test('a recalled slot that is in use goes back as soon as its request ends', async () => {
  const limits = openLimits();
  const [one, other] = [limits.openProcess(), limits.openProcess()];
  const ends = [await begin(one), await begin(one), await begin(one)];
  expect(await isAdmitted(other, CALLER)).toBe(false);
  limits.passMs(5);
  ends[0]?.();
  expect(await isAdmitted(other, CALLER)).toBe(true);
});

test('a process that does not answer a recall keeps its slots, and blocks requests only for a time', async () => {
  const limits = openLimits(undefined, ({ ask }) => ({
    ask,
    giveBack: () => {},
    onRecall: () => {},
  }));
  const [stuck, other] = [limits.openProcess(), limits.openProcess()];
  const ends = [await begin(stuck), await begin(stuck), await begin(stuck)];
  for (const end of ends) end();
  expect(await admit(other, CALLER)).toMatchObject({ limit: 'concurrentQueries' });
  stuck.kill();
  limits.passMs(5);
  expect(await isAdmitted(other, CALLER)).toBe(true);
});

test('never more requests than the limit, and never a refusal below it, whoever asks', async () => {
  const step = fc.record({
    process: fc.nat(2),
    action: fc.constantFrom('begin', 'begin', 'end', 'wait', 'kill'),
    ms: fc.nat(300),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { minLength: 20, maxLength: 120 }),
      async (concurrentQueries, steps) => {
        const limits = openLimits();
        const caller = callerWith({ concurrentQueries });
        const processes = [0, 1, 2].map(() => ({
          process: limits.openProcess(),
          running: [] as (() => void)[],
        }));
        for (const { process: index, action, ms } of steps) {
          const at = processes[index];
          if (at === undefined) throw new Error('There are three processes.');
          const running = processes.reduce((sum, { running: { length } }) => sum + length, 0);
          if (action === 'begin') {
            // A refusal is remembered for a moment.
            limits.passMs(5);
            const admitted = await admit(at.process, caller);
            expect(admitted instanceof ServiceError).toBe(running >= concurrentQueries);
            if (!(admitted instanceof ServiceError)) at.running.push(admitted.end);
          } else if (action === 'end') at.running.shift()?.();
          else if (action === 'wait') limits.passMs(ms);
          else {
            at.process.kill();
            processes[index] = { process: limits.openProcess(), running: [] };
          }
        }
      },
    ),
    { seed: announceSeed('concurrent queries'), numRuns: 200 },
  );
});

test('requests of several processes that come at once get every free slot, and no more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      fc.array(fc.array(fc.nat(40), { minLength: 3, maxLength: 3 }), {
        minLength: 1,
        maxLength: 12,
      }),
      async (concurrentQueries, hasRate, bursts) => {
        const limits = openLimits();
        const rate = hasRate ? { requestsPerSecond: 1e9, burst: 1e9 } : {};
        const caller = callerWith({ concurrentQueries, ...rate });
        const processes = [0, 1, 2].map(() => limits.openProcess());
        let running: (() => void)[] = [];
        for (const burst of bursts) {
          // A refusal is remembered for a moment.
          limits.passMs(5);
          const admitted = await Promise.all(
            processes.flatMap((process, index) =>
              Array.from({ length: burst[index] ?? 0 }, () => admit(process, caller)),
            ),
          );
          const begun = admitted.flatMap((one) => (one instanceof ServiceError ? [] : [one.end]));
          const free = concurrentQueries - running.length;
          expect(begun).toHaveLength(Math.min(free, admitted.length));
          running.push(...begun);
          const kept = Math.floor(running.length / 2);
          for (const end of running.slice(kept)) end();
          running = running.slice(0, kept);
        }
      },
    ),
    { seed: announceSeed('bursts of concurrent queries'), numRuns: 200 },
  );
});
