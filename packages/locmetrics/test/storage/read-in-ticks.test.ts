import type { Field } from '@locmetrics/core/domain/field';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { Access } from '@locmetrics/row-store/engine/choose-access';
import { openRowEngine } from '@locmetrics/row-store/engine/open-row-engine';
import type { RowFile } from '@locmetrics/row-store/engine/open-row-file';
import { expect, test } from 'vitest';

/*
 * A page that is longer than the records that are read at once. The value of each record is its ordinal.
 */

const RECORDS = 1000;
const FIELD = { name: 'id', type: 'integer' } as Field;

const SERIES = new Map([
  ['a', { row: 0, end: 300 }],
  ['b', { row: 300, end: 301 }],
  ['d', { row: 500, end: 900 }],
]);

/** Blocks of 50 records, and no other function than those that such a page needs. */
const FILE = {
  facts: { records: RECORDS, seriesField: 'shop' },
  findSeries: (value: string) => SERIES.get(value),
  readBlocks: ({ row, end }: { row: number; end: number }) => {
    const blocks = [];
    for (let at = row; at < end; ) {
      const next = Math.min(end, at - (at % 50) + 50);
      const values = Array.from({ length: next - at }, (_, index) => at + index);
      blocks.push({ row: at, count: values.length, columns: [values] });
      at = next;
    }
    return blocks;
  },
} as unknown as RowFile;

const ALL = Array.from({ length: RECORDS }, (_, row) => row);
const IN_SERIES = ALL.filter((row) =>
  [...SERIES.values()].some((one) => row >= one.row && row < one.end),
);

/** The ordinals of a page, the last of them as its position, and whether more follow. */
async function read(access: Access, changes: Partial<RecordsPlan>) {
  const plan = {
    kind: 'records',
    version: { dataset: { name: 'test' }, version: 'v' },
    fields: [FIELD],
    predicates: [],
    order: [],
    keyDescending: false,
    limit: 100,
    ...changes,
  } as unknown as RecordsPlan;
  const page = await openRowEngine(() => FILE).run(plan, access, new AbortController().signal);
  const rows = page?.rows.map(([value]) => Number(value)) ?? [];
  return { rows, last: page?.positionAt(rows.length - 1).row, hasMore: page?.hasMore };
}

const PAGE: Access = { kind: 'page', row: 0, end: RECORDS };
const OF_SHOPS: Access = { kind: 'series', values: ['d', 'a', 'c', 'b', 'a'], proven: [] };

test.each<[string, Access, readonly number[]]>([
  ['all records', PAGE, ALL],
  ['the records of several series', OF_SHOPS, IN_SERIES],
])('a long page of %s has each record once, in both orders', async (_, access, ascending) => {
  for (const keyDescending of [false, true]) {
    const ordered = keyDescending ? ascending.toReversed() : ascending;
    for (const [from, limit] of [
      [0, 128],
      [0, 5000],
      [127, 129],
      [300, 257],
      [ascending.length - 3, 2],
    ] as const) {
      const row = ordered[from - 1];
      const after = row === undefined ? {} : { after: { row, orderValues: [] } };
      const rows = ordered.slice(from, from + limit);
      expect(await read(access, { keyDescending, limit, ...after })).toEqual({
        rows,
        last: rows.at(-1),
        hasMore: from + limit < ordered.length,
      });
    }
  }
});
