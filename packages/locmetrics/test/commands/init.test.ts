import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { manifestSchemaText } from '@locmetrics/ingest/manifest/manifest-schema';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const STORES = 'id,name,zip,lat,lng\nA1,Alpha,4609,38.5,-75.5\nB2,Béta,94110,38.6,-75.4\n';
const VISITS = 'store;month;visits\nA1;2024-01;1,5\nB2;2024-01;2\nB2;2024-02;7\n';

/** A folder with two files. Returns a function that runs a command in it. */
async function prepare(name: string) {
  const folder = inFolder(join(name, 'town'));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'stores.csv'), STORES);
  await writeFile(join(folder, 'visits.csv'), VISITS);
  const run = (...parameters: readonly string[]): Promise<CommandResult> =>
    runCommand(parameters, { directory: folder });
  return { folder, run };
}

test('init writes a manifest that is checked and published as it is', async () => {
  const { folder, run } = await prepare('whole');
  const { code, data, messages } = await run('init', 'stores.csv', 'visits.csv');
  expect([code, data]).toEqual([0, '']);
  expect(messages.replace(/^town\..*: (reading|comparing)\n/gm, '')).toMatchInlineSnapshot(`
    "Wrote locmetrics.yaml. It has:
      dataset  town.stores: 2 records of stores.csv; key id; with points
      dataset  town.visits: 3 records of visits.csv; key store, month_start; 2024-01 to 2024-02
      layer    stores: 2 features, named by name
      metric   town/visits: visits; monthly; 2 features of the layer stores
                 A1, 2024-01: visits 1.5
                 B2, 2024-01: visits 2
                 B2, 2024-02: visits 7

    Check these places in it:
      locmetrics.yaml:15: zip: Codes of 4 to 5 digits, so leading zeros seem to be missing: they are padded to 5, and 4609 is 04609.
      locmetrics.yaml:34: visits: Its name suggests that it can be added up. If not, write additive: none.

    Next:
      locmetrics check locmetrics.yaml    # reports all errors at once
      locmetrics publish locmetrics.yaml
      locmetrics org create "My organisation" --id mine
      locmetrics grant add mine "town.*"
      locmetrics grant add mine "town/*"
      locmetrics token create --org mine --name first
      locmetrics serve
      curl -s http://127.0.0.1:8080/v3/catalog/listRecords \\
        -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" \\
        -d '{"dataReferenceName": "town.stores", "pageSize": 3}'
    "
  `);
  expect((await readdir(folder)).toSorted()).toEqual([
    'locmetrics.yaml',
    'stores.csv',
    'visits.csv',
  ]);
  expect((await run('check')).code).toBe(0);
  const published = await run('publish', 'locmetrics.yaml');
  expect(published.data).toContain('Published town.stores: 2 records');
  expect(published.data).toContain('Published town.visits: 3 records');
  expect(published.data).toContain('Serving metric town/visits (layer stores)');
});

test('init takes the data files of a folder, and says which it leaves', async () => {
  const { folder, run } = await prepare('of-folder');
  await writeFile(join(folder, 'README.md'), 'Two files.');
  await writeFile(join(folder, 'map.kml'), '<kml/>');
  const { code, messages } = await run('init', '.');
  expect(code).toBe(0);
  expect(messages).toContain('taken  stores.csv, visits.csv\n');
  expect(messages).toContain('left   README.md: describes the data\n');
  expect(messages).toContain(
    'locmetrics.yaml:4: Not in this draft: map.kml has a format that is not read: export its rows as CSV.\n',
  );
  expect((await run('check')).code).toBe(0);
});

