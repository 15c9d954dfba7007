import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { takePublishLock } from '@locmetrics/ingest/publish/publish-lock';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand, startCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const SAMPLE = fileURLToPath(new URL('../../sample/locmetrics.yaml', import.meta.url));

const MANIFEST = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
      count: { type: integer }
  shop.codes:
    files: codes.csv
    key: [code]
    fields:
      code: { type: string }
`;
const STORES = 'id,count\n01,5\n02,\n';
const CODES = 'code\nA\n';

/** A folder with a manifest and its files. Returns a function that runs a command in it. */
async function declare(
  name: string,
  files: Readonly<Record<string, string>> = {},
): Promise<(...parameters: readonly string[]) => Promise<CommandResult>> {
  await mkdir(inFolder(name), { recursive: true });
  const all = { 'locmetrics.yaml': MANIFEST, 'stores.csv': STORES, 'codes.csv': CODES, ...files };
  for (const [file, text] of Object.entries(all)) await writeFile(inFolder(join(name, file)), text);
  return (...parameters) =>
    runCommand(['publish', 'locmetrics.yaml', ...parameters], { directory: inFolder(name) });
}

const readCurrent = (name: string): Promise<string> =>
  readFile(inFolder(join(name, '.locmetrics', 'current.json')), 'utf8');

test('publish prints the result on standard output, and the progress as plain lines on standard error', async () => {
  const publish = await declare('plain');
  const { code, data, messages } = await publish();
  expect(code).toBe(0);
  expect(data).toMatch(
    /^Published shop\.stores: 2 records in \d+\.\d s, version \d{8}T\d{9}Z-[0-9a-f]{12}\n( .*\n)+Published shop\.codes: 1 record in \d+\.\d s, version \d{8}T\d{9}Z-[0-9a-f]{12}\n( .*\n)+$/,
  );
  expect(messages).toMatchInlineSnapshot(`
    "shop.stores: reading
    shop.stores: checking
    shop.stores: writing
    shop.codes: reading
    shop.codes: checking
    shop.codes: writing
    "
  `);
  expect(await readdir(inFolder('plain/.locmetrics/tmp'))).toEqual([]);
});

const REPORTED = `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [store, month]
    period: { start: month, end: month }
    accept: { rejected_rows: 20%, vanished_features: 1 }
    fields:
      store: { type: string }
      month: { type: date }
      visits: { type: integer }
      share: { type: float }
