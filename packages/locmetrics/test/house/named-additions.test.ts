import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILTER_OPERATOR_NAMES } from '@locmetrics/contract/filter-operators';
import type { FileFormat } from '@locmetrics/ingest/manifest/file-formats';
import { expect, test } from 'vitest';

/*
 * Texts that nothing generates, and that name each operator or format: the places of the recipes in CONTRIBUTING.md that
 * `tsc` does not know. A failure says which file lacks which name.
 */

const ROOT = join(import.meta.dirname, '../../../..');

/** The names of the formats of files in texts. `tsc` asks for that of a new one, which the pages below have to name. */
const FILE_FORMAT_TITLES: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  xlsx: 'Excel|xlsx',
  parquet: 'Parquet',
  ndjson: 'NDJSON|JSON',
  geojson: 'GeoJSON',
  shapefile: 'shapefile',
  geopackage: 'GeoPackage',
};

const LISTS_OF_FILE_FORMATS = [
  'README.md',
  'docs/how-to/publish-your-data.md',
  'docs/reference/manifest/files.md',
  'packages/locmetrics/src/commands/init.ts',
  'packages/locmetrics/src/commands/inspect.ts',
];

test.each(LISTS_OF_FILE_FORMATS)('%s names every format of files', (path) => {
  const text = read(path);
  const missing = Object.values(FILE_FORMAT_TITLES).filter(
    (title) => !new RegExp(`(${title})`, 'i').test(text),
  );
  expect({ path, missing }).toEqual({ path, missing: [] });
});

test('docs/reference/catalog-interface.md says below its table what every operator matches', () => {
  const [, below = ''] = read('docs/reference/catalog-interface.md').split('<!-- /operators -->');
  const [section = ''] = below.split('\n## ');
  expect(FILTER_OPERATOR_NAMES.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
