import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openDerivedFileChecks } from '@locmetrics/data-directory/versions/derived-files';
import {
  readVersionFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import { sealFiles } from '@locmetrics/ingest/publish/seal-files';
import { ROW_LAYOUT } from '@locmetrics/row-store/row-file';
import { beforeEach, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { publishStores } from './publish-stores.ts';
import { type CommandResult, linesOf, runCommand } from './run-command.ts';
import { startService } from './start-service.ts';

const inFolder = useTemporaryFolder();

const NAME = 'shop.stores';
const FILES = { 'stores.csv': 'id,city,visits\n1,A,5\n2,B,6\n' };

let version: string;
let folder: string;
let rowFile: string;

beforeEach(async () => {
  await rm(inFolder('data'), { recursive: true, force: true });
  [version = ''] = await publishStores(inFolder('.'), {
    files: FILES,
    time: '2026-01-31T10:00:00.000Z',
  });
  folder = dataDirectory(inFolder('data')).version(NAME, version);
  rowFile = join(folder, 'rows.sqlite');
});

const verify = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand(['verify', ...parameters, '--data', inFolder('data')]);

async function foundBy(...parameters: readonly string[]): Promise<readonly unknown[]> {
  const { code, data } = await verify(...parameters, '--json');
  const [found] = JSON.parse(data).versions;
  return [code, found.isWhole, found.rowFile, found.rowFileProblem];
}

async function damage(): Promise<void> {
  const bytes = await readFile(rowFile);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(rowFile, bytes);
}

/** Rewrites the description of the version. */
async function describeAgain(change: (file: VersionFile) => object): Promise<void> {
  const file = readVersionFile(folder);
  if (file === undefined) throw new Error('The version has no description.');
  await writeFile(join(folder, 'version.json'), sealedText({ ...file, ...change(file) }));
}

/** As a release with another layout would leave it. */
async function changeLayout(): Promise<void> {
  const database = new DatabaseSync(rowFile);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const derived = await sealFiles(folder, ['rows.sqlite'], {});
  await describeAgain(() => ({ derived }));
}

const DAMAGED = 'rows.sqlite does not have the content with which it was published.';

test.each([
  ['damaged', damage, DAMAGED],
  [
    'cut',
    () => writeFile(rowFile, 'x'),
    expect.stringMatching(/^rows\.sqlite has 1 bytes instead of /),
  ],
  ['missing', () => rm(rowFile), 'rows.sqlite is missing.'],
  [
    'of another layout',
    changeLayout,
    expect.stringContaining(`has the layout 99, and this release reads ${ROW_LAYOUT}.`),
  ],
])(
  'a row file that is %s is found by verify, and made again by --repair',
  async (_, spoil, problem) => {
    const before = readVersionFile(folder);
    await spoil();
    expect(await foundBy()).toEqual([1, true, 'unusable', problem]);
    expect(await foundBy('--repair')).toEqual([0, true, 'made again', null]);
    expect(await foundBy()).toEqual([0, true, 'usable', null]);
    // The same records give the same bytes.
    expect(readVersionFile(folder)).toEqual(before);
  },
);

test('verify tells what is slower and what to do', async () => {
  await damage();
  const { data, messages } = await verify();
  expect(data).toContain(`intact, but slower: ${DAMAGED}`);
  expect(messages).toContain(
    'The version has no row file that can be used.\nAll its answers come from the column store, which is slower. Write it again from the column file: locmetrics verify --repair.',
  );
  expect((await verify('--repair')).data).toContain('intact, row file written again');
});

test('a version of a release without row files is whole, and gets one by --repair', async () => {
  await rm(rowFile);
  await describeAgain(() => ({ derived: undefined }));
  expect(await foundBy()).toEqual([
    0,
    true,
    'never written',
    'its release did not write rows.sqlite; --repair writes it.',
  ]);
  expect(await foundBy('--repair')).toEqual([0, true, 'made again', null]);
});

test('gc removes what a killed repair leaves, and not the folder of one that runs', async () => {
  const temporary = join(inFolder('data'), 'tmp');
  const running = join(temporary, `repair-${process.pid}-a`);
  // No process has such a number.
  const left = join(temporary, 'repair-99999999-b');
  for (const path of [running, left]) await mkdir(path, { recursive: true });
  expect((await runCommand(['gc', '--data', inFolder('data')])).code).toBe(0);
  expect([existsSync(running), existsSync(left)]).toEqual([true, false]);
});

test('publish --without-row-files writes none', async () => {
  const manifest = inFolder('locmetrics.yaml');
  const published = await runCommand([
    ...['publish', manifest, '--without-row-files', '--data', inFolder('data')],
  ]);
  expect(published.code).toBe(0);
  expect((await foundBy()).slice(0, 3)).toEqual([0, true, 'never written']);
  expect(await foundBy('--repair')).toEqual([0, true, 'made again', null]);
});

test.each([
  [100, ['day', 'kind'], ''],
  [
    101,
    undefined,
    'Totals by day and kind are not counted at publish: there are more than 10000 combinations of values.',
  ],
])('totals by %i days and 100 values of a marked field: %j', async (days, fields, notice) => {
  const rows = Array.from({ length: days * 100 }, (_, index) => {
    const day = new Date(Date.UTC(2024, 0, 1 + (index % days))).toISOString().slice(0, 10);
    return `${index},${day},K${Math.floor(index / days)}\n`;
  });
  await writeFile(inFolder('kinds.csv'), `id,day,kind\n${rows.join('')}`);
  await writeFile(inFolder('kinds.yaml'), KINDS_MANIFEST);
  const data = inFolder(`kinds-${days}`);
  const { code, ...output } = await runCommand(['publish', inFolder('kinds.yaml'), '--data', data]);
  expect(code).toBe(0);
  expect(`${output.data}${output.messages}`).toContain(notice);
  const path = join(dataDirectory(data).datasetVersions('shop.kinds'));
  const [published = ''] = await readdir(path);
  const database = new DatabaseSync(join(path, published, 'rows.sqlite'), { readOnly: true });
  const { groups } = JSON.parse(
    String(database.prepare('SELECT facts FROM facts').get()?.['facts']),
  );
  database.close();
  expect(groups[0]?.fields).toEqual(fields);
  expect(groups[0]?.counts.length).toBe(fields && days * 100 * 3);
});

const KINDS_MANIFEST = `format: 1
datasets:
  shop.kinds:
    files: kinds.csv
    key: [id]
    period: { start: day, end: day }
    fields:
      id: { type: string }
      day: { type: date }
      kind: { type: string, searchable: true }
`;

test('a version whose data are damaged is not repaired', async () => {
  await damage();
  await writeFile(join(folder, 'records.duckdb'), 'x');
  expect(await foundBy('--repair')).toEqual([1, false, null, null]);
});

test('derived files are checked once, again when they change, and each problem is told once', async () => {
  const problems: string[] = [];
  const directory = dataDirectory(inFolder('data'));
  const checks = openDerivedFileChecks(directory, ({ problem }) => problems.push(problem));
  const check = () => checks.check({ datasetName: NAME, version });
  expect(check()).toBe(check());
  expect(await check()).toEqual({ datasetName: NAME, version });
  await damage();
  for (let time = 0; time < 2; time += 1) {
    expect(await check()).toEqual({ datasetName: NAME, version, problem: DAMAGED });
  }
  expect(problems).toEqual([DAMAGED]);
  expect((await verify('--repair')).code).toBe(0);
  expect(await check()).toEqual({ datasetName: NAME, version });
  await rm(rowFile);
  await checks.checkCurrent();
  expect(problems).toEqual([DAMAGED, 'rows.sqlite is missing.']);
  checks.close();
});

test('derived files of a version that is published meanwhile count as checked', async () => {
  const directory = dataDirectory(inFolder('data'));
  const checks = openDerivedFileChecks(directory, () => {});
  const [published = ''] = await publishStores(inFolder('.'), {
    files: FILES,
    time: new Date(Date.now() + 1000).toISOString(),
  });
  const one = { datasetName: NAME, version: published };
  await writeFile(join(directory.version(NAME, published), 'rows.sqlite'), 'x');
  expect(await checks.check(one)).toEqual(one);
  checks.close();
});

test('a service tells of a damaged row file, and answers from the column store', async () => {
  await damage();
  const data = ['--data', inFolder('data')];
  await runCommand(['org', 'create', 'A', '--id', 'a', ...data]);
  await runCommand(['grant', 'add', 'a', '*', ...data]);
  const created = await runCommand([
    'token',
    'create',
    '--org',
    'a',
    '--name',
    'a',
    '--json',
    ...data,
  ]);
  const { token } = JSON.parse(created.data);
  // The first query is slow, so that the log has its store.
  const serving = await startService(data[1] ?? '', ['--slow-query', '1ms']);
  await serving.untilItWrites('"row_file_unusable"');
  const log = () => linesOf(serving);
  expect(log().filter(({ kind }) => kind === 'row_file_unusable')).toMatchObject([
    { level: 40, dataset: NAME, version, problem: DAMAGED },
  ]);
  const answer = await fetch(`${serving.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      dataReferenceName: NAME,
      filters: [{ fieldName: 'id', operator: '==', value: '2' }],
    }),
  });
  expect(Object(await answer.json()).records[0].fields).toMatchObject({ id: '2', city: 'B' });
  await serving.untilItWrites('"query_slow"');
  const slow = log().find(({ kind }) => kind === 'query_slow');
  expect(slow).toMatchObject({ store: 'columns', reason: 'The version has no row file.' });
});
