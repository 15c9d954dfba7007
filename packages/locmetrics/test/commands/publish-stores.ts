import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { publishOnce } from '../edge/publish-once.ts';
import { WHOLE_PUBLISH } from '../importer/whole-publish.ts';

export const STORES_MANIFEST = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
      city: { type: string }
      visits: { type: integer }
`;

/**
 * Publishes a manifest with its files into the subfolder `data`. Returns the names of the versions, in the
 * order of the manifest.
 */
export async function publishStores(
  folder: string,
  {
    manifest = STORES_MANIFEST,
    files,
    time,
  }: {
    readonly manifest?: string;
    readonly files: Readonly<Record<string, string>>;
    /** The time in RFC 3339, which is in the names of the versions. */
    readonly time: string;
  },
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const all = { 'locmetrics.yaml': manifest, ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const directory = dataDirectory(join(folder, 'data'));
  const run = () =>
    publish({
      ...WHOLE_PUBLISH,
      manifestPath: join(folder, 'locmetrics.yaml'),
      datasetNames: [],
      directory,
      memoryLimitBytes: 2 ** 29,
      threads: 1,
      clock: () => Date.parse(time),
    });
  const isFirst = !existsSync(directory.versions);
  const { datasets } = await (isFirst ? publishOnce(directory, ['stores', all, time], run) : run());
  return datasets.map(({ version }) => version.version);
}
