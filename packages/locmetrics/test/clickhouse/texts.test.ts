import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import { foldColumn, ROW_COLUMN, searchColumn } from '@locmetrics/cluster/clickhouse/record-table';
import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { PresentValue, Value } from '@locmetrics/core/domain/value';
import { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import { openParameterList } from '@locmetrics/core/sql/parameter-list';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NUMBER_EDGES } from '../conformance/number-edges.ts';
import { announceSeed } from '../support/test-seed.ts';
import { openChdbDriver } from './open-chdb.ts';

const dialect = clickhouseDialect({
  recordTable: () => 'none',
  rowColumn: ROW_COLUMN,
  foldColumn,
  searchColumn,
});
const driver = openChdbDriver();
const MS_PER_DAY = 86_400_000;

test('every double is bound exactly, and its text is that of JavaScript', async () => {
  const seed = announceSeed('number text in ClickHouse');
  const random = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    seed,
    numRuns: 5_000,
  });
  const numbers = [...NUMBER_EDGES, ...NUMBER_EDGES.map((edge) => -edge), ...random].map(
    (number) => number + 0,
  );
  for (const some of chunks(numbers, 20)) {
    expect(await writeValues('float', some)).toEqual(
      some.map((number) => [number, String(number)]),
    );
  }
});

test('every whole number is bound exactly, with its text', async () => {
  const edges = [0n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
  expect(await writeValues('integer', edges)).toEqual(edges.map((edge) => [edge, String(edge)]));
});

test('days are bound and read back as their text', async () => {
  const days = ['0001-01-01', '1899-12-31', '1969-12-31', '1970-01-01', '2024-02-29', '9999-12-31'];
  expect(await writeValues('date', days)).toEqual(days.map((day) => [day, day]));
});

test('every text is bound as it is, whatever it means in SQL or in JSON', async () => {
  const seed = announceSeed('texts in ClickHouse');
  const special = [`'`, '"', '\\', "\\'", '`', '{p1:String}', '\\N', '\t', '\n', '\r', '/*', '--'];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...special), fc.string({ unit: 'binary' })))
    .map((parts) => parts.join('').replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 10 }), async (texts) => {
      expect(await writeValues('string', texts)).toEqual(texts.map((one) => [one, one]));
      expect(await listed(texts)).toEqual(new Set(texts));
    }),
    { seed, numRuns: 200 },
  );
});

test('every day from year 1 to 9999 has its text', async () => {
  const first = Date.parse('0001-01-01') / MS_PER_DAY;
  const last = Date.parse('9999-12-31') / MS_PER_DAY;
  const days = `toInt32(number + ${first})`;
  const rows = await query(
    `SELECT ${dialect.textOf('date', days)} FROM numbers(${last - first + 1}) ORDER BY number`,
  );
  const wrong = rows.filter(([text], index) => text !== dayText((first + index) * MS_PER_DAY));
  expect(wrong).toEqual([]);
  expect(rows).toHaveLength(3_652_059);
});

/** Each value as it comes back, and its text. */
function writeValues(type: FieldType, values: readonly PresentValue[]) {
  const list = openParameterList(dialect);
  const rows = values.map((value) => {
    const bound = list.bind(type, value);
    return `SELECT ${bound}, ${dialect.textOf(type, bound)}`;
  });
  // Answers are not streamed in the order of a union, so each row has its place.
  const text = rows.map((row, index) => `${row}, ${index} AS _place`).join(' UNION ALL ');
  return query(`SELECT * EXCEPT (_place) FROM (${text}) ORDER BY _place`, list.parameters);
}

async function listed(texts: readonly string[]) {
  const list = openParameterList(dialect);
  const rows = await query(`SELECT * FROM ${list.bindList('string', texts)}`, list.parameters);
  return new Set(rows.map(([text]) => text));
}

function query(
  text: string,
  parameters: ReturnType<typeof openParameterList>['parameters'] = [],
): Promise<readonly (readonly Value[])[]> {
  const { signal } = new AbortController();
  return driver.query({ text, parameters }, { settings: QUERY_SETTINGS, signal });
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
