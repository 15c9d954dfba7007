import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { readPeriodText } from '@locmetrics/core/dates/period-text';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import {
  type DataDirectory,
  dataDirectory,
  REPORT_FILE,
  VERSION_FILE,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { verifyDerived, verifyVersion } from '@locmetrics/data-directory/versions/verify-version';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { ImportError } from '@locmetrics/ingest/problems/import-error';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import {
  type Published,
  type PublishOptions,
  publish,
} from '@locmetrics/ingest/publish/publish-datasets';
import { RefusedCheck } from '@locmetrics/ingest/publish/refused-check';
import { repairVersion } from '@locmetrics/ingest/publish/repair-version';
import { ROW_FILE } from '@locmetrics/row-store/row-file';
import { beforeEach, expect, test } from 'vitest';
import { replaceParts } from '../manifest/manifest-under-test.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { temporaryFolder, withoutFolders } from '../support/temporary-folder.ts';
import { announceSeed } from '../support/test-seed.ts';
import { readRows } from './import-files.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

let folder = '';
let directory: DataDirectory;
let clock: number;

beforeEach(async () => {
  folder = temporaryFolder();
  directory = dataDirectory(join(folder, 'data'));
  clock = Date.parse('2024-06-01T00:00:00.000Z');
});

const MANIFEST = `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [shop, first]
    period: { start: first, end: last }
    fields:
      shop: { type: string }
      first: { type: date }
      last: { type: date }
      visits: { type: integer }
`;
const HEADER = 'shop,first,last,visits';
const JANUARY = ['Á,2024-01-01,2024-01-31,5', 'B,2024-01-01,2024-01-31,7'];
const FEBRUARY = ['Á,2024-02-01,2024-02-29,6', 'B,2024-02-01,2024-02-29,8'];
const MARCH = ['Á,2024-03-01,2024-03-31,', 'C,2024-03-01,2024-03-31,9'];

const APPEND = { mode: { kind: 'append' } } as const;

function replacing(text: string): Pick<PublishOptions, 'mode'> {
  const period = readPeriodText(text);
  if (period === undefined) throw new Error(`'${text}' is no period.`);
  return { mode: { kind: 'replace-period', ...period } };
}

/** Publishes these rows a minute after the previous publish. */
async function publishRows(
  rows: readonly string[],
  options: Partial<PublishOptions> & { readonly manifest?: string } = {},
): Promise<Published> {
  clock += 60_000;
  const { manifest = MANIFEST, ...rest } = options;
  await writeFile(join(folder, 'locmetrics.yaml'), manifest);
  await writeFile(join(folder, 'visits.csv'), `${[HEADER, ...rows].join('\n')}\n`);
  return publish({
    ...WHOLE_PUBLISH,
    manifestPath: join(folder, 'locmetrics.yaml'),
    datasetNames: [],
    directory,
    clock: () => clock,
    ...rest,
  });
}

function currentFolder(): string {
  const [current] = readCurrentVersions(directory);
  if (current === undefined) throw new Error('Nothing is current.');
  return directory.version(current.dataset.name, current.version);
}

/** The served rows, each as a line of a file. */
async function currentRows(): Promise<readonly string[]> {
  const { columns, rows } = await readRows(join(currentFolder(), COLUMN_FILE));
  expect(columns).toEqual([
    '_row',
    'shop',
    'first',
    'last',
    'visits',
    '_fold_shop',
    '_search_shop',
  ]);
  expect(rows.map(([row]) => row)).toEqual(rows.map((_, index) => String(index)));
  expect(rows.map((row) => row[5])).toEqual(rows.map((row) => row[1]?.toLowerCase()));
  return rows.map((row) => row.slice(1, 5).join(','));
}

/** The message of a refused publish. Also checks that it changed nothing and left no files. */
async function refusalOf(publishing: Promise<Published>): Promise<string> {
  const before = readCurrentVersions(directory);
  const error = await publishing.catch((thrown: unknown) => thrown);
  expect(readCurrentVersions(directory)).toEqual(before);
  expect(await readdir(directory.temporary)).toEqual([]);
  const text =
    error instanceof PublishError
      ? `${error.message}\n${error.hint}`
      : error instanceof ImportError
        ? [error.message, ...(error.hint === undefined ? [] : [error.hint])].join('\n')
        : error instanceof RefusedCheck
          ? error.message
          : undefined;
  if (text === undefined) throw new Error('The publish was not refused.', { cause: error });
  return withoutFolders(text).replaceAll(/\d{8}T\d{9}Z-\w{12}/g, 'V');
}

const countsOf = ({ datasets }: Published) => datasets[0]?.report.rows;

test('rows are added to those of the current version, in the order of the key', async () => {
  await publishRows(JANUARY);
  const published = await publishRows(FEBRUARY, APPEND);
  expect(await currentRows()).toEqual([JANUARY[1], FEBRUARY[1], JANUARY[0], FEBRUARY[0]]);
  expect(countsOf(published)).toEqual({
    ...{ read: 2, kept: 2, rejected: 0 },
    ...{ carriedOver: 2, replaced: 0, total: 4 },
  });
  expect(published.datasets[0]?.report).toMatchObject({ mode: 'append', replacedPeriod: null });
  expect(published.datasets[0]?.version).toMatchObject({
    ...{ rowCount: 4, firstObservationDate: '2024-01-01', lastObservationDate: '2024-02-29' },
  });
});

test('a version records the version that it is built upon, and the files of both', async () => {
  const first = await publishRows(JANUARY);
  await publishRows(FEBRUARY, APPEND);
  const file = readVersionFile(currentFolder());
  expect(file?.base).toEqual({
    version: first.datasets[0]?.version.version,
    replacedPeriod: null,
  });
  expect(file?.sources.map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => join(folder, 'visits.csv')),
  );
  expect(new Set(file?.sources.map(({ sha256 }) => sha256)).size).toBe(2);
  await publishRows(JANUARY);
  expect(readVersionFile(currentFolder())).not.toHaveProperty('base');
});

