// @module-tag slow

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { expect, test } from 'vitest';
import { VERSION_WRITERS } from '../../../src/compose/version-writers.ts';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { number, text, workbook } from '../formats/workbook.ts';
import { WHOLE_PUBLISH } from '../whole-publish.ts';

const MANIFEST = `format: 1
datasets:
  city.visits:
    files: visits.csv
    rows:
      - join: { file: lookup/branches.csv, on: [code] }
      - join: { file: areas.xlsx, read: { sheet: Areas }, on: [area] }
    key: [code]
    fields:
      code: { type: string }
      name: { type: string }
      size: { type: integer }
`;

const FILES = {
  'visits.csv': 'code,visits\n1,2\n',
  'lookup/branches.csv': 'code,name,area\n1,Albion,A\n',
  'areas.xlsx': workbook({
    sheets: {
      Notes: { 1: { A: text('x') } },
      Areas: { 1: { A: text('area'), B: text('size') }, 2: { A: text('A'), B: number('7') } },
    },
  }),
};

async function publishVisits(
  folder: string,
  { files = FILES, manifest = MANIFEST, directory = 'files' } = {},
) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  const manifestPath = join(folder, 'locmetrics.yaml');
  await writeFile(manifestPath, manifest);
  const data = dataDirectory(join(folder, 'data'));
  const { datasets } = await publish({
    ...WHOLE_PUBLISH,
    manifestPath,
    filesDirectory: join(folder, directory),
    datasetNames: [],
    directory: data,
    writers: VERSION_WRITERS,
    acceptsGrantLosses: false,
    findGrantLosses: () => [],
    clock: () => Date.UTC(2026, 0, 1),
  });
  const version = datasets[0]?.version.version ?? '';
  return { version, file: readVersionFile(data.version('city.visits', version)) };
}

test('files of steps are sources of the version, with their checksums', async () => {
  await using folder = scopedFolder();
  const { file } = await publishVisits(folder.path);
  expect(file?.sources).toEqual(
    Object.entries(FILES).map(([name, content]) => ({
      path: join(folder.path, 'files', name),
      bytes: Buffer.from(content).length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
  );
});

test('another file of a step makes another version', async () => {
  await using folder = scopedFolder();
  const before = await publishVisits(folder.path);
  const branches = FILES['lookup/branches.csv'].replace('Albion', 'Elm');
  const after = await publishVisits(folder.path, {
    files: { ...FILES, 'lookup/branches.csv': branches },
  });
  expect(after.version).not.toBe(before.version);
});

test('a file of a step outside the directory of the files is refused', async () => {
  await using folder = scopedFolder();
  const manifest = MANIFEST.replace('lookup/', '../lookup/');
  await expect(publishVisits(folder.path, { manifest })).rejects.toThrow(
    `datasets.city.visits.rows[0].join.file names ${join(folder.path, 'lookup/branches.csv')}, which is not in ${join(folder.path, 'files')}`,
  );
});
