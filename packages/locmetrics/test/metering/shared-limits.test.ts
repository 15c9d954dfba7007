// @module-tag slow

import {
  PRUNE,
  RENEW_NODE,
  SHARED_LIMIT_SCHEMA,
} from '@locmetrics/cluster/limits/shared-limit-schema';
import { openPostgres, type Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import { migratePostgres } from '@locmetrics/cluster/postgres/postgres-schema';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { delay } from '../support/delay.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import type { NodeLoad, NodeReport } from './limit-node.ts';
import { type LimitNode, startLimitNode } from './start-limit-node.ts';

/** Also of an answer of the database: one that is late, because the machine is busy, does not count as away. */
const TIMEOUT_MS = 600_000;

/** How long a machine is live after it has renewed that: see `RENEW_NODE`. */
const LIVE_MS = 5_000;

describe.skipIf(!hasPostgres())(
  'limits of several machines (PostgreSQL is not installed where it is skipped)',
  () => {
    const seed = announceSeed('shared limits');
    let server: RunningPostgres;
    let url: string;
    let postgres: Postgres;
    let nodes: LimitNode[] = [];
    beforeAll(async () => {
      server = await startPostgres();
    }, TIMEOUT_MS);
    afterAll(() => server.end());
    beforeEach(async () => {
      url = await server.createDatabase();
      postgres = openPostgres(url);
      await migratePostgres(postgres, [SHARED_LIMIT_SCHEMA]);
    });
    afterEach(async () => {
      await Promise.all(nodes.map((node) => node.close()));
      nodes = [];
      await postgres.close();
    });

    const start = async (
      count: number,
      limits: OrganisationLimits,
      options: Partial<Parameters<typeof startLimitNode>[1]> = {},
    ): Promise<readonly LimitNode[]> => {
      const started = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          startLimitNode(url, { answerTimeoutMs: TIMEOUT_MS, ...options, seed: seed + index }),
        ),
      );
      nodes.push(...started);
      await Promise.all(started.map((node) => node.setLimits(limits)));
      return started;
    };

    describe('at random', () => {
      const runs = testCount('SHARED_LIMITS', { few: 1, all: 8 });
      const stepCount = testCount('SHARED_LIMIT_STEPS', { few: 3, all: 8 });
      const nodeCount = fc.integer({ min: 2, max: 4 });
      const afterRun = async (): Promise<void> => {
        await Promise.all(nodes.map((node) => node.close()));
        nodes = [];
        await postgres.query('TRUNCATE limit_count, limit_share, limit_node');
      };
      /** The part of each node in a step; at least one has some. */
      const steps = (stepCount: number) =>
        fc.array(
          fc
            .array(fc.oneof(fc.constant(0), fc.constant(1), fc.integer({ min: 1, max: 9 })), {
              minLength: 4,
              maxLength: 4,
            })
            .map((parts) => [Math.max(1, parts[0] ?? 0), ...parts.slice(1)]),
          { minLength: stepCount, maxLength: stepCount },
        );

      test('requests are never too many, and nearly as many as the rate allows', {
        timeout: TIMEOUT_MS,
        tags: 'sized',
      }, async () => {
        /** The part of the rate that was used in each run. */
        const used: number[] = [];
        await fc.assert(
          fc
            .asyncProperty(
              nodeCount,
              fc.integer({ min: 20, max: 120 }),
              steps(stepCount),
              async (count, rate, parts) => {
                const started = await start(count, { requestsPerSecond: rate });
                const load = { perSecond: rate * 3, forMs: 500 };
                const { requests } = await spread(started, parts, load);
                const seconds = lengthOf(requests) / 1000;
                expect(requests.length).toBeLessThanOrEqual((rate * seconds + rate) * 1.05 + 1);
                used.push(requests.length / (rate * seconds));
              },
            )
            .afterEach(afterRun),
          { seed, numRuns: runs, endOnFailure: true },
        );
        // 0.95 or more on a quiet machine; a busy one begins each request late.
        expect(Math.min(...used)).toBeGreaterThanOrEqual(0.5);
      });

      test('rows are never too many, and nearly all of the limit', {
        timeout: TIMEOUT_MS,
        tags: 'sized',
      }, async () => {
        await fc.assert(
          fc
            .asyncProperty(
              nodeCount,
              fc.integer({ min: 500, max: 20_000 }),
              fc.constantFrom('rowsPerDay' as const, 'rowsPerMonth' as const),
              steps(stepCount),
              async (count, limit, name, parts) => {
                const started = await start(count, { [name]: limit });
                const rowsMax = Math.ceil(limit / 250);
                const perSecond = 2000 / stepCount;
                await spread(started, parts, { perSecond, forMs: 500, rowsMax });
                const { rows } = await useUp(started, { perSecond: 200, rowsMax });
                expect(rows).toBeLessThanOrEqual(limit);
                expect(rows).toBeGreaterThanOrEqual(limit * 0.95);
              },
            )
            .afterEach(afterRun),
          { seed, numRuns: runs, endOnFailure: true },
        );
      });

      test('requests at the same time are never too many, and those of one machine can be all that are allowed', {
        timeout: TIMEOUT_MS,
        tags: 'slow',
      }, async () => {
        await fc.assert(
          fc
            .asyncProperty(
              nodeCount,
              fc.integer({ min: 4, max: 16 }),
              fc.integer({ min: 200, max: 400 }),
              steps(2),
              async (count, concurrentQueries, holdMs, parts) => {
                const started = await start(count, { concurrentQueries });
                const perSecond = Math.max(60, (concurrentQueries / holdMs) * 1000 * 3);
                const load = { perSecond, forMs: 3000, holdMs };
                const { requests } = await spread(started, parts, load);
                expect(await statesOf(started)).toEqual([]);
                const reports = await Promise.all(started.map((node) => node.report()));
                const longestMs = Math.max(...reports.map((report) => report.longestRenewalMs));
                // A machine that the database hears nothing of for longer has no slots any more, also if it was only slow.
                if (longestMs < LIVE_MS) {
                  expect({ most: mostAtOnce(requests), longestMs }).toEqual({
                    most: expect.toSatisfy((most: number) => most <= concurrentQueries),
                    longestMs,
                  });
                }
                // No slot stays with a machine that needs none.
                const only = started.at(-1);
                void only?.load({ perSecond: 50, forMs: TIMEOUT_MS, holdMs: TIMEOUT_MS });
                await expect.poll(() => inProgress(started)).toBe(concurrentQueries);
                expect((await only?.report())?.inProgress).toBe(concurrentQueries);
                await only?.kill();
              },
            )
            .afterEach(afterRun),
          { seed, numRuns: runs, endOnFailure: true },
        );
      });
    });

    test(
      'organisations without limits never ask the database',
      async () => {
        const [node] = await start(1, { burst: 5 });
        const report = await node?.load({ perSecond: 200, forMs: 500, rowsMax: 10 });
        expect(report).toMatchObject({ statements: 0, refused: 0, unknown: 0 });
        expect(await postgres.query('SELECT * FROM limit_count')).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test('a thousand requests a second need few statements, and few of them wait for one', {
      timeout: TIMEOUT_MS,
      tags: 'slow',
    }, async () => {
      const limits = { requestsPerSecond: 1e5, rowsPerDay: 1e9, concurrentQueries: 1e5 };
      const started = await start(2, limits);
      const load = { perSecond: 500, forMs: 3000, rowsMax: 10, holdMs: 10 };
      const reports = await Promise.all(started.map((node) => node.load(load)));
      for (const { statements, waited, admitted, refusedFor } of reports) {
        process.stderr.write(
          `${statements / 3} statements a second, ${((waited / admitted) * 100).toFixed(1)} % of the requests waited\n`,
        );
        expect(refusedFor).toEqual([]);
        expect(admitted).toBeGreaterThanOrEqual(100);
        expect(statements / 3).toBeLessThanOrEqual(50);
        // On a quiet machine it is a few per cent.
        expect(waited / admitted).toBeLessThan(0.7);
      }
    });

    test(
      'the usage so far counts, and is read by one machine',
      async () => {
        const started = await start(3, { rowsPerDay: 1000 }, { used: { day: 900, month: 900 } });
        const load = { perSecond: 100, forMs: 1000, rowsMax: 3, untilRefused: true };
        const reports = await Promise.all(started.map((node) => node.load(load)));
        const { rows } = together(reports);
        expect(rows).toBeLessThanOrEqual(100);
        expect(rows).toBeGreaterThanOrEqual(95);
        expect(reports.map(({ ledgerReads }) => ledgerReads).sort()).toEqual([0, 0, 1]);
      },
      TIMEOUT_MS,
    );

    test('a machine that is killed has used at most its small share of the rows', {
      tags: 'slow',
      timeout: TIMEOUT_MS,
    }, async () => {
      const limit = 6000;
      const started = await start(3, { rowsPerDay: limit });
      const load = { perSecond: 50, forMs: 4000, rowsMax: 60 };
      const loading = started.map((node) => node.load(load));
      await delay(700);
      await started[0]?.kill();
      const [killed] = await Promise.all(loading);
      const others = await useUp(started.slice(1), { perSecond: 50, rowsMax: 60 });
      expect(others.rows + (killed?.rows ?? 0)).toBeLessThanOrEqual(limit);
      // The requests that were waiting for the database have used their rows, too.
      expect(others.rows + (killed?.rowsAsked ?? 0)).toBeGreaterThanOrEqual(limit * 0.95);
    });

    test('the slots of a machine that is killed come back', {
      timeout: TIMEOUT_MS,
      tags: 'slow',
    }, async () => {
      const [one, other] = await start(2, { concurrentQueries: 6 });
      const holding = one?.load({ perSecond: 50, forMs: 500, holdMs: 600_000 });
      await expect.poll(async () => (await one?.report())?.inProgress).toBe(6);
      const before = await other?.load({ perSecond: 50, forMs: 300 });
      expect(before).toMatchObject({ admitted: 0, unknown: 0 });
      await one?.kill();
      await holding;
      void other?.load({ perSecond: 20, forMs: 15_000, holdMs: 600_000 });
      await expect.poll(async () => (await other?.report())?.inProgress).toBe(6);
      await other?.kill();
    });

    test('free slots move to the machine that needs them', {
      timeout: TIMEOUT_MS,
      tags: 'slow',
    }, async () => {
      const [one, other] = await start(2, { concurrentQueries: 10 });
      await one?.load({ perSecond: 500, forMs: 500, holdMs: 50 });
      const report = await other?.load({ perSecond: 500, forMs: 2000, holdMs: 50 });
      // 9.5 or more on a quiet machine; a busy one begins each request late. If they did not move, it would be 5.
      expect(meanAtOnce(report?.requests ?? [])).toBeGreaterThanOrEqual(7.5);
    });

    test(
      'limits that are changed apply at once',
      async () => {
        const started = await start(2, { rowsPerDay: 1000 });
        const all = async (limits: OrganisationLimits): Promise<number> => {
          await Promise.all(started.map((node) => node.setLimits(limits)));
          const load = { perSecond: 200, forMs: 1000, rowsMax: 20, untilRefused: true };
          return together(await Promise.all(started.map((node) => node.load(load)))).rows;
        };
        const within = (rows: number, least: number, most: number): void => {
          expect(rows).toBeGreaterThanOrEqual(least);
          expect(rows).toBeLessThanOrEqual(most);
        };
        const first = await all({ rowsPerDay: 1000 });
        within(first, 950, 1000);
        const second = await all({ rowsPerDay: 2000 });
        within(second, 1900, 2000);
        expect(await all({ rowsPerDay: 500 })).toBe(second);
        const third = await all({ rowsPerDay: 1e6, rowsPerMonth: 3000 });
        within(third, 2850, 3000);
      },
      TIMEOUT_MS,
    );

    test('at the end of a day, by the clock of the database, the rows of the next one begin', {
      timeout: TIMEOUT_MS,
      tags: 'slow',
    }, async () => {
      const limit = 1000;
      const started = await start(2, { rowsPerDay: limit });
      // The clocks of the machines stay as they are.
      const setClock = (beforeMidnightMs: number) =>
        postgres.query(
          `CREATE OR REPLACE FUNCTION limit_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
               'SELECT clock_timestamp() + interval ''${86_400_000 - (Date.now() % 86_400_000) - beforeMidnightMs} milliseconds'''`,
        );
      await setClock(600_000);
      const load = { perSecond: 150, rowsMax: 20 };
      const before = await Promise.all(started.map((node) => node.load({ ...load, forMs: 1500 })));
      expect(together(before).rows).toBeLessThanOrEqual(limit);
      expect(together(before).rows).toBeGreaterThanOrEqual(limit * 0.95);
      await setClock(1000);
      const reports = await Promise.all(started.map((node) => node.load({ ...load, forMs: 4000 })));
      const { rows } = together(reports);
      expect(rows).toBeLessThanOrEqual(2 * limit);
      expect(rows).toBeGreaterThanOrEqual(2 * limit * 0.95);
      expect(reports.reduce((sum, { ledgerReads }) => sum + ledgerReads, 0)).toBe(2);
    });

    test('a statement that is sent again counts once, and a late one does nothing', async () => {
      const node = '11111111-1111-4111-8111-111111111111';
      await postgres.query(RENEW_NODE, [node]);
      const draw = async (asked: Readonly<Record<string, unknown>>) => {
        const all = { organisation: 'acme', node, rowsPerDay: 1000, heldRows: 0, moreRows: 0 };
        const [row] = await postgres.query('SELECT draw_limits($1) AS drawn', [
          JSON.stringify({ ...all, slots: 0, usedSlots: 0, heldRequests: 0, ...asked }),
        ]);
        return JSON.parse(String(row?.['drawn']));
      };
      expect(await draw({ draw: 1, usedRows: 0, rows: 10, leastRows: 10 })).toMatchObject({
        counting: 'begin',
        rows: 0,
      });
      const used = { day: 100, month: 100 };
      const { number } = await draw({ draw: 2, usedRows: 0, rows: 10, leastRows: 10, used });
      const later = { number, usedRows: 300, rows: 50, leastRows: 50 };
      expect(await draw({ ...later, draw: 4 })).toMatchObject({ rows: 50, leftOfDay: 550 });
      expect(await draw({ ...later, draw: 3 })).toBeNull();
      expect(await draw({ ...later, draw: 5 })).toMatchObject({ rows: 50, leftOfDay: 550 });
    });

    test('what counts for nothing any more is removed', async () => {
      const [old, live] = [
        '11111111-1111-4111-8111-111111111111',
        '22222222-2222-4222-8222-222222222222',
      ];
      await postgres.query(RENEW_NODE, [live]);
      await postgres.query(`INSERT INTO limit_node VALUES ($1, now() - interval '2 hours')`, [old]);
      await postgres.query(
        `INSERT INTO limit_count (organisation, filled_at, number)
         VALUES ('acme', now(), 2), ('past', now() - interval '33 days', 1)`,
      );
      await postgres.query(
        `INSERT INTO limit_share (organisation, node, draw, number, rows)
         VALUES ('acme', $1, 1, 2, 10), ('acme', $2, 1, 2, 0), ('past', $1, 1, 1, 10)`,
        [old, live],
      );
      for (const statement of PRUNE) await postgres.query(statement);
      expect(await postgres.query('SELECT organisation FROM limit_count')).toEqual([
        { organisation: 'acme' },
      ]);
      // The rows of a machine that has ended count until the day ends.
      expect(await postgres.query('SELECT node FROM limit_share ORDER BY node')).toEqual([
        { node: old },
        { node: live },
      ]);
      expect(await postgres.query('SELECT node FROM limit_node')).toEqual([{ node: live }]);
      await postgres.query('UPDATE limit_count SET number = 3');
      for (const statement of PRUNE) await postgres.query(statement);
      expect(await postgres.query('SELECT node FROM limit_share')).toEqual([{ node: live }]);
    });

    test('while PostgreSQL is away, a machine that was idle knows what the others have used', {
      timeout: TIMEOUT_MS,
      tags: 'slow',
    }, async () => {
      const [one, other] = await start(2, { rowsPerDay: 2000 });
      // The other one has asked when nearly all was left.
      await other?.load({ perSecond: 20, forMs: 100, rowsMax: 1 });
      await one?.load({ perSecond: 200, forMs: 1000, rowsMax: 18 });
      await delay(6000);
      await server.stop('immediate');
      const load = { perSecond: 200, forMs: 1500, rowsMax: 20 };
      const reports = await Promise.all([one?.load(load), other?.load(load)]);
      await server.start();
      const { rows } = together(reports.filter((report) => report !== undefined));
      expect(rows).toBeGreaterThan(1500);
      expect(rows).toBeLessThanOrEqual(2000);
    });

    describe('while PostgreSQL crashes and is started again', () => {
      /** Sends load before, during and after it. All machines see that it is away, and that it is back. */
      const duringOutage = async (
        started: readonly LimitNode[],
        load: Partial<NodeLoad>,
      ): Promise<readonly NodeReport[]> => {
        let isOver = false;
        const outage = async (): Promise<void> => {
          await delay(1500);
          await server.stop('immediate');
          await observedByAll(started, 'shared_limits_away');
          await delay(1000);
          await server.start();
          await observedByAll(started, 'shared_limits_back');
          await delay(1500);
        };
        const run = async (node: LimitNode): Promise<void> => {
          const loads: Promise<unknown>[] = [];
          while (!isOver) {
            loads.push(node.load({ ...load, forMs: 300 }));
            await delay(300);
          }
          await Promise.all(loads);
        };
        const ended = outage().finally(() => {
          isOver = true;
        });
        await Promise.all([ended, ...started.map(run)]);
        return Promise.all(started.map((node) => node.report()));
      };

      test('requests stay within the rate', { timeout: TIMEOUT_MS, tags: 'slow' }, async () => {
        const rate = 150;
        const started = await start(3, { requestsPerSecond: rate });
        const reports = await duringOutage(started, { perSecond: rate });
        const { requests } = together(reports);
        const seconds = lengthOf(requests) / 1000;
        expect(requests.length).toBeLessThanOrEqual((rate * seconds + rate) * 1.05);
        // 0.95 or more on a quiet machine; a busy one begins each request late.
        expect(requests.length).toBeGreaterThanOrEqual(rate * seconds * 0.5);
        expect(new Set(await statesOf(started))).toEqual(
          new Set(['shared_limits_away', 'shared_limits_back']),
        );
      });

      test('rows stay within the limit, and those used meanwhile count', {
        timeout: TIMEOUT_MS,
        tags: 'slow',
      }, async () => {
        const limit = 20_000;
        const started = await start(3, { rowsPerDay: limit });
        // An outage of many seconds does not use up the part of a machine.
        const reports = await duringOutage(started, { perSecond: 120, rowsMax: 6 });
        const { rows } = await useUp(started, { perSecond: 200, rowsMax: 20 });
        // The knowledge of a machine about the others is some moments old when the database goes away.
        expect(rows).toBeLessThanOrEqual(limit * 1.005);
        expect(rows).toBeGreaterThanOrEqual(limit * 0.95);
        // On a machine that is busy, some are not answered in time.
        for (const { unknown, sent } of reports) {
          expect(unknown).toBeLessThanOrEqual(sent * 0.05);
        }
      });

      test('requests at the same time stay near the limit', {
        timeout: TIMEOUT_MS,
        tags: 'slow',
      }, async () => {
        const started = await start(3, { concurrentQueries: 12 });
        const reports = await duringOutage(started, { perSecond: 150, holdMs: 100 });
        const { requests } = together(reports);
        // On a machine that is busy, the parts that the machines know are older when the database goes away.
        expect(meanAtOnce(requests)).toBeLessThanOrEqual(12 * 1.25);
        // 0.95 or more on a quiet machine; a busy one begins each request late.
        expect(meanAtOnce(requests)).toBeGreaterThanOrEqual(12 * 0.5);
        // A machine that has all goes on with those that it has begun, and each other one begins its part.
        expect(mostAtOnce(requests)).toBeLessThanOrEqual(12 + 2 * 4);
        // Afterwards all can be used again, and no more.
        for (const node of started)
          void node.load({ perSecond: 50, forMs: 30_000, holdMs: 600_000 });
        await expect.poll(() => inProgress(started)).toBe(12);
        await Promise.all(started.map((node) => node.kill()));
      });
    });
  },
);

/** The observations of the nodes, without errors. */
async function statesOf(nodes: readonly LimitNode[]): Promise<readonly string[]> {
  const reports = await Promise.all(nodes.map((node) => node.report()));
  return reports.flatMap(({ observed }) => observed.map((one) => one.split(' ', 1).join()));
}

/** Waits until each node has observed it. */
async function observedByAll(nodes: readonly LimitNode[], kind: string): Promise<void> {
  const haveObserved = async (): Promise<readonly boolean[]> => {
    const reports = await Promise.all(nodes.map((node) => node.report()));
    return reports.map(({ observed }) => observed.some((one) => one.startsWith(kind)));
  };
  await expect.poll(haveObserved).toEqual(nodes.map(() => true));
}

async function inProgress(nodes: readonly LimitNode[]): Promise<number> {
  const reports = await Promise.all(nodes.map((node) => node.report()));
  return reports.reduce((sum, report) => sum + report.inProgress, 0);
}

type Spread = {
  readonly requests: NodeReport['requests'];
  readonly rows: number;
  readonly unknown: number;
};

/** Sends load in steps; in each, the nodes have other parts of it. */
async function spread(
  nodes: readonly LimitNode[],
  steps: readonly (readonly number[])[],
  load: Partial<NodeLoad> & { readonly perSecond: number },
): Promise<Spread> {
  for (const parts of steps) {
    const ofNodes = parts.slice(0, nodes.length);
    const all = ofNodes.reduce((sum, part) => sum + part, 0);
    await Promise.all(
      nodes.map((node, index) =>
        node.load({ ...load, perSecond: (load.perSecond * (ofNodes[index] ?? 0)) / all }),
      ),
    );
  }
  return together(await Promise.all(nodes.map((node) => node.report())));
}

/** Uses what is left of a limit of rows. The counts are those since the start. */
async function useUp(
  nodes: readonly LimitNode[],
  load: Partial<NodeLoad> & { readonly perSecond: number },
): Promise<Spread> {
  const all = { ...load, forMs: 0, untilRefused: true };
  return together(await Promise.all(nodes.map((node) => node.load(all))));
}

function together(reports: readonly NodeReport[]): Spread {
  return {
    requests: reports.flatMap(({ requests }) => requests).sort(([one], [other]) => one - other),
    rows: reports.reduce((sum, { rows }) => sum + rows, 0),
    unknown: reports.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}

function lengthOf(requests: Spread['requests']): number {
  return (requests.at(-1)?.[0] ?? 0) - (requests[0]?.[0] ?? 0);
}

/** The clocks of processes are the same to a millisecond. */
function mostAtOnce(requests: Spread['requests']): number {
  const events = requests
    .filter(([begunMs, endedMs]) => endedMs - begunMs > 2)
    .flatMap(([begunMs, endedMs]) => [
      { atMs: begunMs + 1, change: 1 },
      { atMs: endedMs - 1, change: -1 },
    ])
    .sort((one, other) => one.atMs - other.atMs);
  let now = 0;
  let most = 0;
  for (const { change } of events) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** Until the last request begins: then nothing more is asked for. */
function meanAtOnce(requests: Spread['requests']): number {
  const lastMs = requests.at(-1)?.[0] ?? 0;
  const sum = requests.reduce(
    (total, [begunMs, endedMs]) => total + (Math.min(endedMs, lastMs) - begunMs),
    0,
  );
  return sum / lengthOf(requests);
}