test('the same file over two versions makes versions of different content', {
  tags: 'slow',
}, async () => {
  const contentOf = ({ datasets }: Published) => datasets[0]?.version.version.split('-')[1];
  await publishRows(JANUARY);
  const appended = contentOf(await publishRows(MARCH, APPEND));
  await publishRows(FEBRUARY);
  expect(contentOf(await publishRows(MARCH, APPEND))).not.toBe(appended);
  const whole = contentOf(await publishRows(MARCH));
  expect(contentOf(await publishRows(MARCH))).toBe(whole);
});

test('rows of a period replace the rows within it', async () => {
  await publishRows([...JANUARY, ...FEBRUARY, ...MARCH]);
  const published = await publishRows(['Z,2024-02-10,2024-02-11,1'], replacing('2024-02'));
  expect(await currentRows()).toEqual([
    ...[JANUARY[1], MARCH[1], 'Z,2024-02-10,2024-02-11,1', JANUARY[0], MARCH[0]],
  ]);
  expect(countsOf(published)).toEqual({
    ...{ read: 1, kept: 1, rejected: 0 },
    ...{ carriedOver: 4, replaced: 2, total: 5 },
  });
  expect(published.datasets[0]?.report).toMatchObject({
    mode: 'replace-period',
    replacedPeriod: { start: '2024-02-01', end: '2024-02-29' },
  });
  expect(readVersionFile(currentFolder())?.base?.replacedPeriod).toEqual({
    ...{ start: '2024-02-01', end: '2024-02-29' },
  });
});

test('a period includes its first and last day, but not the days beside it', {
  tags: 'slow',
}, async () => {
  const days = ['2023-12-31', '2024-01-01', '2024-01-31', '2024-02-01', '2024-02-29', '2024-03-01'];
  const rowOf = (day: string) => `A,${day},${day},1`;
  await publishRows(days.map(rowOf));
  await publishRows([], replacing('2024-01'));
  expect(await currentRows()).toEqual(
    ['2023-12-31', '2024-02-01', '2024-02-29', '2024-03-01'].map(rowOf),
  );
  await publishRows([rowOf('2024-02-29').replace('A', 'B')], replacing('2024-02-29'));
  expect(await currentRows()).toEqual([
    ...['2023-12-31', '2024-02-01', '2024-03-01'].map(rowOf),
    'B,2024-02-29,2024-02-29,1',
  ]);
});

