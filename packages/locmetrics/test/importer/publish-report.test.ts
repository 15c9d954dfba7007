import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import type { PublishReport } from '@locmetrics/data-directory/versions/publish-report';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

let folder = '';
let directory: DataDirectory;
let clock: number;

beforeEach(async () => {
  folder = temporaryFolder();
  directory = dataDirectory(join(folder, 'data'));
  clock = Date.parse('2024-01-01T00:00:00.000Z');
});

const FIELDS = `      store: { type: string }
      month: { type: date }
      visits: { type: integer }
      share: { type: float }
`;
const manifest = (accept = '{}', fields = FIELDS): string => `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [store, month]
    period: { start: month, end: month }
    accept: ${accept}
    fields:
${fields}`;

type Row = readonly [store: string, month: string, visits: number | '', share: number | ''];

/** Publishes rows a minute after the previous publish, and returns the report. */
async function publishRows(
  rows: readonly Row[],
  {
    text = manifest(),
    acceptsChanges = false,
  }: { readonly text?: string; readonly acceptsChanges?: boolean } = {},
): Promise<PublishReport> {
  clock += 60_000;
  await writeFile(join(folder, 'locmetrics.yaml'), text);
  const lines = rows.map((row) => `${row.join(',')}\n`).join('');
  await writeFile(join(folder, 'visits.csv'), `store,month,visits,share\n${lines}`);
  const { datasets } = await publish({
    ...WHOLE_PUBLISH,
    acceptsChanges,
    manifestPath: join(folder, 'locmetrics.yaml'),
    datasetNames: [],
    directory,
    clock: () => clock,
  });
  const report = datasets[0]?.report;
  if (report === undefined) throw new Error('Nothing was published.');
  return report;
}

async function refusalOf(publishing: Promise<PublishReport>): Promise<string> {
  const error = await publishing.catch((thrown: unknown) => thrown);
  if (!(error instanceof PublishError))
    throw new Error('The publish was not refused.', { cause: error });
  return `${error.message}\n${error.hint}`;
}

/** Two months of three stores. */
const BEFORE: readonly Row[] = [
  ['A', '2024-01-01', 100, 0.5],
  ['A', '2024-02-01', 110, 0.5],
  ['B', '2024-01-01', 10, ''],
  ['B', '2024-02-01', 10, 0.25],
  ['C', '2024-01-01', 1000, 0.5],
  ['C', '2024-02-01', 1000, 0.5],
];

/** C has vanished, D has appeared, B has ten times as many visits in February, and March is far too small. */
const AFTER: readonly Row[] = [
  ['A', '2024-01-01', 100, 0.5],
  ['A', '2024-02-01', 110, 0.5],
  ['A', '2024-03-01', 11, 0.5],
  ['B', '2024-01-01', 10, ''],
  ['B', '2024-02-01', 100, 0.25],
  ['D', '2024-01-01', 900, 1],
  ['D', '2024-02-01', 900, 1],
];

