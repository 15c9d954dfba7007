import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
import { findClickhouse } from '../src/open-clickhouse.ts';
import { copyDataDirectory } from '../src/systems/copy-data-directory.ts';
import { REQUEST_WORKLOADS } from '../src/workloads/request-workloads.ts';

const inFolder = useTemporaryFolder();

test('without the folders both forms of ClickHouse are not measured, and the run says why', async () => {
  const empty = inFolder('empty');
  await mkdir(empty);
  const { notMeasured, ...found } = findClickhouse({ LOCMETRICS_TEST_CHDB: empty });
  expect(found).toEqual({ chdb: undefined, packages: undefined });
  expect(notMeasured).toEqual([
    expect.stringContaining(`because ${empty} of LOCMETRICS_TEST_CHDB has no chDB`),
    expect.stringContaining('because LOCMETRICS_TEST_CLICKHOUSE is not set'),
  ]);
});

test('a folder with chDB, and one with unpacked packages, are found', async () => {
  const [chdb, packages] = [inFolder('chdb'), inFolder('packages')];
  await mkdir(join(chdb, 'node_modules', 'chdb'), { recursive: true });
  for (const path of ['usr/sbin/clickhouse-server', 'usr/share/java/zookeeper.jar']) {
    await mkdir(join(packages, path), { recursive: true });
  }
  const environment = { LOCMETRICS_TEST_CHDB: chdb, LOCMETRICS_TEST_CLICKHOUSE: packages };
  expect(findClickhouse(environment)).toEqual({ chdb, packages, notMeasured: [] });
});

test('a copy of a data directory has its versions without the named files, and the copied stores', async () => {
  const directory = inFolder('data');
  const version = join('versions', 'my.places', '20260102T030405678Z-0123456789ab');
  await mkdir(join(directory, version), { recursive: true });
  for (const name of ['records.duckdb', 'rows.sqlite', 'version.json']) {
    await writeFile(join(directory, version, name), name);
  }
  for (const name of ['current.json', 'control.sqlite', 'serve.json']) {
    await writeFile(join(directory, name), name);
  }
  const copy = inFolder('copy');
  const backUp = (folder: string) => writeFile(join(folder, 'control.sqlite'), 'copied');
  await copyDataDirectory({ directory, backUp }, copy, { without: ['records.duckdb'] });
  const files = await readdir(copy, { recursive: true, withFileTypes: true });
  expect(
    files
      .filter((file) => file.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['control.sqlite', 'current.json', 'rows.sqlite', 'version.json']);
  expect(await readFile(join(copy, 'control.sqlite'), 'utf8')).toBe('copied');
});

test('the service over ClickHouse is asked what the embedded one is asked, in W1 to W5', () => {
  const systems = ['oursClickhouse', 'oursClickhouseWithRows', 'oursCluster'];
  const asked = [...REQUEST_WORKLOADS.values()].filter(({ shapes }) =>
    systems.every((system) => {
      const shape = shapes.get(system);
      return shape?.system === system && shape.ask === shapes.get('ours')?.ask;
    }),
  );
  expect(asked.map(({ id }) => id)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5']);
});