test('the period can be in one field', { tags: 'slow' }, async () => {
  const manifest = replaceParts(MANIFEST, [['end: last', 'end: first']]);
  await publishRows(['A,2024-01-31,,1', 'A,2024-02-01,,2'], { manifest });
  await publishRows(['A,2024-01-30,,3'], { manifest, ...replacing('2024-01') });
  expect(await currentRows()).toEqual(['A,2024-01-30,,3', 'A,2024-02-01,,2']);
  const refusal = await refusalOf(
    publishRows(['A,2024-02-02,,3'], { manifest, ...replacing('2024-01') }),
  );
  expect(refusal).toBe(
    "visits.csv:2: first: '2024-02-02' is not within 2024-01, which is replaced.",
  );
});

test('records without a first or last day are never replaced', { tags: 'slow' }, async () => {
  const rows = ['A,2024-01-01,,1', 'B,2024-01-02,2024-01-03,1'];
  await publishRows(rows);
  await publishRows([], replacing('2024'));
  expect(await currentRows()).toEqual(rows.slice(0, 1));
});

test('a first version can be published with --append and --replace-period', {
  tags: 'slow',
}, async () => {
  await publishRows(JANUARY, APPEND);
  expect(await currentRows()).toEqual([JANUARY[1], JANUARY[0]]);
  expect(readVersionFile(currentFolder())).not.toHaveProperty('base');
  await rm(directory.root, { recursive: true });
  await publishRows(JANUARY, replacing('2024-01'));
  expect(await currentRows()).toEqual([JANUARY[1], JANUARY[0]]);
});

test('a file without rows adds nothing, and can empty a period', { tags: 'slow' }, async () => {
  await publishRows([...JANUARY, ...FEBRUARY]);
  const appended = await publishRows([], APPEND);
  expect(countsOf(appended)).toMatchObject({ read: 0, carriedOver: 4, total: 4 });
  await publishRows([], replacing('2024-01'));
  expect(await currentRows()).toEqual([FEBRUARY[1], FEBRUARY[0]]);
  await publishRows([], replacing('2024'));
  expect(await currentRows()).toEqual([]);
});

test('a row whose key already exists in the remaining rows is reported with its line', async () => {
  await publishRows([...JANUARY, ...FEBRUARY]);
  const rows = ['C,2024-02-01,2024-02-29,1', FEBRUARY[0] ?? '', FEBRUARY[0] ?? ''];
  expect(await refusalOf(publishRows(rows, APPEND))).toMatchInlineSnapshot(`
    "visits.csv:3: shop, first: 'Á, 2024-02-01' is already in version V. Leave the row out, replace the period of both with --replace-period, or publish all rows.
    visits.csv:4: shop, first: 'Á, 2024-02-01' is already in version V. Leave the row out, replace the period of both with --replace-period, or publish all rows.
    visits.csv:4: shop, first: 'Á, 2024-02-01' is already in line 3.
    Choose for shop.visits: a key with more fields (no other field tells these rows apart by itself), or how rows with the same key become one record, as rows: [{ duplicates: … }] with sum, first, last, min, max or same."
  `);
  await publishRows(rows.slice(0, 2), replacing('2024-02'));
  expect((await currentRows()).length).toBe(4);
});

test('for --append with several datasets, the message says how to name one', {
  tags: 'slow',
}, async () => {
  const shops = `  shop.shops:
    files: visits.csv
    key: [shop]
    fields: { shop: { type: string } }
`;
  const manifest = `${MANIFEST}${shops}`;
  await publishRows(JANUARY.slice(0, 1), { manifest });
  const refusal = await refusalOf(publishRows(FEBRUARY.slice(0, 1), { manifest, ...APPEND }));
  expect(refusal.split('\n').at(-1)).toBe(
    '--append was used for all 2 datasets of the manifest: shop.visits, shop.shops. To publish one, name it: locmetrics publish /locmetrics.yaml DATASET --append',
  );
});

