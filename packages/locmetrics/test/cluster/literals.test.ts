import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import { foldColumn, ROW_COLUMN, searchColumn } from '@locmetrics/cluster/clickhouse/record-table';
import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { PresentValue } from '@locmetrics/core/domain/value';
import { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import { openParameterList } from '@locmetrics/core/sql/parameter-list';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { NUMBER_EDGES } from '../conformance/number-edges.ts';
import { announceSeed } from '../support/test-seed.ts';
import { CLUSTER_URLS } from './cluster-engine.ts';
import { oldDialect } from './old-dialect.ts';
import { openOldDriver } from './open-old-driver.ts';

const layout = { recordTable: () => 'none', rowColumn: ROW_COLUMN, foldColumn, searchColumn };
const driver = openOldDriver(CLUSTER_URLS ?? []);
afterAll(driver.close);

const RUNS = 100;
const INTEGER_EDGES = [0n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
const SPECIAL_TEXTS = [
  "'",
  '"',
  '\\',
  "\\'",
  '`',
  '\0',
  '{p1:String}',
  '\\N',
  '\t',
  '\n',
  '\r',
  '/*',
  '--',
];
const MS_PER_DAY = 86_400_000;

const text = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL_TEXTS), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));
const integer = fc.oneof(
  fc.constantFrom(...INTEGER_EDGES),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const float = fc.oneof(
  fc.constantFrom(...NUMBER_EDGES, ...NUMBER_EDGES.map((edge) => -edge), -0, 5e-324, 1.5e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const date = fc
  .integer({
    min: Date.parse('0001-01-01') / MS_PER_DAY,
    max: Date.parse('9999-12-31') / MS_PER_DAY,
  })
  .map((day) => dayText(day * MS_PER_DAY));

test('every text is read back as it was written', async () => {
  await expectRead(
    'string',
    text,
    (value) => value,
    (value) => value,
  );
});

test('every whole number of 64 bits is read back as it was written', async () => {
  await expectRead(
    'integer',
    integer,
    (value) => value,
    (value) => value,
  );
});

test('every double is read back by its bits', async () => {
  // JSON of the server has no -0, so the bits are compared.
  await expectRead(
    'float',
    float,
    (value) => `toString(reinterpretAsUInt64(reinterpretAsString(${value})))`,
    bitsOf,
  );
});

test('booleans are read back as they were written', async () => {
  await expectRead('boolean', fc.boolean(), (value) => value, Number);
});

test('days are read back as they were written', async () => {
  await expectRead(
    'date',
    date,
    (value) => value,
    (value) => value,
  );
});

test.each([
  ['1895-01-01', '2105-12-31', 1],
  ['0001-01-01', '9999-12-31', 37],
])('days from %s to %s, each %d., have their text', async (from, to, step) => {
  const first = Date.parse(from) / MS_PER_DAY;
  const count = Math.floor((Date.parse(to) / MS_PER_DAY - first) / step) + 1;
  const day = oldDialect(layout, new Map()).textOf('date', `toInt32(number * ${step} + ${first})`);
  const rows = await query(`SELECT ${day} FROM numbers(${count})`, []);
  const days = Array.from({ length: count }, (_, index) => first + index * step);
  expect(rows.map(([text]) => text)).toEqual(days.map((one) => dayText(one * MS_PER_DAY)));
});

/** Values are written one by one, as a list, and as items of a list, and read as the expression of each. */
async function expectRead<Written extends PresentValue>(
  type: FieldType,
  values: fc.Arbitrary<Written>,
  read: (value: string) => string,
  expected: (value: Written) => unknown,
): Promise<void> {
  const seed = announceSeed(`literals of the type ${type} in a cluster`);
  const dialect = clickhouseDialect(layout);
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 20 }), async (written) => {
      const list = openParameterList(dialect);
      const all = list.bindList(type, written);
      const single = written.map((value) => read(list.bind(type, value)));
      const items = written.map((_, index) =>
        read(list.bindItem(type, written, String(index + 1))),
      );
      const [row = []] = await query(`SELECT ${[...single, ...items].join(', ')}`, list.parameters);
      const wanted = written.map(expected);
      expect(row).toEqual([...wanted, ...wanted]);
      const named = all.replace(/\)$/, ' AS _one)');
      const listed = await query(`SELECT ${read('_one')} FROM ${named}`, list.parameters);
      expect(listed.map(([value]) => value)).toEqual(wanted);
    }),
    { seed, numRuns: RUNS },
  );
}

function query(statement: string, parameters: ReturnType<typeof openParameterList>['parameters']) {
  const { signal } = new AbortController();
  return driver.query({ text: statement, parameters }, { settings: QUERY_SETTINGS, signal });
}

function bitsOf(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return String(bytes.readBigUInt64LE());
}
