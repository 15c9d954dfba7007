// @module-tag slow

import { ServiceError } from '@locmetrics/core/errors/service-error';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import {
  admit,
  answer,
  callerWith,
  headersOf,
  isAdmitted,
  type LimitedProcess,
  openLimits,
} from './limits-under-test.ts';

async function admittedOf(
  count: number,
  process: LimitedProcess,
  caller: Parameters<typeof admit>[1],
): Promise<number> {
  let admitted = 0;
  for (let sent = 0; sent < count; sent += 1) {
    if (await isAdmitted(process, caller)) admitted += 1;
  }
  return admitted;
}

describe('requests a second', () => {
  test('the burst is allowed at once, then requests at the rate', async () => {
    const limits = openLimits();
    const process = limits.openProcess();
    const caller = callerWith({ requestsPerSecond: 10, burst: 20 });
    expect(await admittedOf(30, process, caller)).toBe(20);
    limits.passMs(500);
    expect(await admittedOf(30, process, caller)).toBe(5);
    limits.passMs(60_000);
    expect(await admittedOf(30, process, caller)).toBe(20);
  });

  test.each([
    [50, 50],
    [2.5, 3],
    [0.1, 1],
  ])(
    'a rate of %d a second without a burst allows %d at once',
    async (requestsPerSecond, burst) => {
      const process = openLimits().openProcess();
      expect(await admittedOf(burst + 5, process, callerWith({ requestsPerSecond }))).toBe(burst);
    },
  );

  test('the refusal contains the limit and the time of the next allowed request', async () => {
    const limits = openLimits();
    const process = limits.openProcess();
    const caller = callerWith({ requestsPerSecond: 0.4 });
    await admit(process, caller);
    limits.passMs(100);
    const refusal = await admit(process, caller);
    expect(refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limit: 'requestsPerSecond',
      message:
        'Your organisation may send 0.4 requests a second, in bursts of 1. None is left; the next is allowed in 2400 ms.',
      hint: 'Send fewer requests a second. The header RateLimit contains how many are left.',
      retryAfterSeconds: 3,
    });
    expect(headersOf(process, caller)).toEqual({
      'ratelimit-policy': '"requests";q=1;w=3',
      ratelimit: '"requests";r=0;t=3',
    });
  });

  test('after a refusal, the process does not ask again for a moment', async () => {
    const limits = openLimits();
    const process = limits.openProcess();
    const caller = callerWith({ requestsPerSecond: 10, burst: 1 });
    await admit(process, caller);
    await admit(process, caller);
    const asked = process.questions.length;
    expect(await admittedOf(100, process, caller)).toBe(0);
    expect(process.questions).toHaveLength(asked);
    limits.passMs(100);
    expect(await isAdmitted(process, caller)).toBe(true);
  });

  test('organisations do not share a limit', async () => {
    const process = openLimits().openProcess();
    const limits = { requestsPerSecond: 1 };
    expect(await isAdmitted(process, callerWith(limits, 'one'))).toBe(true);
    expect(await isAdmitted(process, callerWith(limits, 'other'))).toBe(true);
    expect(await isAdmitted(process, callerWith(limits, 'one'))).toBe(false);
  });

  test('a request of an organisation without limits asks no other process', async () => {
    const process = openLimits().openProcess();
    expect(await isAdmitted(process, callerWith({}))).toBe(true);
    expect(await isAdmitted(process, callerWith({ burst: 1 }))).toBe(true);
    expect(process.questions).toEqual([]);
    expect(headersOf(process, callerWith({}))).toEqual({});
  });

  test('the end of a lease does not change the remainder that is shown', async () => {
    const { openProcess, passMs } = openLimits();
    const process = openProcess();
    const caller = callerWith({ requestsPerSecond: 0.01, burst: 50, rowsPerDay: 1000 });
    for (let request = 0; request < 9; request += 1) await answer(process, caller, 1);
    for (const ms of [0, 250]) {
      passMs(ms);
      const { ratelimit, 'locmetrics-rows': rows } = headersOf(process, caller);
      expect(ratelimit).toContain('"requests";r=41;');
      expect(rows).toContain('"day";r=991;');
    }
  });

  test('processes share a limit', async () => {
    const limits = openLimits();
    const [one, other] = [limits.openProcess(), limits.openProcess()];
    const caller = callerWith({ requestsPerSecond: 10, burst: 20 });
    expect(await admittedOf(15, one, caller)).toBe(15);
    expect(await admittedOf(15, other, caller)).toBe(5);
  });

  test('for a busy organisation, few requests ask for a new lease', async () => {
    const limits = openLimits();
    const process = limits.openProcess();
    const caller = callerWith({ requestsPerSecond: 100_000 });
    expect(await admittedOf(10_000, process, caller)).toBe(10_000);
    expect(process.questions.length).toBeLessThan(300);
  });

  test('a lease that was used is renewed without a request, and one that was not is returned', async () => {
    const limits = openLimits();
    const [one, other] = [limits.openProcess(), limits.openProcess()];
    const caller = callerWith({ requestsPerSecond: 0.001, burst: 1000 });
    expect(await admittedOf(50, one, caller)).toBe(50);
    await expect.poll(() => one.questions.at(-1)).toMatchObject({ requests: 0, moreRows: 0 });
    const ofAcme = () => one.questions.filter(({ organisationId }) => organisationId === 'acme');
    const asked = ofAcme().length;
    expect(ofAcme().at(-1)?.moreRequests).toBeGreaterThan(1);
    // By the time that the later lease of another one is renewed, this one would be again.
    expect(
      await admittedOf(50, one, callerWith({ requestsPerSecond: 0.001, burst: 1000 }, 'b')),
    ).toBe(50);
    await expect
      .poll(() => one.questions.at(-1))
      .toMatchObject({ organisationId: 'b', requests: 0 });
    expect(ofAcme()).toHaveLength(asked);
    expect(await admittedOf(1000, other, caller)).toBe(950);
  });

  test('the unused part of a lease is returned', async () => {
    const limits = openLimits();
    const [one, other] = [limits.openProcess(), limits.openProcess()];
    const caller = callerWith({ requestsPerSecond: 0.001, burst: 1000 });
    expect(await admittedOf(100, one, caller)).toBe(100);
    one.keeper.close();
    expect(await admittedOf(1000, other, caller)).toBe(900);
  });

  test('an expired lease is worth nothing', async () => {
    const limits = openLimits();
    const process = limits.openProcess();
    const caller = callerWith({ requestsPerSecond: 1, burst: 1000 });
    await admittedOf(50, process, caller);
    const asked = process.questions.length;
    limits.passMs(1000);
    await isAdmitted(process, caller);
    expect(process.questions).toHaveLength(asked + 1);
  });

  test('a killed process loses at most its lease', async () => {
    const limits = openLimits();
    const [one, other] = [limits.openProcess(), limits.openProcess()];
    const caller = callerWith({ requestsPerSecond: 0.001, burst: 1000 });
    expect(await admittedOf(100, one, caller)).toBe(100);
    one.kill();
    const rest = await admittedOf(1000, other, caller);
    expect(rest).toBeLessThanOrEqual(900);
    expect(rest).toBeGreaterThan(850);
  });

  test('new limits apply to the next request of every process', async () => {
    const limits = openLimits();
    const [one, other] = [limits.openProcess(), limits.openProcess()];
    const narrow = callerWith({ requestsPerSecond: 1 });
    const wide = callerWith({ requestsPerSecond: 1000 });
    expect(await admittedOf(500, one, wide)).toBe(500);
    expect(await admittedOf(10, one, narrow)).toBe(1);
    expect(await admittedOf(10, other, narrow)).toBe(0);
    expect(await admittedOf(10, other, wide)).toBe(0);
    limits.passMs(100);
    expect(await admittedOf(200, other, wide)).toBe(100);
    expect(await admittedOf(10, other, callerWith({}))).toBe(10);
  });
});