test('a key outside of the replaced period still counts', { tags: 'slow' }, async () => {
  const manifest = replaceParts(MANIFEST, [['key: [shop, first]', 'key: [shop]']]);
  const options = { manifest, ...replacing('2024-02') };
  await publishRows(['A,2024-01-01,2024-01-31,5', 'B,2024-02-01,2024-02-29,7'], { manifest });
  expect(await refusalOf(publishRows(['A,2024-02-01,2024-02-29,1'], options))).toContain(
    "visits.csv:2: shop: 'A' is already in version V.",
  );
  await publishRows(['B,2024-02-01,2024-02-29,1'], options);
  expect(await currentRows()).toEqual(['A,2024-01-01,2024-01-31,5', 'B,2024-02-01,2024-02-29,1']);
});

test('rows outside the replaced period are reported, each once', async () => {
  await publishRows(JANUARY);
  const rows = [
    'A,2024-02-01,2024-02-29,1',
    'A,2024-01-31,2024-02-29,1',
    'A,2024-03-01,2024-03-02,1',
    'B,2024-02-02,2024-03-01,1',
    'C,2024-02-03,,1',
    'A,2024-01-01,never,1',
  ];
  expect(await refusalOf(publishRows(rows, replacing('2024-02')))).toMatchInlineSnapshot(`
    "visits.csv:3: first: '2024-01-31' is not within 2024-02, which is replaced.
    visits.csv:4: first: '2024-03-01' is not within 2024-02, which is replaced.
    visits.csv:5: last: '2024-03-01' is not within 2024-02, which is replaced.
    visits.csv:6: last: the day is absent, but 2024-02 is replaced.
    visits.csv:7: last: 'never' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    visits.csv:7: first: '2024-01-01' is not within 2024-02, which is replaced."
  `);
});

test('a period that splits a record of the current version is refused with an example', async () => {
  await publishRows([...JANUARY, ...FEBRUARY]);
  expect(await refusalOf(publishRows([], replacing('2024-01-15/2024-02-15')))).toBe(
    "2024-01-15/2024-02-15 cannot be replaced in shop.visits: 4 records of version V would be cut in two, for example shop 'B', first '2024-01-01', last '2024-01-31'.\n" +
      'Replace a period that starts and ends with periods of the records.',
  );
});

test('a dataset without period fields refuses --replace-period', { tags: 'slow' }, async () => {
  const manifest = replaceParts(MANIFEST, [['    period: { start: first, end: last }\n', '']]);
  await publishRows(JANUARY, { manifest });
  await expect(
    refusalOf(publishRows(FEBRUARY, { manifest, ...replacing('2024-02') })),
  ).resolves.toContain('No period can be replaced in shop.visits: the manifest declares no period');
  await publishRows(FEBRUARY, { manifest, ...APPEND });
  expect((await currentRows()).length).toBe(4);
});

test('rows are not added to a version with other fields, and every difference is listed', async () => {
  await publishRows(JANUARY);
  const manifest = replaceParts(MANIFEST, [
    ['key: [shop, first]', 'key: [shop]'],
    ['    period: { start: first, end: last }\n', ''],
    ['      last: { type: date }\n', '      last_day: { type: date, column: last }\n'],
    ['visits: { type: integer }', 'visits: { type: float }'],
  ]);
  expect(await refusalOf(publishRows(FEBRUARY, { manifest, ...APPEND }))).toBe(
    'shop.visits is declared differently than in version V, which the new version would extend: the field last_day is new; the field visits was integer and is float; the field last is gone; the key was shop, first and is shop; the period was first, last and is none.\n' +
      'Publish all rows as they are declared now, without --append and --replace-period, or declare the dataset as before.',
  );
});