test('a first version is reported without a comparison', async () => {
  const report = await publishRows(BEFORE);
  expect(report).toMatchInlineSnapshot(
    {
      version: expect.any(String),
      durationMs: expect.any(Number),
      rowsPerSecond: expect.any(Number),
    },
    `
    {
      "acceptedNotices": [],
      "before": null,
      "dataset": "shop.visits",
      "durationMs": Any<Number>,
      "features": {
        "appeared": {
          "count": 0,
          "examples": [],
        },
        "changed": 0,
        "count": 3,
        "field": "store",
        "jumpPercent": 50,
        "jumped": {
          "count": 0,
          "examples": [],
        },
        "vanished": {
          "count": 0,
          "examples": [],
        },
      },
      "fields": [
        {
          "absent": 0,
          "greatest": "C",
          "least": "A",
          "name": "store",
          "type": "string",
        },
        {
          "absent": 0,
          "greatest": "2024-02-01",
          "least": "2024-01-01",
          "name": "month",
          "type": "date",
        },
        {
          "absent": 0,
          "greatest": "1000",
          "least": "10",
          "name": "visits",
          "type": "integer",
        },
        {
          "absent": 1,
          "greatest": "0.5",
          "least": "0.25",
          "name": "share",
          "type": "float",
        },
      ],
      "format": 1,
      "grantLosses": [],
      "mode": "replace",
      "notCompared": [],
      "notices": [],
      "periods": {
        "appeared": {
          "count": 0,
          "examples": [],
        },
        "changed": 0,
        "count": 2,
        "field": "month",
        "jumpPercent": 50,
        "jumped": {
          "count": 0,
          "examples": [],
        },
        "vanished": {
          "count": 0,
          "examples": [],
        },
      },
      "publishedTime": "2024-01-01T00:01:00.000Z",
      "rejected": [],
      "replacedPeriod": null,
      "rowCountBefore": null,
      "rows": {
        "carriedOver": 0,
        "kept": 6,
        "read": 6,
        "rejected": 0,
        "replaced": 0,
        "total": 6,
      },
      "rowsPerSecond": Any<Number>,
      "schema": [],
      "totals": [],
      "unmatchedRecords": [],
      "version": Any<String>,
    }
  `,
  );
});

test('changes of the schema are reported, breaking ones first', async () => {
  await publishRows(BEFORE);
  const fields = FIELDS.replace('      share: { type: float }\n', '').replace(
    'visits: { type: integer }',
    'visits: { type: integer, description: Visits. }',
  );
  const { schema } = await publishRows(BEFORE, { text: manifest('{}', fields) });
  expect(schema).toEqual([
    { change: "The field 'share' is gone.", isBreaking: true },
    { change: "The descriptive texts of the field 'visits' changed.", isBreaking: false },
  ]);
});

test('the report is stored beside the version', async () => {
  const report = await publishRows(BEFORE);
  const path = join(directory.version('shop.visits', report.version), 'report.json');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(report);
});

test('the notices of the publish are in the stored report, also those that the metrics have', async () => {
  const fields = FIELDS.replace('      share: { type: float }\n', '');
  const text = `${manifest('{}', fields).replace('[store, month]', '[store]')}layers:
  stores: { dataset: shop.visits, feature_id: store, name: store }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: store
    cadence: monthly
    measure: { name: visits, field: visits, kind: count }
`;
  const report = await publishRows([['A', '2024-01-01', 100, 0.5]], { text });
  const path = join(directory.version('shop.visits', report.version), 'report.json');
  const stored: PublishReport = JSON.parse(await readFile(path, 'utf8'));
  expect(stored.notices).toEqual([
    'These columns of the files are not used by any field: share.',
    expect.stringMatching(/^shop\/visits: .*monthly/),
  ]);
});

test('appeared, vanished and jumped features are reported against the previous version', async () => {
  const { version } = await publishRows(BEFORE);
  const { before, rowCountBefore, periods, features, notCompared } = await publishRows(AFTER);
  expect([before, rowCountBefore, notCompared]).toEqual([version, 6, []]);
  expect(periods).toMatchInlineSnapshot(`
    {
      "appeared": {
        "count": 1,
        "examples": [
          "2024-03-01",
        ],
      },
      "changed": 2,
      "count": 3,
      "field": "month",
      "jumpPercent": 50,
      "jumped": {
        "count": 1,
        "examples": [
          {
            "after": 11,
            "before": 1110,
            "comparedWith": "2024-02-01",
            "field": "visits",
            "of": "2024-03-01",
          },
        ],
      },
      "vanished": {
        "count": 0,
        "examples": [],
      },
    }
  `);
  expect(features).toMatchInlineSnapshot(`
    {
      "appeared": {
        "count": 1,
        "examples": [
          "D",
        ],
      },
      "changed": 1,
      "count": 3,
      "field": "store",
      "jumpPercent": 50,
      "jumped": {
        "count": 1,
        "examples": [
          {
            "after": 55,
            "before": 10,
            "comparedWith": null,
            "field": "visits",
            "of": "B",
          },
        ],
      },
      "vanished": {
        "count": 1,
        "examples": [
          "C",
        ],
      },
    }
  `);
});

