import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { drafted } from './draft-under-test.ts';

test('a blank code in Parquet is filled with the next one', async () => {
  const { text, rows, metrics } = await drafted({
    'a.parquet':
      await parquetOf(`SELECT CASE WHEN n % 3 = 0 THEN NULL ELSE '0100' || (n % 3) END AS fips,
      'US' AS country_code, DATE '2020-09-07' + (n // 3)::INTEGER AS day, n * 7 AS visits FROM range(9) t(n)`),
  });
  expect(text).toContain('key: [place_id, day]');
  expect(rows).toHaveLength(9);
  expect(rows[8]).toMatchObject({ place_id: 'US', day: '2020-09-09', visits: '42' });
  expect(metrics).toHaveLength(1);
});

test('timestamps of Parquet at midnight are the days of a week without its end', async () => {
  const { text, rows, metrics } = await drafted({
    'a.parquet':
      await parquetOf(`SELECT 'p' || n AS place_id, TIMESTAMP '2020-09-07' AS date_range_start,
      TIMESTAMP '2020-09-14' AS date_range_end, n * 7 AS visits FROM range(4) t(n)`),
  });
  expect(text).toContain('date_range_end: { type: date, end: exclusive }');
  expect(rows[1]).toMatchObject({ date_range_start: '2020-09-07', date_range_end: '2020-09-13' });
  expect(metrics).toHaveLength(1);
});

test('places with their values by day in Parquet become a layer and a metric', async () => {
  const { metrics, records } = await drafted({
    'a.parquet':
      await parquetOf(`SELECT 'S' || (n % 3) AS station, 'Name ' || (n % 3) AS name, 47.1 + (n % 3) / 10.0 AS lat,
      8.1 AS lng, DATE '2024-01-01' + (n // 3)::INTEGER AS day, n * 7 AS visits FROM range(12) t(n)`),
  });
  expect(metrics).toHaveLength(1);
  expect([...records.values()].map((rows) => rows.length)).toEqual([3, 12]);
});

test('codes of several lengths that were numbers are compared as texts', async () => {
  const places = [1, 2, 3, 34, 35].flatMap((code) =>
    [2021, 2022, 2023].map((year) => `${code};Place ${code};${year};${code * 1000 + year}`),
  );
  const { text, metrics } = await drafted({
    'a.csv': `İl kodu;İl;Yıl;Toplam\n${places.join('\n')}\n`,
  });
  expect(text).toContain('key: [il_kodu, year_start]');
  expect(metrics).toHaveLength(1);
});