test('rows in another form of Unicode, or with outlines, are not added', async () => {
  await publishRows(JANUARY);
  const manifest = replaceParts(MANIFEST, [
    ['key: [shop, first]', 'key: [shop, first]\n    normalise: nfc\n    outline: area'],
    [
      'visits: { type: integer }',
      'visits: { type: integer }\n      area: { type: string, column: shop }',
    ],
  ]);
  expect(await refusalOf(publishRows(FEBRUARY, { manifest, ...APPEND }))).toContain(
    ': the field area is new; the outline was none and is area; the normalise was none and is nfc.',
  );
});

test('descriptions and the order of the fields may change between months', {
  tags: 'slow',
}, async () => {
  await publishRows(JANUARY);
  const manifest = replaceParts(MANIFEST, [
    ['      shop: { type: string }\n', ''],
    [
      'visits: { type: integer }\n',
      'visits: { type: integer, description: People. }\n      shop: { type: string }\n',
    ],
  ]);
  await publishRows(FEBRUARY, { manifest, ...APPEND });
  const { columns, rows } = await readRows(join(currentFolder(), COLUMN_FILE));
  expect(columns).toEqual([
    '_row',
    'first',
    'last',
    'visits',
    'shop',
    '_fold_shop',
    '_search_shop',
  ]);
  expect(rows.map((row) => row[3])).toEqual(['7', '8', '5', '6']);
});

test('a publish on top of a damaged version is refused', async () => {
  await publishRows(JANUARY);
  const file = join(currentFolder(), COLUMN_FILE);
  await appendFile(file, 'x');
  expect(await refusalOf(publishRows(FEBRUARY, APPEND))).toBe(
    'The current version of shop.visits, V, is damaged, so no version can extend it: records.duckdb does not have the checksum in version.json.\n' +
      'Publish all rows, without --append and --replace-period, or go back first: locmetrics rollback shop.visits.',
  );
  await rm(file);
  expect(await refusalOf(publishRows(FEBRUARY, APPEND))).toContain(
    'is damaged, so no version can extend it: records.duckdb cannot be read (ENOENT',
  );
  await publishRows(FEBRUARY);
  expect((await currentRows()).length).toBe(2);
});

test('a damaged row file is not extended: the new one is written from the records', async () => {
  await publishRows(JANUARY);
  await appendFile(join(currentFolder(), ROW_FILE), 'x');
  await publishRows(FEBRUARY, APPEND);
  const extended = await readFile(join(currentFolder(), ROW_FILE));
  await publishRows([...JANUARY, ...FEBRUARY]);
  expect((await readFile(join(currentFolder(), ROW_FILE))).equals(extended)).toBe(true);
});

test('a version with the same records has the files of the other, and a repair of one does not change the other', async () => {
  await publishRows([...JANUARY, ...FEBRUARY]);
  const before = currentFolder();
  const { datasets } = await publishRows([], APPEND);
  const inodesOf = (name: string) =>
    Promise.all([before, currentFolder()].map(async (path) => (await stat(join(path, name))).ino));
  expect(new Set(await inodesOf(COLUMN_FILE)).size).toBe(1);
  expect(new Set(await inodesOf(ROW_FILE)).size).toBe(1);
  expect(await verifyVersion(currentFolder(), { content: true })).not.toHaveProperty('problem');
  const bytes = await readFile(join(before, ROW_FILE));
  const version = datasets[0]?.version.version ?? '';
  const repair = {
    directory,
    writers: WHOLE_PUBLISH.writers,
    memoryLimitBytes: 2 ** 29,
    threads: 2,
  };
  await repairVersion({ datasetName: 'shop.visits', version }, repair);
  expect(new Set(await inodesOf(ROW_FILE)).size).toBe(2);
  expect((await readFile(join(before, ROW_FILE))).equals(bytes)).toBe(true);
  await rm(before, { recursive: true });
  expect(await currentRows()).toEqual([JANUARY[1], FEBRUARY[1], JANUARY[0], FEBRUARY[0]]);
  expect(await verifyDerived(currentFolder())).not.toHaveProperty('problem');
});

