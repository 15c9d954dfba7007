import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { verifyDerived, verifyVersion } from '@locmetrics/data-directory/versions/verify-version';
import { expect } from 'vitest';
import { composeService } from '../../src/compose/compose-service.ts';
import { askService } from '../conformance/engines/service-under-test.ts';
import { where } from '../conformance/filter-clause.ts';
import { type CommandResult, runCommand } from './run-command.ts';

export type Shop = {
  readonly directory: DataDirectory;
  readonly write: (generation: number, rows?: number) => Promise<void>;
  readonly publish: (...parameters: readonly string[]) => Promise<CommandResult>;
  readonly parameters: readonly string[];
};

/** A manifest of two datasets that belong together. Their rows contain their generation. */
export async function openShop(folder: string, root = join(folder, 'data')): Promise<Shop> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'locmetrics.yaml'), MANIFEST);
  const parameters = ['publish', join(folder, 'locmetrics.yaml'), '--data', root];
  return {
    directory: dataDirectory(root),
    parameters,
    publish: (...more) => runCommand([...parameters, ...more]),
    write: async (generation, rows = 3) => {
      const ids = Array.from({ length: rows }, (_, index) => `S${index}`);
      const stores = ids.map((id) => `${id},${generation} ${'x'.repeat(rows > 3 ? 500 : 2)}\n`);
      await writeFile(join(folder, 'stores.csv'), `id,name\n${stores.join('')}`);
      const visits = ids.map((id) => `${id},${generation}\n`);
      await writeFile(join(folder, 'visits.csv'), `id,count\n${visits.join('')}`);
    },
  };
}

export function readCurrent(directory: DataDirectory): Promise<string> {
  return readFile(directory.current, 'utf8');
}

const MANIFEST = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string, searchable: true }
  shop.visits:
    files: visits.csv
    key: [id]
    fields:
      id: { type: string }
      count: { type: integer, sorted: true }
layers:
  stores: { dataset: shop.stores, feature_id: id, name: name }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: id
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: count, field: count, kind: count }
`;

/** Checks that the current versions are intact, and of one publish. */
export async function expectWhole(directory: DataDirectory): Promise<void> {
  const { datasets } = openCatalog(directory).snapshot();
  const found = await Promise.all(
    [...datasets].flatMap(([name, { version }]) => {
      const folder = directory.version(name, version);
      return [verifyVersion(folder, { content: true }), verifyDerived(folder)];
    }),
  );
  expect(found.map(({ problem }) => problem)).toEqual(new Array(4).fill(undefined));
  const { datasets: listed } = JSON.parse(await readCurrent(directory));
  const switches = ['shop.stores', 'shop.visits'].map((name) => listed[name].history.at(-1).switch);
  expect(new Set(switches).size).toBe(1);
}

/**
 * The generations in the answers to requests for all records of both datasets, from the row store and the column
 * store: one, unless an answer is of a half version.
 */
export async function servedGenerations(
  directory: DataDirectory,
  temporaryDirectory: string,
): Promise<readonly number[]> {
  await using composed = await composeService({
    directory,
    catalog: openCatalog(directory),
    onLeftOut: (_, error) => {
      throw error;
    },
    openColumns: (directoryOf) =>
      openDuckdbEngine({
        directoryOf,
        temporaryDirectory,
        memoryLimitBytes: 2 ** 28,
        threads: 1,
        connectionsMax: 1,
        waitingMax: 10,
      }),
    pageTokenKey: () => new Uint8Array(32),
    queryTimeoutMs: 30_000,
  });
  const { column, values } = askService(composed.service, 'shop.stores');
  const dataset = 'shop.visits';
  const answers = [
    await column('name'),
    await column('name', { filters: [where('name', 'is_not_empty')] }),
    await values('name', { term: ' xx' }),
    await column('count', { dataset }),
    await column('count', { dataset, orderBy: { fieldName: 'count', descending: true } }),
    await column('count', { dataset, filters: [where('count', '>=', '0')] }),
  ];
  return [...new Set(answers.flat().map((text) => Number.parseInt(text, 10)))];
}

/** Removes all but the current versions, and checks that nothing else is left. */
export async function collectAll(directory: DataDirectory): Promise<void> {
  const gc = ['gc', '--data', directory.root, '--versions-kept', '1', '--versions-kept-for', '0s'];
  expect((await runCommand(gc)).code).toBe(0);
  const { datasets } = JSON.parse(await readCurrent(directory));
  expect(listFiles(directory)).toEqual(
    [
      ...['current.json', 'publish.lock', 'reserve', 'switch.lock', 'tmp', 'versions'],
      ...Object.entries<{ version: string }>(datasets).flatMap(([name, { version }]) => [
        `versions/${name}`,
        `versions/${name}/${version}`,
        // The metric is over the visits.
        ...(name === 'shop.visits' ? [`versions/${name}/${version}/extents.json`] : []),
        `versions/${name}/${version}/records.duckdb`,
        `versions/${name}/${version}/report.json`,
        `versions/${name}/${version}/rows.sqlite`,
        `versions/${name}/${version}/version.json`,
      ]),
    ].sort(),
  );
}

/** All permanent files of the data directory. */
export function listFiles(directory: DataDirectory): readonly string[] {
  return readdirSync(directory.root, { recursive: true })
    .map(String)
    .filter((path) => !path.startsWith('config'))
    .sort();
}
