import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import { toUsageLine } from '@locmetrics/server/metering/usage-line';
import type { UsagePeriod, UsageQuery } from '@locmetrics/server/metering/usage-query';
import type { UsageStore } from '@locmetrics/server/metering/usage-store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { RECORD } from './usage-record.ts';

const at = (text: string) => Date.parse(text);
const MARCH: UsageQuery = {
  organisationId: 'acme',
  from: '2026-03-01',
  to: '2026-03-31',
  groupBy: ['day'],
  after: undefined,
  rowsMax: 100,
};

const USED: readonly Partial<UsageRecord>[] = [
  { time: at('2026-02-28T23:59:59.999Z'), rows: 1000 },
  { time: at('2026-03-01T00:00:00.000Z'), rows: 1, bytes: 10 },
  { time: at('2026-03-01T12:00:00.000Z'), rows: 2, bytes: 20, tokenId: 'token2' },
  { time: at('2026-03-31T23:59:59.999Z'), rows: 4, bytes: 40, resource: 'shop/customers' },
  { time: at('2026-04-01T00:00:00.000Z'), rows: 2000 },
  { time: at('2026-03-05T00:00:00.000Z'), rows: 8, bytes: 80, organisationId: 'globex' },
];

/** Merged usage is queried, in a store of any kind. */
export function testReading(place: () => UsagePlace): void {
  let store: UsageStore;
  beforeEach(async () => {
    store = await openUsageStore(place());
  });
  afterEach(() => store.close());

  const read = (query: UsageQuery) => store.reading((reads) => reads.read(query));
  const usedRows = (organisationId: string, day: string) =>
    store.reading((reads) => reads.usedRows(organisationId, day));
  const recordsOf = (query: UsagePeriod & { readonly organisationId: string }) =>
    store.reading(async (reads) => {
      const found: UsageRecord[] = [];
      for await (const record of reads.records(query)) found.push(record);
      return found;
    });

  let segments = 0;
  async function merge(records: readonly Partial<UsageRecord>[]): Promise<void> {
    segments += 1;
    await mkdir(place().segments, { recursive: true });
    const lines = records.map((record) => toUsageLine({ ...RECORD, ...record }));
    await writeFile(join(place().segments, `${segments}-a.done.ndjson`), lines.join(''));
    await store.merge();
  }

  test('usage of one organisation is summed over UTC days, including both ends', async () => {
    await merge(USED);
    expect(await read(MARCH)).toEqual({
      rows: [
        { groups: ['2026-03-01'], requests: 2, rows: 3, bytes: 30 },
        { groups: ['2026-03-31'], requests: 1, rows: 4, bytes: 40 },
      ],
      hasMore: false,
      total: { requests: 3, rows: 7, bytes: 70 },
    });
  });

  test('usage is grouped by the requested columns, in that order', async () => {
    await merge(USED);
    const rowsOf = async (query: Partial<UsageQuery>) =>
      (await read({ ...MARCH, ...query })).rows.map(({ groups, rows }) => [...groups, rows]);
    expect(await rowsOf({ groupBy: ['dataset'] })).toEqual([
      ['shop.stores', 3],
      ['shop/customers', 4],
    ]);
    expect(await rowsOf({ groupBy: ['token', 'day'] })).toEqual([
      ['token1', '2026-03-01', 1],
      ['token1', '2026-03-31', 4],
      ['token2', '2026-03-01', 2],
    ]);
    expect(
      await rowsOf({ groupBy: ['organisation', 'operation'], organisationId: undefined }),
    ).toEqual([
      ['acme', 'listRecords', 7],
      ['globex', 'listRecords', 8],
    ]);
  });

  test('several merges add to the same sums', async () => {
    await merge(USED);
    await merge(USED);
    expect((await read(MARCH)).total).toEqual({ requests: 6, rows: 14, bytes: 140 });
  });

  test('pages are ordered by the values of their groups', async () => {
    await merge(USED);
    const query: UsageQuery = { ...MARCH, groupBy: ['token', 'dataset'], rowsMax: 1 };
    const first = await read(query);
    expect(first).toMatchObject({ rows: [{ groups: ['token1', 'shop.stores'] }], hasMore: true });
    const second = await read({ ...query, after: first.rows[0]?.groups });
    expect(second).toMatchObject({
      rows: [{ groups: ['token1', 'shop/customers'] }],
      hasMore: true,
    });
    const third = await read({ ...query, after: second.rows[0]?.groups });
    expect(third).toMatchObject({ rows: [{ groups: ['token2', 'shop.stores'] }], hasMore: false });
    expect(third.total).toEqual(first.total);
  });

  test('a period without usage has no rows and zero sums', async () => {
    const total = { requests: 0, rows: 0, bytes: 0 };
    expect(await read(MARCH)).toEqual({ rows: [], hasMore: false, total });
  });

  test('the rows of a day and of its month are returned', async () => {
    await merge(USED);
    expect(await usedRows('acme', '2026-03-01')).toEqual({ day: 3, month: 7 });
    expect(await usedRows('acme', '2026-03-02')).toEqual({ day: 0, month: 7 });
    expect(await usedRows('acme', '2026-02-28')).toEqual({ day: 1000, month: 1000 });
    expect(await usedRows('initech', '2026-03-01')).toEqual({ day: 0, month: 0 });
  });

  test('rows that were looked at are counted apart', async () => {
    const viewed = {
      time: at('2026-03-01T13:00:00.000Z'),
      rows: 50,
      operation: 'listRecords:view',
    };
    await merge([...USED, viewed, { ...viewed, time: at('2026-03-02T13:00:00.000Z') }]);
    expect(await usedRows('acme', '2026-03-01')).toEqual({ day: 3, month: 7 });
    expect(await usedRows('acme:view', '2026-03-01')).toEqual({ day: 50, month: 100 });
    expect(await usedRows('globex:view', '2026-03-01')).toEqual({ day: 0, month: 0 });
  });

  test('single records are ordered by time', async () => {
    await merge([USED[3] ?? {}, ...USED]);
    const times = (await recordsOf({ ...MARCH, organisationId: 'acme' })).map(({ time }) => time);
    expect(times).toEqual([...times].sort());
    expect(times).toHaveLength(4);
    expect(await recordsOf({ ...MARCH, organisationId: 'globex' })).toEqual([
      { ...RECORD, ...USED[5] },
    ]);
  });

  test('old single records are removed, and their sums stay', async () => {
    const old = Array.from({ length: 2500 }, () => ({ time: at('2026-03-10T00:00:00Z') }));
    await merge([...old, { time: Date.now(), requestId: 'new' }]);
    const before = await read({ ...MARCH, to: '9999-12-31' });
    await store.prune(30 * 86_400_000);
    const left = await recordsOf({ organisationId: 'acme', from: '1970-01-01', to: '9999-12-31' });
    expect(left.map(({ requestId }) => requestId)).toEqual(['new']);
    expect(await read({ ...MARCH, to: '9999-12-31' })).toEqual(before);
  });
}