test('files that another version has, too, are not counted as removed bytes', async () => {
  await publishRows(JANUARY);
  const before = currentFolder();
  await publishRows([], APPEND);
  const own = await Promise.all(
    [REPORT_FILE, VERSION_FILE].map(async (name) => (await stat(join(before, name))).size),
  );
  const retention = { versions: 1, milliseconds: 0 };
  const { removed } = await collectGarbage(fileVersions(directory), { retention, now: clock + 1 });
  expect(removed).toEqual([
    { path: relative(directory.root, before), bytes: own.reduce((sum, size) => sum + size, 0) },
  ]);
});

test('a version that declares an index has a row file of its own', async () => {
  await publishRows(JANUARY);
  const before = currentFolder();
  const manifest = replaceParts(MANIFEST, [
    ['visits: { type: integer }', 'visits: { type: integer, sorted: true }'],
  ]);
  await publishRows([], { manifest, ...APPEND });
  const extended = await readFile(join(currentFolder(), ROW_FILE));
  expect(extended.equals(await readFile(join(before, ROW_FILE)))).toBe(false);
  await publishRows(JANUARY, { manifest });
  expect((await readFile(join(currentFolder(), ROW_FILE))).equals(extended)).toBe(true);
});

test('metrics over kept rows are checked too', { tags: 'slow' }, async () => {
  await publishRows([...JANUARY, 'C,2024-01-01,2024-01-31,']);
  const manifest = `${MANIFEST}  shop.shops:
    files: shops.csv
    key: [id]
    fields: { id: { type: string } }
layers:
  shops: { dataset: shop.shops, feature_id: id, name: id }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: shops
    feature_id: shop
    cadence: monthly
    measure: { name: people, field: visits, kind: count, nullable: false }
`;
  const options = { manifest, datasetNames: ['shop.visits'], ...APPEND };
  expect(await refusalOf(publishRows(FEBRUARY, options))).toContain(
    "shop/visits: the measure 'people' is nullable: false, but in shop.visits 1 record has no visits, for example shop 'C'",
  );
});

test('files are read from the given directory instead of beside the manifest', async () => {
  const filesDirectory = join(folder, 'incoming');
  await publishRows(JANUARY);
  const given = { ...APPEND, filesDirectory };
  expect(await refusalOf(publishRows(JANUARY, given))).toBe(
    'The directory /incoming of --files does not exist.\n' +
      'Correct --files; it is relative to where the command runs.',
  );
  await mkdir(filesDirectory);
  expect(await refusalOf(publishRows(JANUARY, given))).toBe(
    'visits.csv: does not exist. Correct the name under datasets.shop.visits.files of the manifest: /incoming/visits.csv',
  );
  await writeFile(join(filesDirectory, 'visits.csv'), `${[HEADER, ...FEBRUARY].join('\n')}\n`);
  await publishRows(JANUARY, given);
  expect((await currentRows()).length).toBe(4);
});

test.each([
  ['../visits.csv', '/visits.csv'],
  ['/visits.csv', '/visits.csv'],
  ['https://anna:secret@example.org/visits.csv?key=secret', 'https://example.org/visits.csv?…'],
])('a manifest that names %s is not published from another directory', async (name, shown) => {
  const manifest = replaceParts(MANIFEST, [['visits.csv', name]]);
  await mkdir(join(folder, 'incoming'));
  await mkdir(directory.temporary, { recursive: true });
  const filesDirectory = join(folder, 'incoming');
  expect(await refusalOf(publishRows(JANUARY, { manifest, filesDirectory }))).toBe(
    `datasets.shop.visits.files names ${shown}, which is not in /incoming, where --files looks for the files of the manifest.\n` +
      'Use relative paths that stay inside the directory, or publish without --files.',
  );
});

