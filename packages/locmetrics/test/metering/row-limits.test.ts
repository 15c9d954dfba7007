import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import { admit, answer, callerWith, headersOf, NOON, openLimits } from './limits-under-test.ts';

const DAY_MS = 86_400_000;

describe('rows of a day', () => {
  test('all rows of the limit are allowed, and not one more', async () => {
    const process = openLimits().openProcess();
    const caller = callerWith({ rowsPerDay: 1000 });
    for (let asked = 0; asked < 10; asked += 1) {
      expect(await answer(process, caller, 100)).toBeUndefined();
    }
    expect(await answer(process, caller, 1)).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limit: 'rowsPerDay',
      message:
        'None of the 1000 rows a day of your organisation is left. The count restarts at 2026-12-01T00:00:00Z.',
      hint: 'Wait until then, or ask the data owner for more.',
      retryAfterSeconds: 43_200,
    });
  });

  test('an answer with more rows than are left is refused, and costs none', async () => {
    const process = openLimits().openProcess();
    const caller = callerWith({ rowsPerDay: 100, rowsPerMonth: 1000 });
    expect(await answer(process, caller, 80)).toBeUndefined();
    expect(await answer(process, caller, 21)).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limit: 'rowsPerDay',
      message:
        'The answer has 21 rows, and 20 of the 100 rows a day of your organisation are left. The count restarts at 2026-12-01T00:00:00Z.',
      hint: 'Ask for a smaller page: pageSize at most 20; or for a map tile with more filters. With countOnly the answer is the number of rows that all pages cost.',
    });
    expect(headersOf(process, caller)).toEqual({
      'locmetrics-rows-policy': '"day";q=100;w=86400, "month";q=1000;w=2592000',
      'locmetrics-rows': '"day";r=20;t=43200, "month";r=920;t=43200',
    });
    expect(await answer(process, caller, 20)).toBeUndefined();
  });

  test('an answer without rows is sent even if no rows are left', async () => {
    const process = openLimits().openProcess();
    const caller = callerWith({ rowsPerDay: 10 });
    const admitted = await process.keeper.admit(caller, new AbortController().signal);
    expect(await answer(process, caller, 10)).toBeUndefined();
    await admitted.charge(0);
    expect(await answer(process, caller, 0)).toBeUndefined();
    expect(await answer(process, caller, 1)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  });

  test('the rows of an unsent answer are returned', async () => {
    const process = openLimits().openProcess();
    const caller = callerWith({ rowsPerDay: 10 });
    const { charge } = await process.keeper.admit(caller, new AbortController().signal);
    const putBack = await charge(10);
    putBack();
    expect(await answer(process, caller, 10)).toBeUndefined();
  });

  test('earlier usage counts', async () => {
    const limits = openLimits(async (organisationId) => {
      expect(organisationId).toBe('acme');
      return { day: 90, month: 990 };
    });
    const process = limits.openProcess();
    expect(await answer(process, callerWith({ rowsPerDay: 100 }), 11)).toMatchObject({
      limit: 'rowsPerDay',
    });
    expect(await answer(process, callerWith({ rowsPerMonth: 1000 }), 11)).toMatchObject({
      limit: 'rowsPerMonth',
    });
    const both = callerWith({ rowsPerDay: 100, rowsPerMonth: 1000 });
    expect(await answer(process, both, 10)).toBeUndefined();
  });

  test('if the earlier usage cannot be read, requests are refused', async () => {
    let isBroken = true;
    const limits = openLimits(async () => {
      if (isBroken) throw new Error('The disk is full.');
      return { day: 0, month: 0 };
    });
    const process = limits.openProcess();
    const caller = callerWith({ rowsPerDay: 100 });
    expect(await admit(process, caller)).toMatchObject({ reason: 'NOT_READY' });
    expect(limits.observed).toEqual([
      { kind: 'used_rows_unknown', organisationId: 'acme', error: new Error('The disk is full.') },
    ]);
    isBroken = false;
    expect(await answer(process, caller, 100)).toBeUndefined();
  });

  test('the usage is read once a day, for any number of requests', async () => {
    let asked = 0;
    const limits = openLimits(async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return { day: 0, month: 0 };
    });
    const processes = [limits.openProcess(), limits.openProcess()];
    const caller = callerWith({ rowsPerDay: 1000 });
    const askAll = () =>
      Promise.all(
        processes.flatMap((process) => [1, 2, 3].map((rows) => answer(process, caller, rows))),
      );
    await askAll();
    await askAll();
    expect(asked).toBe(1);
    limits.passMs(DAY_MS);
    await askAll();
    expect(asked).toBe(2);
  });

  test('a day starts at midnight UTC, and a month with its first day', async () => {
    const limits = openLimits(async () => ({ day: 0, month: 0 }));
    const process = limits.openProcess();
    const caller = callerWith({ rowsPerDay: 10, rowsPerMonth: 15 });
    expect(await answer(process, caller, 10)).toBeUndefined();
    limits.passMs(DAY_MS / 2 - 1);
    expect(await answer(process, caller, 1)).toMatchObject({ limit: 'rowsPerDay' });
    limits.passMs(5);
    expect(await answer(process, caller, 10)).toBeUndefined();
    limits.passMs(DAY_MS);
    expect(await answer(process, caller, 6)).toMatchObject({
      limit: 'rowsPerMonth',
      message: expect.stringContaining('2027-01-01T00:00:00Z'),
    });
    expect(await answer(process, caller, 5)).toBeUndefined();
    // The reset time of December has the length of December.
    expect(headersOf(process, caller)['locmetrics-rows-policy']).toContain(
      '"month";q=15;w=2678400',
    );
    expect(new Date(NOON).getUTCDate()).toBe(30);
  });

  test('before a refusal, the rows leased to another process are awaited', async () => {
    const limits = openLimits();
    const [one, other] = [limits.openProcess(), limits.openProcess()];
    const caller = callerWith({ rowsPerDay: 10_000 });
    for (let asked = 0; asked < 50; asked += 1)
      expect(await answer(one, caller, 10)).toBeUndefined();
    expect(one.questions.length).toBeLessThan(40);
    expect(await answer(other, caller, 9500)).toBeUndefined();
    expect(await answer(other, caller, 1)).toMatchObject({ limit: 'rowsPerDay' });
  });

  test('usage without a limit counts when there is a limit again', async () => {
    let used = 0;
    const limits = openLimits(async () => ({ day: used, month: used }));
    const processes = [limits.openProcess(), limits.openProcess()] as const;
    const limited = callerWith({ rowsPerDay: 100 });
    for (const process of processes) expect(await answer(process, limited, 10)).toBeUndefined();
    expect(await answer(processes[0], callerWith({}), 40)).toBeUndefined();
    used = 60;
    expect(await answer(processes[1], limited, 41)).toMatchObject({ limit: 'rowsPerDay' });
    expect(await answer(processes[1], limited, 40)).toBeUndefined();
  });

  test('a lease at midnight is returned to the month', async () => {
    const limits = openLimits();
    const process = limits.openProcess();
    const caller = callerWith({ rowsPerDay: 10_000, rowsPerMonth: 20_000 });
    // Move to the end of the first day of a month.
    limits.passMs(1.5 * DAY_MS - 50);
    for (let asked = 0; asked < 50; asked += 1) {
      expect(await answer(process, caller, 10)).toBeUndefined();
    }
    limits.passMs(50);
    const other = limits.openProcess();
    expect(await answer(other, caller, 10_000)).toBeUndefined();
    expect(headersOf(other, caller)['locmetrics-rows']).toBe(
      '"day";r=0;t=86400, "month";r=9500;t=2592000',
    );
  });

  test('limits below the current usage refuse requests, and report that nothing is left', async () => {
    const process = openLimits().openProcess();
    expect(await answer(process, callerWith({ rowsPerDay: 100 }), 80)).toBeUndefined();
    expect(await answer(process, callerWith({ rowsPerDay: 50 }), 1)).toMatchObject({
      message: expect.stringContaining('None of the 50 rows a day'),
    });
    expect(await answer(process, callerWith({ rowsPerDay: 81 }), 1)).toBeUndefined();
  });
});