test('init --publish publishes a draft without doubts at once', async () => {
  const { folder, run } = await prepare('published');
  await writeFile(
    join(folder, 'counts.csv'),
    'station,name,month,visits\nA1,Alpha,2024-01,10\nA1,Alpha,2024-02,11\nB2,Beta,2024-01,20\n',
  );
  const { code, data, messages } = await run('init', 'counts.csv', '--publish');
  expect(code).toBe(0);
  expect(data).toContain('Published town.counts: 3 records');
  expect(data).toContain('Serving metric town/counts (layer counts_places)');
  expect(messages).toContain('Nothing is doubtful. Publishing:\n');
  // What the other dataset of the file uses is not forgotten.
  expect(messages).not.toContain('not used by any field');
  expect(messages).toContain('locmetrics serve');
  expect(messages).not.toContain('locmetrics publish');
});

test('init --publish publishes nothing that is doubtful', async () => {
  const { folder, run } = await prepare('doubtful');
  const { code, messages } = await run('init', 'stores.csv', '--publish');
  expect(code).toBe(1);
  expect(messages).toContain(
    'Nothing was published, because a place in the draft is doubtful.\nCheck it in locmetrics.yaml, then run: locmetrics publish locmetrics.yaml\n',
  );
  expect((await readdir(folder)).toSorted()).toEqual([
    'locmetrics.yaml',
    'stores.csv',
    'visits.csv',
  ]);
  const printed = await run('init', 'stores.csv', '--publish', '--output', '-');
  expect(printed.code).toBe(1);
  expect(printed.messages).toContain('--publish needs a manifest in a file');
});

test('the most dangerous doubts come first', async () => {
  const { folder, run } = await prepare('dangers');
  await writeFile(
    join(folder, 'totals.csv'),
    'Kanton;Jahr;Anzahl\nBern;2022;10\nZug;2022;20\nBern;2023;12\nZug;2023;21\nTotal;2022;30\nTotal;2023;33\n',
  );
  const { messages } = await run('init', 'stores.csv', 'totals.csv');
  const doubts = messages.split('\n').filter((line) => /^ {2}locmetrics\.yaml:/.test(line));
  expect(doubts.map((line) => line.replace(/^.*?:\d+: (?:\w+: )?(\w+ \w+).*/, '$1'))).toEqual([
    'Rows with',
    'Places are',
    'Codes of',
  ]);
});

test('the same doubt about several fields is told once', async () => {
  const { folder, run } = await prepare('alike');
  const names = ['arts', 'biology', 'chemistry', 'drama', 'english', 'french', 'german'];
  await writeFile(
    join(folder, 'shares.csv'),
    `site,year,${names.join(',')}\n${[2001, 2002].map((year) => `A1,${year},${names.map(() => '4.5').join(',')}`).join('\n')}\n`,
  );
  const { messages } = await run('init', 'shares.csv');
  const said = messages.split('\n').filter((line) => /additive: all|The same/.test(line));
  expect(said.map((line) => line.replace(/:\d+:/, ':N:'))).toEqual([
    '  locmetrics.yaml:N: arts: If it can be added up, such as revenue, write additive: all.',
    expect.stringMatching(
      /^ {4}The same holds for biology \(line \d+\), chemistry \(line \d+\), drama \(line \d+\), english \(line \d+\) and 2 others\.$/,
    ),
  ]);
});

test('the first values of a metric name the place that several codes make', async () => {
  const { folder, run } = await prepare('joined');
  await writeFile(
    join(folder, 'counties.csv'),
    'STATE,COUNTY,year,births\n01,001,2009,5\n01,003,2009,7\n02,001,2009,8\n',
  );
  const { messages } = await run('init', 'counties.csv');
  expect(messages).toContain('01001, 2009: births 5\n');
});

test('init replaces no file unless it is told to, and prints with --output -', async () => {
  const { folder, run } = await prepare('again');
  await writeFile(join(folder, 'locmetrics.yaml'), 'mine');
  const refused = await run('init', 'stores.csv');
  expect(refused.code).toBe(1);
  expect(refused.messages).toContain(
    'locmetrics.yaml already exists and was not changed.\nWrite another file with --output FILE, print it with --output -, or replace it with --force.\n',
  );
  expect(await readFile(join(folder, 'locmetrics.yaml'), 'utf8')).toBe('mine');
  const printed = await run('init', 'stores.csv', '--output', '-');
  expect(printed.data).toContain('    files: stores.csv\n');
  await run('init', 'stores.csv', '--force');
  expect(await readFile(join(folder, 'locmetrics.yaml'), 'utf8')).toBe(printed.data);
});

