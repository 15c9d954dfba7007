// @module-tag slow

import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { createTestData } from '../../edge/test-data.ts';
import { openTestServer } from '../../edge/test-server.ts';
import { draftFor } from './draft-under-test.ts';

/** The totals of measures in each period, as the service adds them up, are those of the source as another reader adds them up. */

const EXAMPLES = fileURLToPath(new URL('../../../../../examples/', import.meta.url));

type Row = Readonly<Record<string, string>>;

type Totals = {
  readonly example: string;
  /** The file with the values. */
  readonly file: string;
  readonly encoding?: string;
  /** The line of its header. */
  readonly fromLine?: number;
  readonly dataset: string;
  readonly measure: string;
  readonly start: string;
  /** The periods and values of a row. */
  readonly valuesOf: (row: Row) => readonly (readonly [start: string, text: string | undefined])[];
};

const year = (text: string | undefined): string => `${text}-01-01`;
const isYear = (name: string): boolean => /^\d{4}$/.test(name);

const TOTALS: readonly Totals[] = [
  {
    example: 'library-visits',
    file: 'tpl-visits-annual-by-branch.csv',
    dataset: 'tpl_visits_annual_by_branch',
    measure: 'visits',
    start: 'year_start',
    valuesOf: (row) => [[year(row['Year']), row['Visits']]],
  },
  {
    example: 'county-mobility',
    file: 'DL-us-mobility-daterow.csv.gz',
    dataset: 'dl_us_mobility_daterow',
    measure: 'samples',
    start: 'date',
    valuesOf: (row) => [[row['date'] ?? '', row['samples']]],
  },
  {
    example: 'bridge-counts',
    file: 'FremontHourly.csv',
    dataset: 'fremont_hourly',
    measure: 'fremont_bridge_nb',
    start: 'date',
    valuesOf: (row) => {
      const [month, day, of] = (row['Date'] ?? '').split(' ')[0]?.split('/') ?? [];
      return [[`${of}-${month}-${day}`, row['Fremont Bridge NB']]];
    },
  },
  {
    example: 'park-traffic',
    file: 'foot_traffic_month.csv',
    dataset: 'foot_traffic_month',
    measure: 'visits_sum',
    start: 'month_start',
    valuesOf: (row) => [[row['observation_start_date'] ?? '', row['visits_sum']]],
  },
  {
    example: 'park-visits',
    file: 'US-National-Parks_Use_1979-2023_By-Month.csv',
    dataset: 'us_national_parks_use_1979_2023_by_month',
    measure: 'tent_campers',
    start: 'month_start',
    valuesOf: (row) => [
      [`${row['Year']}-${String(row['Month']).padStart(2, '0')}-01`, row['TentCampers']],
    ],
  },
  {
    example: 'yearly-park-visits',
    file: 'US-All-National-Parks_RecreationVisits_1979-2024.csv',
    dataset: 'us_all_national_parks_recreation_visits_1979_2024',
    measure: 'recreation_visits',
    start: 'year_start',
    valuesOf: (row) => [[year(row['Year']), row['RecreationVisits']]],
  },
  {
    example: 'world-population',
    file: 'API_SP.POP.TOTL_DS2_en_csv_v2.csv',
    fromLine: 5,
    dataset: 'api_sp_pop_totl_ds2_en_csv_v2',
    measure: 'value',
    start: 'year_start',
    valuesOf: (row) =>
      Object.entries(row).flatMap(([name, text]) => (isYear(name) ? [[year(name), text]] : [])),
  },
  {
    example: 'metropolitan-areas',
    file: 'cbsa-est2019-alldata.csv',
    encoding: 'iso-8859-1',
    dataset: 'cbsa_est2019_alldata',
    measure: 'births',
    start: 'year_start',
    valuesOf: (row) =>
      Object.entries(row).flatMap(([name, text]) => {
        const [, of] = /^BIRTHS(\d{4})$/.exec(name) ?? [];
        return of === undefined ? [] : [[year(of), text]];
      }),
  },
];

test.each(TOTALS)('$example: the totals of $measure are those of the file', async (totals) => {
  const { example, file, dataset, measure, start } = totals;
  const data = await createTestData();
  try {
    const folder = await data.folder('drafted');
    const extract = join(EXAMPLES, example, 'extract');
    const files = (await readdir(extract)).map((name) => join(extract, name));
    const { text } = await draftFor(folder, files);
    const manifestPath = join(folder, 'locmetrics.yaml');
    await writeFile(manifestPath, text);
    await data.publishManifest(manifestPath);
    const server = await openTestServer(data);
    try {
      const { body, status } = await server.post('listRecords', {
        dataReferenceName: `extract.${dataset}`,
        groupBy: [{ fieldName: start }],
        fields: [start, { name: measure, aggregation: 'SUM' }],
        typedValues: true,
        pageSize: 1000,
      });
      expect([status, body.nextPageToken]).toEqual([200, '']);
      const served = new Map(
        body.records.map(({ fields }) => [String(fields[start]), fields[measure]]),
      );
      const source = sourceTotals(join(extract, file), totals);
      expect(source.size).toBeGreaterThan(0);
      expect(served).toEqual(source);
    } finally {
      await server.close();
    }
  } finally {
    await data.remove();
  }
});

/** The sums by period, read by another reader. A period without any value has none. */
function sourceTotals(
  path: string,
  { encoding = 'utf-8', fromLine = 1, valuesOf }: Totals,
): ReadonlyMap<string, number | null> {
  const bytes = readFileSync(path);
  const text = new TextDecoder(encoding).decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  const rows: readonly Row[] = parse(text, {
    bom: true,
    columns: true,
    from_line: fromLine,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  const totals = new Map<string, number | null>();
  for (const [period, value = ''] of rows.flatMap(valuesOf)) {
    const before = totals.get(period) ?? null;
    totals.set(period, value === '' ? before : (before ?? 0) + Number(value));
  }
  return totals;
}