describe('at random', () => {
  const seed = announceSeed('request limits');

  type Step = { readonly waitMs: number; readonly process: number; readonly requests: number };
  const steps: fc.Arbitrary<readonly Step[]> = fc.array(
    fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(2000)),
      process: fc.nat(2),
      requests: fc.nat(60),
    }),
    { maxLength: 60 },
  );
  const rate = fc.record({
    requestsPerSecond: fc.oneof(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0.1, max: 9, noNaN: true }),
    ),
    burst: fc.integer({ min: 1, max: 1000 }),
  });

  test('in no interval are more requests allowed than the rate and the burst', async () => {
    await fc.assert(
      fc.asyncProperty(rate, steps, fc.nat(60), async (limitsOfAll, run, killAt) => {
        const limits = openLimits();
        const processes = [limits.openProcess(), limits.openProcess(), limits.openProcess()];
        const caller = callerWith(limitsOfAll);
        const begun: { readonly atMs: number; readonly requests: number }[] = [];
        let atMs = 0;
        for (const [index, { waitMs, process: chosen, requests }] of run.entries()) {
          limits.passMs(waitMs);
          atMs += waitMs;
          if (index === killAt) {
            processes[chosen]?.kill();
            processes[chosen] = limits.openProcess();
          }
          const process = processes[chosen];
          if (process === undefined) throw new Error('No such process.');
          begun.push({ atMs, requests: await admittedOf(requests, process, caller) });
        }
        for (const process of processes) process.keeper.close();
        for (const [first, { atMs: fromMs }] of begun.entries()) {
          let sum = 0;
          for (const { atMs: toMs, requests } of begun.slice(first)) {
            sum += requests;
            const most =
              ((toMs - fromMs) / 1000) * limitsOfAll.requestsPerSecond + limitsOfAll.burst;
            expect(sum).toBeLessThanOrEqual(most + 1e-6);
          }
        }
      }),
      { seed, numRuns: 200 },
    );
  });

  test('processes that always want more get at least 95 % of the rate', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 2000 }),
        fc.integer({ min: 10, max: 200 }),
        fc.array(fc.nat(2), { minLength: 20, maxLength: 40 }),
        async (requestsPerSecond, stepMs, order) => {
          const limits = openLimits();
          const processes = [limits.openProcess(), limits.openProcess(), limits.openProcess()];
          const caller = callerWith({ requestsPerSecond });
          let begun = 0;
          let atMs = 0;
          for (let step = 0; step < 100; step += 1) {
            const process = processes[order[step % order.length] ?? 0];
            if (process === undefined) throw new Error('No such process.');
            while (await isAdmitted(process, caller)) begun += 1;
            limits.passMs(stepMs);
            atMs += stepMs;
          }
          for (const { keeper } of processes) keeper.close();
          const most = ((atMs - stepMs) / 1000) * requestsPerSecond + requestsPerSecond;
          expect(begun).toBeLessThanOrEqual(most + 1e-6);
          expect(begun).toBeGreaterThan(most * 0.95 - 1);
        },
      ),
      { seed, numRuns: 20 },
    );
  });
});

test('an authority that does not answer in time blocks requests only for a time', async () => {
  let isSilent = true;
  const held: (() => void)[] = [];
  const limits = openLimits(undefined, ({ ask, giveBack, onRecall }) => ({
    giveBack,
    onRecall,
    ask: async (question) => {
      const given = await ask(question);
      if (isSilent) await new Promise<void>((resolve) => held.push(resolve));
      return given;
    },
  }));
  const process = limits.openProcess();
  const caller = callerWith({ concurrentQueries: 1 });
  expect(await admit(process, caller)).toMatchObject({
    reason: 'NOT_READY',
    message: 'The limits cannot be checked now.',
  });
  isSilent = false;
  // The lease that came too late is returned.
  for (const release of held) release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await admit(process, caller)).not.toBeInstanceOf(ServiceError);
});
