import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { VERSION_WRITERS } from '../../src/commands/version-writers.ts';
import { publish } from '../../src/importer/publish/publish.ts';
import { COLUMN_FILE } from '../../src/storage/duckdb/record-table.ts';
import { dataDirectory } from '../../src/versions/data-directory.ts';
import { readRows } from './import-files.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));

type Records = readonly Readonly<Record<string, string | null>>[];

/** Publishes the extract of an example, and returns the records of its datasets. */
async function publishExample(name: string): Promise<ReadonlyMap<string, Records>> {
  await using folder = await makeTemporaryFolder();
  const directory = dataDirectory(folder.path);
  const published = await publish({
    ...WHOLE_PUBLISH,
    manifestPath: join(EXAMPLES, name, 'locmetrics.yaml'),
    filesDirectory: join(EXAMPLES, name, 'extract'),
    datasetNames: [],
    directory,
    writers: VERSION_WRITERS,
    acceptsGrantLosses: false,
    findGrantLosses: () => [],
    memoryLimitBytes: 2 ** 29,
    threads: 2,
    clock: () => Date.UTC(2026, 0, 1),
  });
  const records = new Map<string, Records>();
  for (const { version } of published.datasets) {
    const file = join(directory.version(version.dataset.name, version.version), COLUMN_FILE);
    const { columns, rows } = await readRows(file);
    records.set(
      version.dataset.name,
      rows.map((row) =>
        Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
      ),
    );
  }
  return records;
}

/** The rows of the extract as another reader reads them. */
async function sourceRows(
  path: string,
  {
    encoding = 'utf-8',
    fromLine = 1,
  }: { readonly encoding?: string; readonly fromLine?: number } = {},
): Promise<readonly Readonly<Record<string, string>>[]> {
  const text = new TextDecoder(encoding).decode(await readFile(join(EXAMPLES, path)));
  return parse(text, { columns: true, from_line: fromLine, skip_empty_lines: true });
}

function sum(values: readonly (string | null | undefined)[]): number {
  return values.reduce((total, value) => total + Number(value ?? 0), 0);
}

test('every example has a test, an origin and an extract', async () => {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(names.toSorted()).toEqual([
    'bridge-counts',
    'geographic-codes',
    'library-visits',
    'metropolitan-areas',
    'park-visits',
    'world-population',
  ]);
  const table = await readFile(join(EXAMPLES, 'README.md'), 'utf8');
  for (const name of names) {
    expect(table).toContain(`[${name}](${name}/locmetrics.yaml)`);
    expect((await readdir(join(EXAMPLES, name))).toSorted()).toEqual([
      'ORIGIN.md',
      'extract',
      'locmetrics.yaml',
    ]);
  }
});

test('hours of two directions are added up to days, also the hour that there is twice', async () => {
  const records = (await publishExample('bridge-counts')).get('seattle.bridge_counts') ?? [];
  const rows = await sourceRows('bridge-counts/extract/FremontHourly.csv');
  for (const [direction, column] of [
    ['NB', 'Fremont Bridge NB'],
    ['SB', 'Fremont Bridge SB'],
  ] as const) {
    const days = records.filter((record) => record['direction'] === direction);
    expect(sum(days.map(({ bicycles }) => bicycles))).toBe(sum(rows.map((row) => row[column])));
    const [first] = days;
    const ofDay = rows.filter(({ Date: time }) => time?.startsWith('11/04/2012'));
    expect([first?.['day'], Number(first?.['bicycles'])]).toEqual([
      '2012-11-04',
      sum(ofDay.map((row) => row[column])),
    ]);
  }
  expect(records).toHaveLength(8);
});

test('a sheet with several levels of geography is a table of counties', async () => {
  const records = (await publishExample('geographic-codes')).get('census.counties') ?? [];
  expect(records).toHaveLength(3 + 33);
  expect(
    records.filter(({ state_fips }) => state_fips === '10').map(({ fips, name }) => [fips, name]),
  ).toEqual([
    ['10001', 'Kent County'],
    ['10003', 'New Castle County'],
    ['10005', 'Sussex County'],
  ]);
  expect(records.find(({ fips }) => fips === '35013')?.['name']).toBe('Doña Ana County');
});

test('branches without coordinates are kept, and a year is a period', async () => {
  const published = await publishExample('library-visits');
  const branches = published.get('toronto.library_branches') ?? [];
  const visits = published.get('toronto.library_visits') ?? [];
  expect(branches.map(({ code, opened, has_youth_hub }) => [code, opened, has_youth_hub])).toEqual([
    ['AB', '2017-01-01', 'true'],
    ['ACD', '1971-01-01', 'true'],
    ['AD', '1999-01-01', 'false'],
    ['YW', '1907-01-01', 'false'],
  ]);
  const rows = await sourceRows('library-visits/extract/tpl-visits-annual-by-branch.csv');
  expect(sum(visits.map((record) => record['visits']))).toBe(sum(rows.map(({ Visits }) => Visits)));
  expect(visits[0]).toMatchObject({ year_start: '2012-01-01', year_end: '2012-12-31' });
});

test('areas in ISO-8859-1 with a column for each measure and year are rows', async () => {
  const records =
    (await publishExample('metropolitan-areas')).get('census.metropolitan_areas') ?? [];
  const rows = await sourceRows('metropolitan-areas/extract/cbsa-est2019-alldata.csv', {
    encoding: 'latin1',
  });
  const areas = rows.filter(({ LSAD }) => LSAD?.endsWith('Statistical Area'));
  expect(records).toHaveLength(areas.length * 10);
  for (const year of ['2010', '2019']) {
    const ofYear = records.filter(({ year_start }) => year_start === `${year}-01-01`);
    for (const [field, measure] of [
      ['population', 'POPESTIMATE'],
      ['births', 'BIRTHS'],
      ['deaths', 'DEATHS'],
    ] as const) {
      expect(sum(ofYear.map((record) => record[field]))).toBe(
        sum(areas.map((row) => row[`${measure}${year}`])),
      );
    }
  }
});

test('year and month in two columns are a period', async () => {
  const records = (await publishExample('park-visits')).get('parks.visits') ?? [];
  const rows = await sourceRows('park-visits/extract/US-National-Parks_Use_1979-2023_By-Month.csv');
  expect(records).toHaveLength(rows.length);
  for (const [field, column] of [
    ['visits', 'RecreationVisits'],
    ['other_visits', 'NonRecreationVisits'],
  ] as const) {
    expect(sum(records.map((record) => record[field]))).toBe(sum(rows.map((row) => row[column])));
  }
  expect(records[1]).toMatchObject({
    park_code: 'ACAD',
    region: 'Northeast',
    month_start: '1979-02-01',
    month_end: '1979-02-28',
  });
});

test('a column for each year below lines of text is a row for each year', async () => {
  const records = (await publishExample('world-population')).get('world.population') ?? [];
  const rows = await sourceRows('world-population/extract/API_SP.POP.TOTL_DS2_en_csv_v2.csv', {
    fromLine: 5,
  });
  const years = Array.from({ length: 57 }, (_, index) => String(1960 + index));
  for (const row of rows) {
    const ofCountry = records.filter((record) => record['country_code'] === row['Country Code']);
    const present = years.filter((year) => row[year] !== '');
    expect(ofCountry.map(({ year_start }) => year_start)).toEqual(
      present.map((year) => `${year}-01-01`),
    );
    expect(sum(ofCountry.map(({ population }) => population))).toBe(
      sum(present.map((year) => row[year])),
    );
  }
});