test('paths are relative to the manifest, wherever it is written', async () => {
  const { folder, run } = await prepare('elsewhere');
  await mkdir(join(folder, 'made'));
  expect((await run('init', 'stores.csv', '--output', 'made/x.yaml')).code).toBe(0);
  expect(await readFile(join(folder, 'made/x.yaml'), 'utf8')).toContain("files: '../stores.csv'");
  expect((await run('check', 'made/x.yaml')).code).toBe(0);
});

test.each([[[]], [['--schema']]])(
  'with %j the first line names the JSON Schema for editors',
  async (flags) => {
    const { folder, run } = await prepare(`schema${flags.length}`);
    await run('init', 'stores.csv', ...flags);
    const path = join(folder, 'locmetrics.yaml');
    const [line = ''] = (await readFile(path, 'utf8')).split('\n');
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/.exec(line) ?? [];
    expect(await readFile(resolve(dirname(path), schema), 'utf8')).toBe(manifestSchemaText());
  },
);

test('inspect tells what it sees, and writes nothing', async () => {
  const { folder, run } = await prepare('seen');
  const { code, data } = await run('inspect', 'visits.csv');
  expect(code).toBe(0);
  expect(data.replaceAll(folder, '')).toMatchInlineSnapshot(`
    "/visits.csv: csv, utf-8, delimiter ";"
      3 rows; key store, month_start
      column  field        type    written                      to check
      store   store        string
      month   month_start  date    format YYYY-MM, as month
      month   month_end    date    format YYYY-MM, as month
      visits  visits       float   format 1234,5, additive all  Its name suggests that it can be added up. If not, write additive: none.

    "
  `);
  expect((await readdir(folder)).toSorted()).toEqual(['stores.csv', 'visits.csv']);
});

test.each([
  ['nothing.csv', 'nothing.csv does not exist.'],
  ['empty.csv', 'empty.csv has no rows.'],
  ['book.pdf', 'book.pdf is a PDF document, not csv.'],
  ['shapes.json', 'shapes.json is TopoJSON, which is read as boundaries of areas, not as rows.'],
])('%s is refused with the reason', async (name, message) => {
  const { folder, run } = await prepare(`refused-${name}`);
  await writeFile(join(folder, 'empty.csv'), '');
  await writeFile(join(folder, 'book.pdf'), '%PDF-1.7 and more');
  await writeFile(join(folder, 'shapes.json'), '{"type":"Topology","objects":{}}');
  const { code, messages } = await run('init', name);
  expect(code).toBe(1);
  expect(messages.replaceAll(`${folder}/`, '')).toContain(message);
});

test('init --hours days adds up the hours of each day, and any other word is refused', async () => {
  const { folder, run } = await prepare('hours');
  const rows = ['A1', 'B2'].flatMap((site) =>
    ['01', '02'].flatMap((day) => [7, 8].map((hour) => `${site},2024-01-${day},${hour},10`)),
  );
  await writeFile(join(folder, 'counts.csv'), `site,date,hour,visits\n${rows.join('\n')}\n`);
  const { code, messages } = await run('init', 'counts.csv', '--hours', 'days', '--publish');
  expect(code).toBe(0);
  expect(messages).toContain('A1, 2024-01-01: visits 20');
  const refused = await run('init', 'counts.csv', '--hours', 'weeks', '--force');
  expect(refused.code).toBe(1);
  expect(refused.messages).toContain(
    '--hours weeks is unknown.\nWrite one of these: --hours dimension, --hours days.\n',
  );
});