test('a feature is compared over the common periods of both versions', {
  tags: 'slow',
}, async () => {
  await publishRows(BEFORE);
  const months = ['03', '04', '05', '06'].map(
    (month): Row => ['A', `2024-${month}-01`, 9_999, 0.5],
  );
  const { features } = await publishRows([...BEFORE, ...months]);
  expect(features?.jumped).toEqual({ count: 0, examples: [] });
});

test('the same rows again are no change', { tags: 'slow' }, async () => {
  await publishRows(BEFORE);
  const { periods, features } = await publishRows(BEFORE);
  const unchanged = { count: 0, examples: [] };
  const lists = { appeared: unchanged, vanished: unchanged, jumped: unchanged };
  expect(periods).toMatchObject({ count: 2, ...lists });
  expect(features).toMatchObject({ count: 3, ...lists });
});

test('for a metric, its fields for the feature and the measures are used', {
  tags: 'slow',
}, async () => {
  const metric = `layers:
  stores: { dataset: shop.visits, feature_id: store, name: store }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: home
    cadence: monthly
    measure: { name: share, field: share, kind: number }
    supporting_values: [{ name: kind, field: kind, kind: category }]
`;
  const fields = `${FIELDS}      home: { type: string, column: store }\n      kind: { type: string, column: store }\n`;
  const text = manifest('{}', fields).replace('[store, month]', '[store]') + metric;
  const rows = (visits: number, share: number): readonly Row[] => [
    ['A', '2024-01-01', visits, share],
  ];
  await publishRows(rows(1, 1), { text });
  const { periods, features } = await publishRows(rows(100, 2), { text });
  expect(features?.field).toBe('home');
  for (const changes of [periods, features]) {
    expect(
      changes?.jumped.examples.map(({ field, before, after }) => [field, before, after]),
    ).toEqual([['share', 1, 2]]);
  }
});

test('a new day is compared with the same weekday before it', { tags: 'slow' }, async () => {
  const days = (count: number): readonly Row[] =>
    Array.from({ length: count }, (_, index) => {
      const day = `2024-01-${String(index + 1).padStart(2, '0')}`;
      // The first of January 2024 is a Monday.
      return ['A', day, index % 7 >= 5 ? 10 : 1000, ''];
    });
  await publishRows(days(10));
  const same = await publishRows(days(20));
  expect(same.periods).toMatchObject({ appeared: { count: 10 }, jumped: { count: 0 } });
  const { periods } = await publishRows([...days(20), ['A', '2024-01-21', 50, '']]);
  expect(periods?.jumped.examples).toEqual([
    { of: '2024-01-21', field: 'visits', before: 10, after: 50, comparedWith: '2024-01-14' },
  ]);
});

test('a corrected month names the places that changed most', { tags: 'slow' }, async () => {
  await publishRows(BEFORE);
  const { periods, totals } = await publishRows(
    BEFORE.map(([store, month, visits, share]) => [
      store,
      month,
      store !== 'A' && month === '2024-02-01' ? Number(visits) + (store === 'B' ? 7 : 2) : visits,
      share,
    ]),
  );
  expect(periods).toMatchObject({ changed: 1, jumped: { count: 0 } });
  const [visits] = totals ?? [];
  expect(visits?.periods.examples.map(({ of }) => of)).toEqual(['2024-02-01']);
  const differences = visits?.features.examples.map(({ of, before, after }) => [
    of,
    (after ?? 0) - (before ?? 0),
  ]);
  expect(differences).toEqual([
    ['B', 7],
    ['C', 2],
  ]);
});