test('a dry run does everything except the switch, and leaves no files', {
  tags: 'slow',
}, async () => {
  await publishRows(JANUARY);
  const before = await readFile(directory.current, 'utf8');
  const versions = await readdir(directory.datasetVersions('shop.visits'));
  const { datasets } = await publishRows(FEBRUARY, { ...APPEND, isDryRun: true });
  expect(datasets[0]?.report.rows).toMatchObject({ read: 2, carriedOver: 2, total: 4 });
  expect(await readFile(directory.current, 'utf8')).toBe(before);
  expect(await readdir(directory.datasetVersions('shop.visits'))).toEqual(versions);
  expect(await readdir(directory.temporary)).toEqual([]);
  await refusalOf(publishRows(JANUARY, { ...APPEND, isDryRun: true }));
  await publishRows(FEBRUARY, APPEND);
});

test('a dry run before the first publish leaves no data directory', async () => {
  const nested = dataDirectory(join(folder, 'new', 'data'));
  const { datasets } = await publishRows(JANUARY, { directory: nested, isDryRun: true });
  expect(datasets[0]?.version.rowCount).toBe(2);
  expect(await readdir(folder, { recursive: true })).toEqual(['locmetrics.yaml', 'visits.csv']);
});

test('rows are added to more rows than fit into memory', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const count = 600_000;
  const rowOf = (index: number, month: string): string =>
    `${String(index).padStart(200, '0')},${month}-01,${month}-28,1`;
  const memoryLimitBytes = 128 * 2 ** 20;
  const rows = Array.from({ length: count }, (_, index) =>
    rowOf((index * 7919) % count, '2023-01'),
  );
  await publishRows(rows, { memoryLimitBytes, threads: 2 });
  const added = Array.from({ length: 1000 }, (_, index) => rowOf(index * 600, '2023-02'));
  await publishRows(added, { memoryLimitBytes, threads: 2, ...APPEND });
  const { rows: served } = await readRows(join(currentFolder(), COLUMN_FILE));
  const keys = served.map((row) => `${row[1]} ${row[2]}`);
  expect(keys.length).toBe(count + 1000);
  expect(keys.findIndex((key, index) => key <= (keys[index - 1] ?? ''))).toBe(-1);
});

test('many versions built upon each other have the same rows as plain lists', {
  tags: 'slow',
}, async () => {
  const seed = announceSeed('months');
  const draw = randomIntegers(seed);
  const monthOf = (number: number): string => `2024-${String(number).padStart(2, '0')}`;
  const draft = (month: string, count: number): readonly string[] => {
    const { start, end } = readPeriodText(month) ?? { start: '', end: '' };
    const shops = new Set(Array.from({ length: count }, () => draw(40)));
    return [...shops].map((shop) => `S${shop},${start},${end},${draw(3) === 0 ? '' : draw(1000)}`);
  };
  let expected: readonly string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const first = 1 + draw(12);
    const month = monthOf(first);
    const rows = draft(month, draw(30));
    if (draw(2) === 0) {
      const last = Math.min(12, first + draw(3));
      await publishRows(rows, replacing(`${month}/${monthOf(last)}`));
      const isReplaced = (row: string): boolean => {
        const found = row.split(',')[1]?.slice(0, 7) ?? '';
        return found >= month && found <= monthOf(last);
      };
      expected = [...expected.filter((row) => !isReplaced(row)), ...rows];
    } else {
      const keyOf = (row: string): string => row.split(',').slice(0, 2).join();
      const known = new Set(expected.map(keyOf));
      const repeated = rows.filter((row) => known.has(keyOf(row)));
      if (repeated.length > 0) {
        const refused = await publishRows(rows, APPEND).catch((error: unknown) => error);
        expect(refused).toMatchObject({ total: repeated.length });
      }
      const added = rows.filter((row) => !known.has(keyOf(row)));
      await publishRows(added, APPEND);
      expected = [...expected, ...added];
    }
    expect((await currentRows()).toSorted(), `round ${round}, seed ${seed}`).toEqual(
      expected.toSorted(),
    );
  }
});

/** Random numbers from 0 up to a bound. They depend only on the seed. */
function randomIntegers(seed: number): (bound: number) => number {
  const random = randomNumbers(seed);
  return (bound) => Math.floor(random() * bound);
}
