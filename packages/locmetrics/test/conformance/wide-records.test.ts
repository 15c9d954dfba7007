import type { LineFormat } from '@locmetrics/core/domain/line-format';
import { expect, test } from 'vitest';
import { ENGINES } from './engines.ts';
import { useService } from './service-under-test.ts';
import { defineTable } from './table.ts';
import { describeOn } from './test-on.ts';

const RECORDS = 3000;
const NARROW = 'n'.repeat(10);
const WIDE = 'é'.repeat(10_000);
/** More than half of the records are narrow, and all others follow them. */
const FIRST_WIDE = 2000;

describeOn(ENGINES)('a batch of records, $name engine', (engine) => {
  const table = defineTable({
    name: 'conformance.wide',
    fields: { id: 'integer', text: 'string' },
    rows: Array.from({ length: RECORDS }, (_, index) => ({
      id: BigInt(index),
      text: index < FIRST_WIDE ? NARROW : WIDE,
    })),
  });
  const service = useService(engine, table);
  const { version } = table;
  const run = (
    range: { readonly from: number; readonly end: number; readonly textBytesMax: number },
    lines?: LineFormat,
  ) => {
    const { fields } = version.dataset;
    const plan = { kind: 'batch', version, fields, predicates: [], lines, ...range } as const;
    return service.context().engine.run(plan, new AbortController().signal);
  };

  test('ends before its texts have more bytes than it may have', async () => {
    const wide = Buffer.byteLength(WIDE);
    const narrow = FIRST_WIDE * NARROW.length;
    const { size, end } = await run({ from: 0, end: RECORDS, textBytesMax: narrow + 20 * wide });
    expect(size).toBe(end);
    // An engine may end it a bit earlier.
    expect(end).toBeGreaterThanOrEqual(FIRST_WIDE);
    expect(end).toBeLessThanOrEqual(FIRST_WIDE + 20);
    const lines = await run({ from: FIRST_WIDE, end: RECORDS, textBytesMax: 3 * wide }, 'csv');
    expect(lines.end).toBeGreaterThan(FIRST_WIDE);
    expect(lines.end).toBeLessThanOrEqual(FIRST_WIDE + 3);
  });

  test('has a record that is wider than that', async () => {
    const { size, end } = await run({ from: FIRST_WIDE, end: RECORDS, textBytesMax: 1 });
    expect([size, end]).toEqual([1, FIRST_WIDE + 1]);
  });

  test('is whole if its texts have as many bytes as it may have', async () => {
    const { size, end } = await run({ from: 0, end: 100, textBytesMax: 100 * NARROW.length });
    expect([size, end]).toEqual([100, 100]);
  });
});
