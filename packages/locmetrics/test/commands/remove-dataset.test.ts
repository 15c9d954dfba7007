import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const PLACES = `  town.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, label: { type: string } }
`;
const VISITS = `  town.visits:
    files: visits.csv
    key: [id]
    fields: { id: { type: string }, count: { type: integer } }
`;
const MANIFEST = `format: 1
datasets:
${PLACES}${VISITS}layers:
  places: { dataset: town.places, feature_id: id, name: label }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: id
    cadence: monthly
    period: { start: 2024-01-01, end: 2024-01-31 }
    measure: { name: count, field: count, kind: count }
`;

type Town = {
  readonly directory: DataDirectory;
  readonly publish: (...datasets: readonly string[]) => Promise<CommandResult>;
  readonly run: (...parameters: readonly string[]) => Promise<CommandResult>;
};

async function openTown(name: string): Promise<Town> {
  const folder = inFolder(name);
  await mkdir(folder, { recursive: true });
  const directory = dataDirectory(join(folder, 'data'));
  const run: Town['run'] = (...parameters) => runCommand([...parameters, '--data', directory.root]);
  await writeFile(join(folder, 'locmetrics.yaml'), MANIFEST);
  await writeFile(join(folder, 'places.csv'), 'id,label\n1,a\n');
  await writeFile(join(folder, 'visits.csv'), 'id,count\n1,7\n');
  const publish: Town['publish'] = async (...datasets) => {
    const result = await run('publish', join(folder, 'locmetrics.yaml'), ...datasets);
    expect(result.code).toBe(0);
    return result;
  };
  await publish();
  return { directory, run, publish };
}

test('a removal is previewed, confirmed, done beside a reader and reported, and the dataset can be published again', async () => {
  const { directory, run, publish } = await openTown('whole');
  await run('org', 'create', 'A', '--id', 'a');
  for (const pattern of ['town/visits', 'town.visits', 'town.*', '*']) {
    expect((await run('grant', 'add', 'a', pattern)).code).toBe(0);
  }
  const before = await readFile(directory.current, 'utf8');

  // Without a terminal, nothing is removed without --yes.
  const unconfirmed = await run('dataset', 'remove', 'town.visits');
  expect(unconfirmed).toMatchObject({ code: 2, data: '' });
  expect(unconfirmed.messages).toContain('Check with --dry-run, then run with --yes.');
  const looked = await run('dataset', 'remove', 'town.visits', '--dry-run');
  expect(looked.code).toBe(0);
  expect(looked.data.replaceAll(/[0-9a-v]{12} \(/g, 'ID (')).toBe(
    [
      'town.visits would be removed, with its version.',
      'Removed metrics: town/visits',
      'Grants that then match nothing: ID (a: town/visits), ID (a: town.visits)',
      '',
    ].join('\n'),
  );
  expect(await readFile(directory.current, 'utf8')).toBe(before);

  const lease = openVersionLease({ directory, holdMs: 60_000 });
  const catalog = openCatalog(directory, { lease });
  expect([...catalog.snapshot().metrics.keys()]).toEqual(['town/visits']);

  const removed = await run('dataset', 'remove', 'town.visits', '--yes');
  expect(removed).toMatchObject({ code: 0, data: 'town.visits is removed, with its version.\n' });
  expect(removed.messages).toContain('Requests may still read its data');
  expect([...catalog.snapshot().datasets.keys()]).toEqual(['town.places']);
  expect([...catalog.snapshot().metrics.keys()]).toEqual([]);
  // A recovery does not restore a removed version that is still in use.
  await rename(directory.current, `${directory.current}.lost`);
  const recovery = await run('recover', '--dry-run', '--json');
  const planned: readonly { readonly dataset: string; readonly version: string | null }[] =
    JSON.parse(recovery.data).datasets;
  expect(planned.map(({ dataset, version }) => [dataset, version !== null])).toEqual([
    ['town.places', true],
    ['town.visits', false],
  ]);
  await rename(`${directory.current}.lost`, directory.current);
  lease.close();
  expect((await run('gc')).code).toBe(0);
  expect(existsSync(directory.datasetVersions('town.visits'))).toBe(false);
  expect(existsSync(directory.datasetVersions('town.places'))).toBe(true);

  const again = await run('dataset', 'remove', 'town.visits', '--yes');
  expect(again.code).toBe(1);
  expect(again.messages).toContain("No dataset 'town.visits' is published.");

  await publish('town.visits');
  expect([...openCatalog(directory).snapshot().metrics.keys()]).toEqual(['town/visits']);
  const { versions } = JSON.parse((await run('versions', 'town.visits', '--json')).data);
  expect(versions).toHaveLength(1);
}, 600_000);

test('metrics of other datasets are ended only if that is accepted; for an unknown name no other is suggested', async () => {
  const { directory, run } = await openTown('others');
  const before = await readFile(directory.current, 'utf8');
  const refused = await run('dataset', 'remove', 'town.places', '--yes');
  expect(refused).toMatchObject({ code: 1, data: '' });
  expect(refused.messages).toContain('The metric town/visits could no longer be served.');
  expect(refused.messages).toContain('dataset remove town.places --with-metrics');
  const unknown = await run('dataset', 'remove', 'town.place', '--yes');
  expect(unknown.messages).toBe(
    "No dataset 'town.place' is published.\nList the datasets: locmetrics versions\n",
  );
  expect(await readFile(directory.current, 'utf8')).toBe(before);
  const looked = await run('dataset', 'remove', 'town.places', '--dry-run', '--json');
  expect(JSON.parse(looked.data)).toMatchObject({
    dryRun: true,
    switch: null,
    layers: ['places'],
    metrics: [],
    otherMetrics: ['town/visits'],
  });
  const removed = await run('dataset', 'remove', 'town.places', '--yes', '--with-metrics');
  expect(removed.code).toBe(0);
  expect(removed.messages).toContain('Removed metrics of other datasets: town/visits');
  expect([...openCatalog(directory).snapshot().datasets.keys()]).toEqual(['town.visits']);
  expect(existsSync(directory.datasetVersions('town.places'))).toBe(false);
}, 600_000);
