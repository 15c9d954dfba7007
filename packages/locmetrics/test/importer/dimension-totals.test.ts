import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { ManifestError } from '@locmetrics/ingest/manifest/manifest-error';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import { type PublishOptions, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { expect, test } from 'vitest';
import { VERSION_WRITERS } from '../../src/compose/version-writers.ts';
import { scopedFolder } from '../support/temporary-folder.ts';
import { readRows } from './import-files.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const MANIFEST = `format: 1
datasets:
  city.visitors:
    files: visitors.csv
    rows:
      - aggregate:
          by: [place, month, age]
          values: { visitors: { sum: visitors } }
          totals: { age: All ages }
    key: [place, month, age]
    period: { start: month, end: month }
    fields:
      place: { type: string }
      month: { type: date }
      age: { type: string }
      visitors: { type: integer }
metrics:
  city/visitors:
    dataset: city.visitors
    layer: places
    feature_id: place
    cadence: unspecified
    measure: { name: visitors, field: visitors, kind: count }
    dimensions:
      age: { value: age, default: All ages }
layers:
  places: { dataset: city.places, feature_id: id, name: id }
`;
const PLACES = `  city.places:
    files: places.csv
    key: [id]
    fields:
      id: { type: string }
`;

const JANUARY = `place,month,age,visitors
a,2024-01-01,adult,1
a,2024-01-01,adult,2
a,2024-01-01,child,4
`;

async function publishVisitors(
  folder: string,
  {
    visitors,
    manifest = MANIFEST,
    mode,
  }: {
    readonly visitors: string;
    readonly manifest?: string;
    readonly mode?: PublishOptions['mode'];
  },
) {
  const manifestPath = join(folder, 'locmetrics.yaml');
  await writeFile(manifestPath, manifest.replace('metrics:\n', `${PLACES}metrics:\n`));
  await writeFile(join(folder, 'visitors.csv'), visitors);
  await writeFile(join(folder, 'places.csv'), 'id\na\n');
  const directory = dataDirectory(join(folder, 'data'));
  const { datasets } = await publish({
    ...WHOLE_PUBLISH,
    manifestPath,
    datasetNames: mode === undefined ? [] : ['city.visitors'],
    directory,
    mode: mode ?? WHOLE_PUBLISH.mode,
    writers: VERSION_WRITERS,
    acceptsGrantLosses: false,
    findGrantLosses: () => [],
    clock: () => Date.UTC(2026, 0, 1),
  });
  const version = datasets[0]?.version.version ?? '';
  const { rows } = await readRows(join(directory.version('city.visitors', version), COLUMN_FILE));
  return rows.map((row) => row.slice(1, 5));
}

test('a metric has a total over a dimension, also of months that are appended', async () => {
  await using folder = scopedFolder();
  await publishVisitors(folder.path, { visitors: JANUARY });
  const rows = await publishVisitors(folder.path, {
    visitors: JANUARY.replaceAll('2024-01', '2024-02'),
    mode: { kind: 'append' },
  });
  expect(rows).toEqual([
    ['a', '2024-01-01', 'All ages', '7'],
    ['a', '2024-01-01', 'adult', '3'],
    ['a', '2024-01-01', 'child', '4'],
    ['a', '2024-02-01', 'All ages', '7'],
    ['a', '2024-02-01', 'adult', '3'],
    ['a', '2024-02-01', 'child', '4'],
  ]);
});

test('parts of a total that is already there are not appended', async () => {
  await using folder = scopedFolder();
  await publishVisitors(folder.path, { visitors: JANUARY });
  const visitors = 'place,month,age,visitors\na,2024-01-01,senior,9\n';
  await expect(
    publishVisitors(folder.path, { visitors, mode: { kind: 'append' } }),
  ).rejects.toThrow(
    "visitors.csv:2: place, month, age: 'a, 2024-01-01, All ages' is already in version ",
  );
  const mode = { kind: 'replace-period', start: '2024-01-01', end: '2024-01-31' } as const;
  expect(await publishVisitors(folder.path, { visitors, mode })).toEqual([
    ['a', '2024-01-01', 'All ages', '9'],
    ['a', '2024-01-01', 'senior', '9'],
  ]);
});

test('the schema of the version tells which text is a total, so that grants know it', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'locmetrics.yaml');
  const labelOf = async (manifest: string) => {
    await writeFile(path, manifest.replace('metrics:\n', `${PLACES}metrics:\n`));
    const [visitors] = (await readManifest(path)).datasets;
    return visitors?.dataset.fields.find(({ name }) => name === 'age')?.totalLabel;
  };
  expect(await labelOf(MANIFEST)).toBe('All ages');
  const renamed = MANIFEST.replace('age: { type: string }', 'age: { type: string, column: Age }')
    .replace('by: [place, month, age]', 'by: { place: place, month: month, Age: age }')
    .replace('totals: { age:', 'totals: { Age:');
  expect(await labelOf(renamed)).toBe('All ages');
  const sql = MANIFEST.replace('    key:', '      - sql: SELECT * FROM rows\n    key:');
  expect(await labelOf(sql)).toBeUndefined();
});

test.each([
  ['default: All ages', 'default: All'],
  [', default: All ages', ''],
])('a dimension with a total has it as its default: not %s, but %s', async (part, other) => {
  await using folder = scopedFolder();
  const manifest = MANIFEST.replace(part, other);
  const refused = await publishVisitors(folder.path, { visitors: JANUARY, manifest }).catch(
    (error: unknown) => error,
  );
  if (!(refused instanceof ManifestError)) throw refused;
  expect(
    refused.problems.map(({ line, path, reason, hint }) => [line, path, reason, hint]),
  ).toEqual([
    [
      expect.any(Number),
      'metrics.city/visitors.dimensions.age.default',
      "The values of 'age' have the total 'All ages', which is not the default.",
      'Without this default, a request returns the total together with its parts. Write default: All ages',
    ],
  ]);
});
