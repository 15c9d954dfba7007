import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type DataDirectory, dataDirectory } from '../../src/versions/data-directory.ts';
import { openCatalog } from '../../src/versions/open-catalog.ts';
import { verifyDerived, verifyVersion } from '../../src/versions/verify-version.ts';
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
      const stores = ids.map((id) => `${id},${generation} ${'x'.repeat(rows > 3 ? 500 : 1)}\n`);
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
      name: { type: string }
  shop.visits:
    files: visits.csv
    key: [id]
    fields:
      id: { type: string }
      count: { type: integer }
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

/** All permanent files of the data directory. */
export function listFiles(directory: DataDirectory): readonly string[] {
  return readdirSync(directory.root, { recursive: true })
    .map(String)
    .filter((path) => !path.startsWith('config'))
    .sort();
}