`;
const VISITS = `store,month,visits,share
A,2024-01-01,1000,0.5
A,2024-02-01,1100,0.5
B,2024-01-01,20,
B,2024-02-01,20,0.25
C,2024-01-01,10,1
`;
const NEXT_VISITS = `store,month,visits,share
A,2024-01-01,1000,0.5
A,2024-02-01,many,0.5
A,2024-03-01,50,0.5
B,2024-01-01,20,
B,2024-02-01,2,0.25
E\u001b[31m,2024-01-01,10,1
`;

test('the report follows, with rejected rows, changes and statistics of the fields', {
  tags: 'slow',
}, async () => {
  await (await declare('report', { 'locmetrics.yaml': REPORTED, 'visits.csv': VISITS }))();
  const publish = await declare('report', {
    'locmetrics.yaml': REPORTED,
    'visits.csv': NEXT_VISITS,
  });
  const { data } = await publish();
  expect(
    data
      .replaceAll(/in \d+\.\d s/g, 'in TIME')
      .replaceAll(/version \S+/g, 'version VERSION')
      .replace(/[\d,]+ a second/, 'RATE a second'),
  ).toMatchInlineSnapshot(`
    "Published shop.visits: 5 records in TIME, version VERSION
      rows      6 read, 5 kept, 1 rejected, RATE a second
      rejected  1 × visits is not a whole number
                  visits.csv:3: visits: 'many' is not a whole number.
      before    5 → 5 records, version VERSION
      periods   3 (month): 1 appeared, 1 corrected, 2 changed by more than 50%
                  appeared: 2024-03-01
                  2024-02-01: visits 1,120 → 2 (-99.8%)
                  2024-03-01: visits 2 → 50 (+2,400%), against 2024-02-01
      features  3 (store): 1 appeared, 1 vanished, 2 corrected
                  appeared: E\\u001b[31m
                  vanished: C
      totals    visits 2,150 → 1,082 (-49.7%)
                  2024-02-01: 1,120 → 2 (-99.8%)
                  2024-03-01: none → 50
                  changed most in corrected periods:
                    A: 1,100 → none
                    B: 20 → 2 (-90%)
      fields    name    absent  least       greatest
                month   -       2024-01-01  2024-03-01
                visits  -       2           1000
                share   1       0.25        1
                … and 1 more in report.json
    "
  `);
});

test('each reason for rejected rows has two examples and the number of the others', async () => {
  const publish = await declare('many-rejected', {
    'locmetrics.yaml': REPORTED.replace('20%', '90%'),
    'visits.csv': `${VISITS}${[4, 5, 6, 7, 8].map((day) => `A,2024-03-0${day},many,\n`).join('')}`,
  });
  const { data } = await publish();
  expect(data).toContain(`  rejected  5 × visits is not a whole number
              visits.csv:7: visits: 'many' is not a whole number.
              visits.csv:8: visits: 'many' is not a whole number.
              … and 3 more
`);
});

test('a publish that changes more than the manifest accepts lists the changes and gives a hint', async () => {
  await (await declare('refused', { 'locmetrics.yaml': REPORTED, 'visits.csv': VISITS }))();
  const publish = await declare('refused', {
    'locmetrics.yaml': REPORTED,
    'visits.csv': 'store,month,visits,share\nA,2024-01-01,1000,0.5\n',
  });
  const { code, data, messages } = await publish();
  expect([code, data]).toEqual([1, '']);
  expect(messages.split('\n').slice(-4)).toEqual([
    'shop.visits changes more than its manifest accepts:',
    '2 features of 3 missing: B, C; accepted: 1 (accept.vanished_features).',
    'Nothing was published. Fix the data, accept more in the manifest, or publish once with --accept-changes.',
    '',
  ]);
  expect((await publish('--accept-changes')).data).toMatch(/^Published shop\.visits: 1 record in /);
});

test('publish --json prints only one JSON document on standard output', async () => {
  const publish = await declare('json', { 'codes.csv': 'code,label\nA,one\n' });
  const { code, data, messages } = await publish('--json');
  expect(code).toBe(0);
  expect(JSON.parse(data)).toEqual({
    dryRun: false,
    versions: [
      {
        dataset: 'shop.stores',
        version: expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{12}$/),
        publishedTime: expect.stringMatching(/^\d{4}-.*Z$/),
        rowCount: 2,
        durationMs: expect.any(Number),
        notices: [],
        report: expect.objectContaining({ dataset: 'shop.stores', before: null }),
      },
      expect.objectContaining({
        dataset: 'shop.codes',
        rowCount: 1,
        notices: [expect.stringContaining('label')],
      }),
    ],
    metrics: [],
  });
  expect(messages).toContain('shop.codes: reading\n');
  expect(messages.split('\n').at(-2)).toMatch(/^shop\.codes: .*label/);
});

const METRIC_MANIFEST = `${MANIFEST}layers:
  codes: { dataset: shop.codes, feature_id: code, name: code }
metrics:
  shop/count:
    dataset: shop.stores
    layer: codes
    feature_id: id
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: count, field: count, kind: count }
`;

test('a metric is reported once it is served; before that, the missing parts are reported', async () => {
  const publish = await declare('metric', {
    'locmetrics.yaml': METRIC_MANIFEST,
    'codes.csv': 'code\n01\n',
  });
  const waiting = await publish('shop.stores');
  expect(waiting.data).not.toContain('Serving');
  expect(waiting.messages.split('\n').slice(-2)).toEqual([
    "shop.stores: shop/count: not served yet. No published dataset declares its layer 'codes'. Publish the missing part too.",
    '',
  ]);
  expect((await publish('shop.codes')).data).toMatch(
    /^Published shop\.codes: .*\n( .*\n)+Serving metric shop\/count \(layer codes\)\n$/,
  );
  const { data, messages } = await publish('--json');
  expect(JSON.parse(data).metrics).toEqual([
    {
      metric: 'shop/count',
      layer: 'codes',
      version: expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{12}$/),
    },
  ]);
  expect(messages).toContain(
    "shop.stores: shop/count: 1 record can never be a value: id is not a feature of the layer 'codes', for example '02'.\n",
  );
});

test('a publish that ends a metric names the metric and gives a hint', {
  tags: 'slow',
}, async () => {
  const publish = await declare('lost', { 'locmetrics.yaml': METRIC_MANIFEST });
  await publish();
  const before = await readCurrent('lost');
  await declare('lost');
  expect(await publish('shop.codes')).toEqual({
    code: 1,
    data: '',
    messages: expect.stringMatching(
      /^The metric shop\/count could no longer be served\. No published dataset declares its layer 'codes'\.\nPublish the missing part too\. .*\n$/,
    ),
  });
  expect(await readCurrent('lost')).toBe(before);
});

test('a wrong row is reported with its file, line, field, value and reason, and nothing changes', async () => {
  const publish = await declare('wrong-row');
  await publish();
  const before = await readCurrent('wrong-row');
  await declare('wrong-row', {
    'codes.csv': 'code\nB\n',
    'stores.csv': 'id,count\n01,5\n02,many\n,7\n01,8\n',
  });
  const { code, data, messages } = await publish();
  expect([code, data]).toEqual([1, '']);
  expect(messages).toMatchInlineSnapshot(`
    "shop.stores: reading
    shop.stores: checking
    stores.csv:3: count: 'many' is not a whole number.
    stores.csv:4: id: the key is absent.
    stores.csv:5: id: '01' is already in line 2.
    Choose for shop.stores: a key with more fields (no other field tells these rows apart by itself), or how rows with the same key become one record, as rows: [{ duplicates: … }] with sum, first, last, min, max or same.
    Nothing was published. The current versions are unchanged.
    "
  `);
  expect(await readCurrent('wrong-row')).toBe(before);
  expect(await readdir(inFolder('wrong-row/.locmetrics/versions/shop.stores'))).toHaveLength(1);
  expect(await readdir(inFolder('wrong-row/.locmetrics/versions/shop.codes'))).toHaveLength(1);
  expect(await readdir(inFolder('wrong-row/.locmetrics/tmp'))).toEqual([]);
});

test('with a wrong row in the second dataset, the first one is not published either', async () => {
  const publish = await declare('second', { 'codes.csv': 'code\nA\nA\n' });
  const { code, messages } = await publish();
  expect(code).toBe(1);
  expect(messages).toContain('codes.csv:');
  await expect(readCurrent('second')).rejects.toThrow('ENOENT');
});

test('an invalid manifest is reported with its lines before any file is read', async () => {
  const publish = await declare('wrong-manifest', {
    'locmetrics.yaml': MANIFEST.replace('integer', 'integr').replace('[code]', '[cod]'),
  });
  const { code, data, messages } = await publish();
  expect({ code, data, messages }).toMatchInlineSnapshot(`
    {
      "code": 1,
      "data": "",
      "messages": "locmetrics.yaml:8: datasets.shop.stores.fields.count.type: Unknown value 'integr'. Did you mean 'integer'?
    locmetrics.yaml:11: datasets.shop.codes.key.0: There is no field 'cod'. Did you mean 'code'?
    ",
    }
  `);
  expect(await readdir(inFolder('wrong-manifest'))).not.toContain('.locmetrics');
});

test('a missing manifest is reported', async () => {
  expect(await runCommand(['publish', inFolder('nothing.yaml')])).toEqual({
    code: 1,
    data: '',
    messages: expect.stringMatching(
      /^.*nothing\.yaml: The manifest does not exist\. Give the path of your manifest, such as data\/locmetrics\.yaml\. `locmetrics init FILE…` writes a first one\.\n$/,
    ),
  });
});

test('one dataset is published by its name, and the others do not change', {
  tags: 'slow',
}, async () => {
  const publish = await declare('by-name');
  await publish();
  const before = JSON.parse(await readCurrent('by-name')).datasets;
  const { code, data } = await publish('shop.codes');
  expect(code).toBe(0);
  expect(data).toMatch(/^Published shop\.codes: 1 record in .*\n( .*\n)+$/);
  const after = JSON.parse(await readCurrent('by-name')).datasets;
  expect(after['shop.stores']).toEqual(before['shop.stores']);
  expect(after['shop.codes'].history).toHaveLength(2);
});

test('an unknown dataset is reported with the nearest name', async () => {
  const publish = await declare('unknown');
  expect(await publish('shop.store')).toEqual({
    code: 1,
    data: '',
    messages: "The manifest declares no dataset 'shop.store'.\nDid you mean 'shop.stores'?\n",
  });
});

test('a second publish into the same data directory is refused', async () => {
  const publish = await declare('two');
  await mkdir(inFolder('two/.locmetrics'));
  const lock = await takePublishLock(fileVersions(dataDirectory(inFolder('two/.locmetrics'))));
  const refused = await publish();
  await lock.release();
  expect(refused).toEqual({
    code: 1,
    data: '',
    messages:
      'Another publish is running in this data directory.\nWait until it has ended, then publish again.\n',
  });
  expect((await publish()).code).toBe(0);
});

test('an interrupted publish says so and changes nothing', async () => {
  const data = inFolder('interrupted');
  const running = startCommand(['publish', SAMPLE, 'ml_visitation.neighborhoods', '--data', data]);
  await running.untilItWrites('neighborhoods: reading');
  running.kill('SIGINT');
  expect(await running.ended).toEqual({
    code: 130,
    data: '',
    messages: expect.stringMatching(
      /^ml_visitation\.neighborhoods: reading\n(ml_visitation.*\n)?Stopped before the end: nothing was changed\.\n$/,
    ),
  });
  expect(await readdir(data)).toEqual(['publish.lock', 'tmp']);
  expect(await readdir(join(data, 'tmp'))).toEqual([]);
});

test('files of a killed publish are removed by the next one', { tags: 'slow' }, async () => {
  const publish = await declare('killed');
  const data = inFolder('killed/.locmetrics');
  const running = startCommand(['publish', SAMPLE, 'ml_visitation.neighborhoods', '--data', data]);
  await running.untilItWrites('neighborhoods: reading');
  running.kill('SIGKILL');
  await running.ended;
  expect(await readdir(join(data, 'tmp'))).toEqual([expect.stringMatching(/^publish-/)]);
  expect((await publish()).code).toBe(0);
  expect(await readdir(join(data, 'tmp'))).toEqual([]);
  expect((await readdir(join(data, 'versions'))).sort()).toEqual(['shop.codes', 'shop.stores']);
});
