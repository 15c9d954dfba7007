import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { beforeAll, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

/**
 * The version of a metric over two datasets is that of neither: commands say what it is made of, and suggest nothing
 * where a wrong version would be lost.
 */
const inFolder = useTemporaryFolder();

const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, label: { type: string } }
  town.visits:
    files: visits.csv
    key: [id]
    fields: { id: { type: string }, count: { type: integer } }
  town.codes:
    files: codes.csv
    key: [code]
    fields: { code: { type: string } }
layers:
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

type Names = Readonly<Record<'places' | 'visits' | 'codes', string>>;
type Listed = {
  readonly metric: string;
  readonly version: string;
  readonly state: string;
  readonly madeOf: readonly { readonly dataset: string; readonly version: string }[];
};

const run = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand([...parameters, '--data', inFolder('data')]);

async function publish(count: number, ...datasets: readonly string[]): Promise<Names> {
  const folder = inFolder('town');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'locmetrics.yaml'), MANIFEST);
  await writeFile(join(folder, 'places.csv'), `id,label\n1,A${count}\n`);
  await writeFile(join(folder, 'visits.csv'), `id,count\n1,${count}\n`);
  await writeFile(join(folder, 'codes.csv'), `code\nX${count}\n`);
  const { code, messages } = await run('publish', join(folder, 'locmetrics.yaml'), ...datasets);
  expect(code, messages).toBe(0);
  const { datasets: current } = JSON.parse(
    await readFile(dataDirectory(inFolder('data')).current, 'utf8'),
  );
  const of = (name: string): string => current[`town.${name}`].version;
  return { places: of('places'), visits: of('visits'), codes: of('codes') };
}

let first: Names;
let second: Names;
let third: Names;
let listed: readonly Listed[];
let metric: string;

beforeAll(async () => {
  first = await publish(1);
  second = await publish(2, 'town.visits');
  third = await publish(3, 'town.places', 'town.codes');
  listed = JSON.parse((await run('versions', '--json')).data).metricVersions;
  metric = listed[0]?.version ?? '';
});

const madeOf = (visits: string, places: string) => [
  { dataset: 'town.visits', version: visits },
  { dataset: 'town.places', version: places },
];

test('the list has the versions of metrics, with the versions of datasets that each is made of', async () => {
  expect(listed.map(({ metric: name, state, madeOf: parts }) => [name, state, parts])).toEqual([
    ['town/visits', 'current', madeOf(second.visits, third.places)],
    ['town/visits', 'kept', madeOf(second.visits, first.places)],
    ['town/visits', 'kept', madeOf(first.visits, first.places)],
  ]);
  expect(new Set(listed.map(({ version }) => version)).size).toBe(3);
  const { data } = await run('versions');
  expect(data).toMatch(/\nMETRIC VERSION +STATE +MADE OF +METRICS\n/);
  expect(data).toContain(
    `\n${metric}  current  ${second.visits} of town.visits + ${third.places} of town.places  town/visits\n`,
  );
});

test('a list is of a dataset, of a metric, or of one version and what it is made of', async () => {
  const list = async (name: string) => JSON.parse((await run('versions', name, '--json')).data);
  expect((await list('town.codes')).metricVersions).toEqual([]);
  expect((await list('town.places')).metricVersions).toEqual(listed);
  const ofMetric = await list('town/visits');
  expect(ofMetric.metricVersions).toEqual(listed);
  expect(new Set(ofMetric.versions.map(({ dataset }: Listed['madeOf'][0]) => dataset))).toEqual(
    new Set(['town.places', 'town.visits']),
  );
  const ofVersion = await list(metric);
  expect(ofVersion.metricVersions).toEqual(listed.slice(0, 1));
  expect(ofVersion.versions).toMatchObject([
    { dataset: 'town.places', version: third.places },
    { dataset: 'town.visits', version: second.visits },
  ]);
  expect((await list(first.places)).metricVersions).toEqual(listed.slice(1));
  expect(await run('versions', 'town/visit')).toMatchObject({
    code: 2,
    messages: "No metric 'town/visit' is published.\nDid you mean 'town/visits'?\n",
  });
  expect(await run('versions', '20260101T000000000Z-0123456789ab')).toMatchObject({
    code: 2,
    messages:
      "No dataset has a version '20260101T000000000Z-0123456789ab'.\nAll versions: locmetrics versions\n",
  });
});

test('a withdrawal of a metric version says what it is made of, and suggests nothing', async () => {
  expect(await run('versions', 'withdraw', metric)).toEqual({
    code: 1,
    data: '',
    messages: `${metric} is a version of the metric town/visits, not of a dataset. It is made of ${second.visits} of town.visits and ${third.places} of town.places.\nList the versions: locmetrics versions\n`,
  });
  // Similar to the versions of three datasets, and it is none of them.
  const mistyped = `${third.codes.slice(0, -1)}${third.codes.endsWith('0') ? '1' : '0'}`;
  expect(await run('versions', 'withdraw', mistyped)).toEqual({
    code: 1,
    data: '',
    messages: `No dataset has a version '${mistyped}'.\nList the versions: locmetrics versions\n`,
  });
});

test('a rollback and a comparison of a metric version name its part of that dataset', async () => {
  const old = listed[2]?.version ?? '';
  const what = `${old} is a version of the metric town/visits, not of a dataset. It is made of ${first.visits} of town.visits and ${first.places} of town.places.\n`;
  expect((await run('rollback', 'town.visits', old)).messages).toBe(
    `${what}Its version of town.visits is ${first.visits}.\n`,
  );
  expect((await run('rollback', 'town.codes', old)).messages).toBe(
    `${what}It has no version of town.codes.\n`,
  );
  expect((await run('diff', 'town.places', old)).messages).toBe(
    `${what}Its version of town.places is ${first.places}. See: locmetrics versions town.places\n`,
  );
  expect((await run('rollback', 'town.visits', first.places)).messages).toBe(
    `${first.places} is a version of town.places, not of town.visits.\nList the kept versions: locmetrics versions town.visits\n`,
  );
});

test('a metric version is still explained when a version that it was made of is withdrawn', async () => {
  const old = listed[2]?.version ?? '';
  expect((await run('versions', 'withdraw', first.visits)).code).toBe(0);
  const { metricVersions } = JSON.parse((await run('versions', '--json')).data);
  expect(metricVersions.map(({ version }: Listed) => version)).not.toContain(old);
  expect((await run('versions', old)).messages).toContain(
    `It is made of ${first.visits} of town.visits and ${first.places} of town.places.`,
  );
});