test('vanished values are a jump, and so are new numbers', { tags: 'slow' }, async () => {
  await publishRows(BEFORE);
  const { features } = await publishRows(
    BEFORE.map(([store, month, visits]) => [store, month, visits, store === 'B' ? 0.25 : '']),
  );
  expect(features?.jumped).toEqual({
    count: 2,
    examples: ['A', 'C'].map((of) => ({
      of,
      field: 'share',
      before: 0.5,
      after: null,
      comparedWith: null,
    })),
  });
});

test('lists have a count and ten examples, the largest jumps first', { tags: 'slow' }, async () => {
  const stores = Array.from({ length: 30 }, (_, index) => index + 1);
  const rows = (visitsOf: (store: number) => number): readonly Row[] =>
    stores.map((store) => [String(store).padStart(2, '0'), '2024-01-01', visitsOf(store), '']);
  await publishRows(rows(() => 100));
  const { features } = await publishRows(rows((store) => 100 * store));
  expect(features?.jumped.count).toBe(29);
  expect(features?.jumped.examples.map(({ of, after }) => [of, after])).toEqual(
    Array.from({ length: 10 }, (_, index) => [String(30 - index), 3000 - 100 * index]),
  );
});

test('changes above the accepted thresholds are refused, and all of them are listed', async () => {
  await publishRows(BEFORE);
  const before = await readFile(directory.current, 'utf8');
  const accept =
    '{ row_count_change: 10%, vanished_periods: 0, vanished_features: 0, period_jump: 60%, feature_jump: 300% }';
  expect(await refusalOf(publishRows(AFTER, { text: manifest(accept) }))).toMatchInlineSnapshot(`
    "shop.visits changes more than its manifest accepts:
    7 records instead of 6 (+16.7%); accepted: 10% more or less (accept.row_count_change).
    1 feature of 3 missing: C; accepted: 0 (accept.vanished_features).
    1 period changed by more than 60% (accept.period_jump):
      2024-03-01: visits 1,110 → 11 (-99%), against 2024-02-01
    1 feature changed by more than 300%; accepted: 0 (accept.jumped_features):
      B: visits 10 → 55 (+450%)
    Nothing was published. Fix the data, accept more in the manifest, or publish once with --accept-changes."
  `);
  expect(await readFile(directory.current, 'utf8')).toBe(before);
});

test('a change within the threshold is published, and a larger one with acceptsChanges', async () => {
  const within =
    '{ row_count_change: 1, vanished_features: 34%, period_jump: 99.5%, feature_jump: 300%, jumped_features: 50% }';
  await publishRows(BEFORE, { text: manifest(within) });
  expect((await publishRows(AFTER, { text: manifest(within) })).rows.total).toBe(7);
  const none = manifest('{ vanished_periods: 0, vanished_features: 0, row_count_change: 0 }');
  const published = await publishRows([['Z', '2025-01-01', 1, 1]], {
    text: none,
    acceptsChanges: true,
  });
  expect(published.periods?.vanished.count).toBe(3);
});

test('the threshold decides which changes are jumps', async () => {
  await publishRows(BEFORE);
  const text = manifest('{ feature_jump: 900%, jumped_features: 100% }');
  const { features } = await publishRows(AFTER, { text });
  expect(features).toMatchObject({ jumpPercent: 900, jumped: { count: 0 } });
  const exactly = manifest('{ feature_jump: 81% }');
  expect(await refusalOf(publishRows(BEFORE, { text: exactly }))).toContain(
    'B: visits 55 → 10 (-81.8%)',
  );
});

test('periods that cannot be compared are reported, and refused if the manifest has a threshold on them', {
  tags: 'slow',
}, async () => {
  const { version } = await publishRows(BEFORE, {
    text: manifest()
      .replace('    period: { start: month, end: month }\n', '')
      .replace('month: { type: date }', 'month: { type: string }'),
  });
  const { notCompared, periods, features } = await publishRows(BEFORE);
  expect(notCompared).toEqual([
    { what: 'periods', reason: `In version ${version} the field 'month' is string, not date.` },
  ]);
  expect(periods).toMatchObject({ field: 'month', count: 2, appeared: { count: 0 } });
  expect(features).toMatchObject({ count: 3, jumped: { count: 0 } });
});