describe('at random', () => {
  const seed = announceSeed('row limits');

  test('processes together never send a row too many, and all rows can be used', async () => {
    const step = fc.record({
      process: fc.nat(2),
      rows: fc.oneof(fc.nat(20), fc.nat(2000)),
      waitMs: fc.oneof(fc.constant(0), fc.nat(300)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20_000 }),
        fc.array(step, { maxLength: 100 }),
        async (rowsPerDay, run) => {
          const limits = openLimits();
          const processes = [limits.openProcess(), limits.openProcess(), limits.openProcess()];
          const caller = callerWith({ rowsPerDay });
          let sent = 0;
          for (const { process: chosen, rows, waitMs } of run) {
            limits.passMs(waitMs);
            const process = processes[chosen];
            if (process === undefined) throw new Error('No such process.');
            const refusal = await answer(process, caller, rows);
            if (refusal === undefined) sent += rows;
            else expect(sent + Math.max(1, rows)).toBeGreaterThan(rowsPerDay);
          }
          for (const { keeper } of processes) keeper.close();
          expect(sent).toBeLessThanOrEqual(rowsPerDay);
          const [first] = processes;
          if (first === undefined) throw new Error('No process.');
          if (sent < rowsPerDay) {
            expect(await answer(first, caller, rowsPerDay - sent)).toBeUndefined();
          }
          limits.passMs(300);
          expect(await answer(first, caller, 1)).toMatchObject({ limit: 'rowsPerDay' });
        },
      ),
      { seed, numRuns: 60 },
    );
  });
});
