import { writeFile } from 'node:fs/promises';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import type { PublishMode } from '@locmetrics/ingest/publish/prepare-version';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { beforeEach, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const inFolder = useTemporaryFolder('test');
let directory: DataDirectory;

beforeEach(() => {
  directory = dataDirectory(inFolder('data'));
});

test('with duplicates: same, rows that the previous version has are no error of --append', async () => {
  await publishRows('a,Alpha,1.5\nb,,\n', { kind: 'replace' });
  const added = await publishRows('b,,\nb,,\nc,Gamma,2\n', { kind: 'append' });
  expect(added.rows).toMatchObject({ read: 3, kept: 1, carriedOver: 2, total: 3 });
  expect(added.notices.join(' ')).toContain('2 rows have the key of another row');
  const none = await publishRows('a,Alpha,1.5\n', { kind: 'append' });
  expect(none.rows).toMatchObject({ read: 1, kept: 0, carriedOver: 3, total: 3 });
});

test.each([
  ['a,Alpha,1.25', "'a' is already in version"],
  ['a,,1.5', "'a' is already in version"],
  ['b,Beta,', "'b' is already in version"],
])('a row that differs from it is refused: %s', async (row, reason) => {
  await publishRows('a,Alpha,1.5\nb,,\n', { kind: 'replace' });
  const refused = publishRows(`${row}\nc,Gamma,2\n`, { kind: 'append' });
  await expect(refused).rejects.toThrow(`places.csv:2: place: ${reason}`);
  await expect(refused).rejects.toThrow('with other values');
});

async function publishRows(rows: string, mode: PublishMode) {
  await writeFile(inFolder('places.csv'), `place,name,size\n${rows}`);
  await writeFile(
    inFolder('locmetrics.yaml'),
    `format: 1
datasets:
  town.places:
    files: places.csv
    rows: [{ duplicates: same }]
    key: [place]
    fields:
      place: { type: string }
      name: { type: string }
      size: { type: float }
`,
  );
  const { datasets } = await publish({
    ...WHOLE_PUBLISH,
    manifestPath: inFolder('locmetrics.yaml'),
    datasetNames: [],
    directory,
    mode,
    clock: Date.now,
  });
  const report = datasets[0]?.report;
  if (report === undefined) throw new Error('Nothing was published.');
  return report;
}