test('a threshold on incomparable versions refuses the publish', { tags: 'slow' }, async () => {
  await publishRows(BEFORE, {
    text: manifest('{}', FIELDS.replace('store: {', 'shop: { column: store,')).replace(
      '[store,',
      '[shop,',
    ),
  });
  const text = manifest('{ vanished_features: 100%, vanished_periods: 0 }');
  expect(await refusalOf(publishRows(BEFORE, { text }))).toMatch(
    /The features cannot be compared\. Version \S+ has no field 'store'\. \(accept\.vanished_features\)\n/,
  );
  expect((await publishRows(BEFORE, { text, acceptsChanges: true })).notCompared).toHaveLength(1);
});

test('a damaged previous version is reported, and does not block the publish', async () => {
  const { version } = await publishRows(BEFORE);
  await truncate(join(directory.version('shop.visits', version), 'records.duckdb'), 20_000);
  const report = await publishRows(AFTER);
  expect(report.rows.total).toBe(7);
  expect(report.notCompared).toEqual(
    ['periods', 'features'].map((what) => ({
      what,
      reason: expect.stringMatching(new RegExp(`^Version ${version} cannot be read \\(.*\\)\\.$`)),
    })),
  );
  expect(readCurrentVersions(directory)[0]?.version).toBe(report.version);
});

test('ranges are in the text form of the wire, and long texts are cut', async () => {
  const long = 'x'.repeat(101);
  const { fields } = await publishRows([
    [long, '2024-01-01', Number.MAX_SAFE_INTEGER, 1e-7],
    ['a', '2024-01-01', -5, 1e21],
  ]);
  expect(fields.map(({ least, greatest }) => [least, greatest])).toEqual([
    ['a', `${'x'.repeat(100)}…`],
    ['2024-01-01', '2024-01-01'],
    ['-5', '9007199254740991'],
    ['1e-7', '1e+21'],
  ]);
});

test('a sum beyond the range of numbers is absent', { tags: 'slow' }, async () => {
  await publishRows([['A', '2024-01-01', 1, 1]]);
  const huge: readonly Row[] = [
    ['A', '2024-01-01', 1, 1.7e308],
    ['B', '2024-01-01', 1, 1.7e308],
  ];
  const { periods } = await publishRows(huge);
  expect(periods?.jumped.examples).toEqual([
    { of: '2024-01-01', field: 'share', before: 1, after: null, comparedWith: null },
  ]);
});

test('accepted wrong rows are in the report and not in the version', async () => {
  const text = manifest('{ rejected_rows: 50% }');
  const report = await publishRows([...BEFORE, ['C', '2024-02-01', 1, 1]], { text });
  expect(report.rows).toMatchObject({ read: 7, kept: 6, rejected: 1, total: 6 });
  expect(report.rejected).toEqual([
    {
      field: 'store, month',
      reason: 'is already in another row',
      count: 1,
      examples: ["visits.csv:8: store, month: 'C, 2024-02-01' is already in line 7."],
    },
  ]);
});

test('notices that the manifest accepts are kept apart with their reasons, and an entry that accepts none is reported', async () => {
  const text = manifest(
    `
      notices:
        - { notice: 'These columns of the files are * field: share', reason: 'Nobody reads the share.' }
        - { notice: 'These columns of the files are not used by any field: store', reason: 'A former column.' }
`,
    FIELDS.replace(/^.*share.*\n/m, ''),
  );
  const { notices, acceptedNotices } = await publishRows([['a', '2024-01-01', 1, 2]], { text });
  expect({ notices, acceptedNotices }).toMatchInlineSnapshot(`
    {
      "acceptedNotices": [
        {
          "notice": "These columns of the files are not used by any field: share.",
          "reason": "Nobody reads the share.",
        },
      ],
      "notices": [
        "no notice of this publish starts with 'These columns of the files are not used by any field: store' (accept.notices). Correct the entry, or remove it.",
      ],
    }
  `);
});
