import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { metricName } from '@locmetrics/core/domain/metric';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { resolveMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import { noticeTexts } from '@locmetrics/ingest/problems/metric-notice';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import { type Published, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { beforeEach, describe, expect, test } from 'vitest';
import { replaceParts } from '../manifest/manifest-under-test.ts';
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

const STORES = `  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
      state: { type: string }
      is_open: { type: boolean }
      door_lat: { type: float }
      door_lng: { type: float }
`;
const VISITS = `  shop.visits:
    files: visits.csv
    key: [row]
    period: { start: from, end: to }
    fields:
      row: { type: integer }
      store: { type: string }
      home: { type: string }
      from: { type: date }
      to: { type: date }
      visits: { type: integer }
`;
const STORES_LAYER = `  stores:
    dataset: shop.stores
    feature_id: id
    name: id
    address_components:
      state: { value: state, kind: map }
      is_open: { value: is_open, kind: taxonomy }
`;
const VISITS_METRIC = `  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: store
    cadence: daily
    measure: { name: people, field: visits, kind: count }
    default_filters: { is_open: true }
`;
const MANIFEST = `format: 1
datasets:
${STORES}${VISITS}layers:
${STORES_LAYER}metrics:
${VISITS_METRIC}`;

const STORES_CSV = 'id,state,is_open,door_lat,door_lng\nA,06,true,1,2\nB,06,false,,\n';
const VISITS_CSV = 'row,store,home,from,to,visits\n1,A,B,2024-01-01,2024-01-01,5\n2,B,A,,,7\n';

type Files = Readonly<Record<string, string>>;

/** Publishes the manifest with parts of it replaced, a minute after the previous publish. */
async function publishChanged(
  parts: Parameters<typeof replaceParts>[1],
  {
    files = {},
    datasets = [],
    acceptsChanges = false,
  }: {
    readonly files?: Files;
    readonly datasets?: readonly string[];
    readonly acceptsChanges?: boolean;
  } = {},
): Promise<Published> {
  clock += 60_000;
  const all = {
    'locmetrics.yaml': replaceParts(MANIFEST, parts),
    'stores.csv': STORES_CSV,
    'visits.csv': VISITS_CSV,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  return publish({
    ...WHOLE_PUBLISH,
    manifestPath: join(folder, 'locmetrics.yaml'),
    datasetNames: datasets,
    acceptsChanges,
    directory,
    clock: () => clock,
  });
}

async function refusalOf(publishing: Promise<Published>): Promise<string> {
  const error = await publishing.catch((thrown: unknown) => thrown);
  if (!(error instanceof PublishError)) throw new Error('The publish was not refused.');
  return `${error.message}\n${error.hint}`;
}

const noticesOf = ({ datasets }: Published): readonly string[] =>
  datasets.flatMap(({ version, report }) =>
    report.notices.map((notice) => `${version.dataset.name}: ${notice}`),
  );

const namesOf = ({ metrics }: Published): readonly string[] =>
  metrics.map(({ metric }) => metricName(metric));

const NO_VISITS: Files = { 'visits.csv': 'row,store,home,from,to,visits\n' };

test('layers and metrics are kept with the version of their dataset, and the metric is served', async () => {
  const published = await publishChanged([]);
  expect(namesOf(published)).toEqual(['shop/visits']);
  const versions = readCurrentVersions(directory);
  expect(
    versions.map(({ dataset, layers, metrics }) => [
      dataset.name,
      layers.map(({ id }) => id),
      metrics.map(metricName),
    ]),
  ).toEqual([
    ['shop.stores', ['stores'], []],
    ['shop.visits', [], ['shop/visits']],
  ]);
  expect(published.metrics[0]?.values).toEqual(versions[1]);
  expect(published.metrics[0]?.layer.features).toEqual(versions[0]);
});

test('a version from before layers and metrics has none', { tags: 'slow' }, async () => {
  await publishChanged([]);
  for (const { dataset, version } of readCurrentVersions(directory)) {
    const path = join(directory.version(dataset.name, version), 'version.json');
    const { sha256: _, ...file } = JSON.parse(await readFile(path, 'utf8'));
    delete file.version.layers;
    delete file.version.metrics;
    await writeFile(path, JSON.stringify(file));
  }
  expect(readCurrentVersions(directory)).toMatchObject([
    { layers: [], metrics: [] },
    { layers: [], metrics: [] },
  ]);
});

test('another metric gives another version of the same rows', { tags: 'slow' }, async () => {
  const [first, second] = [
    await publishChanged([]),
    await publishChanged([['cadence: daily', 'cadence: weekly']]),
  ].map(({ datasets }) => datasets.map(({ version }) => version.version.split('-')[1]));
  expect(second?.[0]).toBe(first?.[0]);
  expect(second?.[1]).not.toBe(first?.[1]);
});

test('a metric causes a notice until its layer is published', async () => {
  const first = await publishChanged([], { datasets: ['shop.visits'] });
  expect(namesOf(first)).toEqual([]);
  expect(noticesOf(first)).toEqual([
    "shop.visits: shop/visits: not served yet. No published dataset declares its layer 'stores'. Publish the missing part too.",
    expect.stringContaining('from or to is absent'),
  ]);
  const second = await publishChanged([], { datasets: ['shop.stores'] });
  expect(namesOf(second)).toEqual(['shop/visits']);
  expect(noticesOf(second)).toEqual([]);
});

test('a publish that removes the layer of a served metric is refused and changes nothing', async () => {
  await publishChanged([]);
  const before = await readFile(directory.current, 'utf8');
  expect(
    await refusalOf(
      publishChanged([[`layers:\n${STORES_LAYER}metrics:\n${VISITS_METRIC}`, '']], {
        datasets: ['shop.stores'],
      }),
    ),
  ).toMatchInlineSnapshot(`
    "The metric shop/visits could no longer be served. No published dataset declares its layer 'stores'.
    Publish the missing part too. To change or remove the metric, also publish its dataset."
  `);
  expect(await readFile(directory.current, 'utf8')).toBe(before);
  expect(await readdir(directory.datasetVersions('shop.stores'))).toHaveLength(1);
  expect(await readdir(directory.temporary)).toEqual([]);
});

test('a publish that removes a component of the default filters is refused', {
  tags: 'slow',
}, async () => {
  await publishChanged([]);
  const without: Parameters<typeof replaceParts>[1] = [
    ['      is_open: { value: is_open, kind: taxonomy }\n', ''],
    ['    default_filters: { is_open: true }\n', ''],
  ];
  expect(
    await refusalOf(publishChanged(without, { datasets: ['shop.stores'] })),
  ).toMatchInlineSnapshot(`
    "The metric shop/visits could no longer be served. Its layer 'stores' has no component 'is_open', which its default filters name.
    Publish the missing part too. To change or remove the metric, also publish its dataset."
  `);
  expect(namesOf(await publishChanged(without))).toEqual(['shop/visits']);
});

test('a metric with a new requirement is published together with the layer that fulfils it', {
  tags: 'slow',
}, async () => {
  const more: Parameters<typeof replaceParts>[1] = [
    ['{ is_open: true }', '{ is_open: true, door: 1 }'],
    ['kind: taxonomy }\n', 'kind: taxonomy }\n      door: { value: door_lat, kind: count }\n'],
  ];
  await publishChanged([]);
  expect(await refusalOf(publishChanged(more, { datasets: ['shop.visits'] }))).toMatch(
    /^The metric shop\/visits could .* has no component 'door', .*\nPublish the missing part too\./,
  );
  expect(namesOf(await publishChanged(more))).toEqual(['shop/visits']);
});

test('a metric ends if its dataset is published without it', { tags: 'slow' }, async () => {
  await publishChanged([]);
  const published = await publishChanged([[`metrics:\n${VISITS_METRIC}`, '']]);
  expect(namesOf(published)).toEqual([]);
  expect(noticesOf(published)).toEqual([]);
});

/** Another manifest for the same data directory. */
const OTHERS = (layers: string, metrics: string): Parameters<typeof replaceParts>[1] => [
  [
    MANIFEST,
    `format: 1\ndatasets:\n${STORES}${VISITS}layers:\n${layers}metrics:\n${metrics}`
      .replaceAll('shop.stores', 'other.stores')
      .replaceAll('shop.visits', 'other.visits'),
  ],
];

test('a layer declared over two datasets is refused', async () => {
  await publishChanged([]);
  expect(
    await refusalOf(publishChanged(OTHERS(STORES_LAYER, VISITS_METRIC.replace('shop/', 'other/')))),
  ).toMatchInlineSnapshot(`
    "The layer 'stores' would be declared for two datasets: shop.stores and other.stores.
    Give it another id in one of them. If it has moved, publish both datasets together."
  `);
});

const OTHER_LAYER = STORES_LAYER.replace('  stores:', '  others:');

test('a metric declared over two datasets is refused', { tags: 'slow' }, async () => {
  await publishChanged([]);
  expect(
    await refusalOf(
      publishChanged(OTHERS(OTHER_LAYER, VISITS_METRIC.replace('layer: stores', 'layer: others'))),
    ),
  ).toMatchInlineSnapshot(`
    "The metric 'shop/visits' would be declared for two datasets: shop.visits and other.visits.
    Give it another id in one of them. If it has moved, publish both datasets together."
  `);
});

test('a metric that moves to another dataset is published together with its old dataset', {
  tags: 'slow',
}, async () => {
  await publishChanged([]);
  const moved: Parameters<typeof replaceParts>[1] = [
    ['datasets:\n', `datasets:\n${VISITS.replace('shop.visits', 'shop.moved')}`],
    ['    dataset: shop.visits', '    dataset: shop.moved'],
  ];
  expect(await refusalOf(publishChanged(moved, { datasets: ['shop.moved'] }))).toContain(
    "The metric 'shop/visits' would be declared for two datasets: shop.visits and shop.moved.",
  );
  const published = await publishChanged(moved, { datasets: ['shop.moved', 'shop.visits'] });
  expect(published.metrics.map(({ values }) => values.dataset.name)).toEqual(['shop.moved']);
});

test('datasets that contradict each other are refused before a file is read', {
  tags: 'slow',
}, async () => {
  await publishChanged([]);
  const metric = VISITS_METRIC.replace('layer: stores', 'layer: others');
  const publishing = publishChanged(OTHERS(OTHER_LAYER, metric), {
    files: { 'visits.csv': 'this is no file of visits\n' },
  });
  expect(await refusalOf(publishing)).toContain("The metric 'shop/visits' would be declared for");
});

test('different definitions of a component in one catalog are refused across manifests, in two catalogs they are not', {
  tags: 'slow',
}, async () => {
  await publishChanged([]);
  const layer = OTHER_LAYER.replace('kind: map', 'kind: taxonomy');
  const metric = (catalog: string): string =>
    VISITS_METRIC.replace('layer: stores', 'layer: others').replace(
      'shop/visits',
      `${catalog}/others`,
    );
  expect(await refusalOf(publishChanged(OTHERS(layer, metric('shop'))))).toMatchInlineSnapshot(`
    "The kind of the component 'shop/state' would be 'taxonomy' in the layer 'others' of other.stores, but 'map' in the layer 'stores' of shop.stores.
    A catalog shows each component once: write the same text in both, and publish both datasets."
  `);
  expect(namesOf(await publishChanged(OTHERS(layer, metric('other'))))).toEqual(['other/others']);
  expect([...resolveMetrics(readCurrentVersions(directory)).metrics.keys()]).toEqual([
    'other/others',
    'shop/visits',
  ]);
});

test('different definitions of a dimension in one catalog are refused, in two catalogs they are not', {
  tags: 'slow',
}, async () => {
  const dimension = (title: string): string =>
    `    dimensions: { home: { value: home, title: ${title} } }\n`;
  await publishChanged([['cadence: daily\n', `cadence: daily\n${dimension('Home')}`]]);
  const metric = (catalog: string): string =>
    `${VISITS_METRIC.replace('layer: stores', 'layer: others').replace('shop/visits', `${catalog}/others`)}${dimension('House')}`;
  expect(
    await refusalOf(publishChanged(OTHERS(OTHER_LAYER, metric('shop')))),
  ).toMatchInlineSnapshot(`
    "The title of the dimension 'shop/home' would be 'Home' in the metric 'shop/visits' of shop.visits, but 'House' in the metric 'shop/others' of other.visits.
    A catalog shows each dimension once: write the same text in both, and publish both datasets."
  `);
  expect(namesOf(await publishChanged(OTHERS(OTHER_LAYER, metric('other'))))).toContain(
    'other/others',
  );
});

test('an absent value of a measure that is not nullable is refused with its count and an example', async () => {
  const required: Parameters<typeof replaceParts>[1] = [
    ['kind: count }', 'kind: count, nullable: false }'],
  ];
  const visits = `${VISITS_CSV}3,A,B,2024-01-01,2024-01-02,\n4,A,B,2024-01-01,2024-01-02,\n`;
  expect(
    await refusalOf(publishChanged(required, { files: { 'visits.csv': visits } })),
  ).toMatchInlineSnapshot(`
    "shop/visits: the measure 'people' is nullable: false, but in shop.visits 2 records have no visits, for example row '3'.
    Correct the files, or allow absent values: nullable: true, which is the default."
  `);
  expect(readCurrentVersions(directory)).toEqual([]);
  expect(namesOf(await publishChanged(required))).toEqual(['shop/visits']);
});

test('records that cannot be values are reported with their count and examples', async () => {
  const visits = `row,store,home,from,to,visits
1,A,B,2024-01-01,2024-01-01,5
2,,B,2024-01-01,2024-01-01,5
3,Z,A,2024-01-01,2024-01-01,5
4,Z,A,2024-01-02,2024-01-02,5
5,Y,D,2024-01-01,2024-01-01,5
6,X,,2024-01-01,2024-01-01,5
7,W,A,2024-01-01,2024-01-01,5
8,A,A,,2024-01-02,5
9,A,A,2024-01-01,,5
`;
  const published = await publishChanged(
    [
      [
        'feature_id: store\n',
        'feature_id: store\n    related: { layer: stores, feature_id: home }\n',
      ],
    ],
    { files: { 'visits.csv': visits } },
  );
  expect(noticesOf(published)).toMatchInlineSnapshot(`
    [
      "shop.visits: shop/visits: 2 records can never be values: from or to is absent.",
      "shop.visits: shop/visits: 1 record can never be a value: store is absent.",
      "shop.visits: shop/visits: 5 records can never be values: store is not a feature of the layer 'stores', for example 'W', 'X', 'Y'.",
      "shop.visits: shop/visits: 1 record can never be a value: home is absent.",
      "shop.visits: shop/visits: 1 record can never be a value: home is not a feature of the layer 'stores', for example 'D'.",
    ]
  `);
  expect(published.datasets[1]?.version.rowCount).toBe(9);
});

const UNMATCHED_CSV = `row,store,home,from,to,visits
1,A,B,2024-01-01,2024-01-01,5
2,,B,2024-01-01,2024-01-01,5
3,Z,A,2024-01-01,2024-01-01,5
4,Z,A,2024-01-02,2024-01-02,5
`;

const accepting = (amount: string) =>
  [
    [
      'files: visits.csv\n',
      `files: visits.csv\n    accept: { unmatched_records: ${amount} }\n`,
    ] as const,
  ] as const;

test('more records without a feature than the manifest accepts refuse the publish', async () => {
  const files = { 'visits.csv': UNMATCHED_CSV };
  expect(await refusalOf(publishChanged(accepting('2'), { files }))).toMatchInlineSnapshot(`
    "shop.visits: 3 of 4 records have no feature; accepted: 2 (accept.unmatched_records). 1 record can never be a value: store is absent. 2 records can never be values: store is not a feature of the layer 'stores', for example 'Z'.
    Nothing was published. Correct the ids or publish the missing features too, accept more in the manifest, or publish once with --accept-changes."
  `);
  expect(await refusalOf(publishChanged(accepting('74.9%'), { files }))).toContain(
    'accepted: 74.9% (accept.unmatched_records)',
  );
  for (const amount of ['3', '75%']) {
    const published = await publishChanged(accepting(amount), { files });
    expect(noticesOf(published)).toEqual([
      'shop.visits: shop/visits: 1 record can never be a value: store is absent.',
      "shop.visits: shop/visits: 2 records can never be values: store is not a feature of the layer 'stores', for example 'Z'.",
    ]);
    expect(published.datasets.map(({ report }) => report.unmatchedRecords)).toEqual([
      [],
      [
        {
          metrics: ['shop/visits'],
          dataset: 'shop.visits',
          field: 'store',
          layer: 'stores',
          absent: 1,
          unknown: { count: 2, examples: ['Z'] },
        },
      ],
    ]);
  }
});

test('records without a feature are accepted once, and of a layer that is published alone', {
  tags: 'slow',
}, async () => {
  const files = { 'visits.csv': UNMATCHED_CSV.replaceAll('Z', 'B').replace('2,,', '2,B,') };
  await publishChanged(accepting('0'), { files });
  const stores = { 'stores.csv': STORES_CSV.replace('B,06,false,,\n', '') };
  const alone = await publishChanged(accepting('0'), { files: stores, datasets: ['shop.stores'] });
  expect(noticesOf(alone).join(' ')).toContain("store is not a feature of the layer 'stores'");
  const refused = publishChanged(accepting('0'), { files: { ...files, ...stores } });
  expect(await refusalOf(refused)).toContain('3 of 4 records have no feature; accepted: 0');
  const accepted = await publishChanged(accepting('0'), {
    files: { ...files, ...stores },
    acceptsChanges: true,
  });
  expect(accepted.datasets).toHaveLength(2);
});

test('a default of a dimension that no record has is reported', { tags: 'slow' }, async () => {
  const published = (value: string) =>
    publishChanged([
      [
        'cadence: daily\n',
        `cadence: daily\n    dimensions: { home: { value: home, default: ${value} } }\n`,
      ],
    ]);
  expect(noticesOf(await published('Q')).join('\n')).toContain(
    "shop.visits: shop/visits: no record has 'Q', the default of the dimension 'home': a request that does not name it finds nothing.",
  );
  expect(noticesOf(await published('A')).join('\n')).not.toContain('default');
});

test('a number outside the range of a 32-bit float is refused', { tags: 'slow' }, async () => {
  const publishing = (visits: string) =>
    publishChanged(
      [
        ['visits: { type: integer }', 'visits: { type: float }'],
        ['kind: count }', 'kind: number }'],
      ],
      { files: { 'visits.csv': VISITS_CSV.replace(/5$/m, visits) } },
    );
  expect(await refusalOf(publishing('-3.4028235677973366e38'))).toMatchInlineSnapshot(`
    "shop/visits: the measure 'people' is a number, but in shop.visits 1 record has one beyond 3.4e38 in visits, for example row '1'.
    Callers get such numbers as 32-bit floats, which cannot be greater. Correct the files, or use a larger unit for the measure."
  `);
  expect(namesOf(await publishing('-3.4028235677973362e38'))).toEqual(['shop/visits']);
});

test('a period that ends before it starts is refused', async () => {
  const publishing = publishChanged([
    ['cadence: daily\n', 'cadence: daily\n    period: { start: 2024-01-03, end: to }\n'],
  ]);
  await expect(publishing).rejects.toMatchObject({
    message:
      'shop/visits: in shop.visits 1 record has a period that ends before it starts (2024-01-03, to).',
    hint: 'Correct the files, or the period of the metric.',
  });
});

describe('the cadence of a metric', () => {
  const noticesWith = async (cadence: string, periods: readonly (readonly [string, string])[]) => {
    const rows = periods.map(([from, to], index) => `${index},A,B,${from},${to},5\n`);
    const published = await publishChanged([['cadence: daily\n', `cadence: ${cadence}\n`]], {
      files: { 'visits.csv': `row,store,home,from,to,visits\n${rows.join('')}` },
    });
    return noticesOf(published).filter((text) => text.includes('cadence'));
  };

  test('unspecified allows all periods', async () => {
    expect(await noticesWith('unspecified', [['2024-01-05', '2024-03-01']])).toEqual([]);
  });

  test('that the periods contradict is reported', async () => {
    const days = [
      ['2024-01-01', '2024-01-31'],
      ['2024-01-05', '2024-01-05'],
      ['2024-02-01', '2024-02-29'],
      ['2024-02-02', '2024-03-01'],
    ] as const;
    expect(await noticesWith('monthly', days)).toEqual([
      'shop.visits: shop/visits: the cadence is monthly, but the period of 2 of 4 records is not a calendar month, for example 2024-01-05 to 2024-01-05. Correct the cadence or the period of the metric.',
    ]);
  });

  test('allows its own periods, and none beside them', async () => {
    const columns = CADENCES.flatMap(([cadence]) => [`${cadence}_start`, `${cadence}_end`]);
    const fields = columns.map((column) => `      ${column}: { type: date }\n`).join('');
    const metrics = CADENCES.map(([cadence]) =>
      VISITS_METRIC.replace('shop/visits', `shop/${cadence}`).replace(
        'cadence: daily\n',
        `cadence: ${cadence}\n    period: { start: ${cadence}_start, end: ${cadence}_end }\n`,
      ),
    );
    const rowOf = (row: number, periods: readonly (readonly string[])[]): string =>
      `${row},A,B,,,5,${periods.flat().join(',')}\n`;
    const published = await publishChanged(
      [
        ['      visits: { type: integer }\n', `      visits: { type: integer }\n${fields}`],
        [VISITS_METRIC, metrics.join('')],
      ],
      {
        files: {
          'visits.csv': `row,store,home,from,to,visits,${columns.join(',')}\n${rowOf(
            1,
            CADENCES.map(([, right]) => right),
          )}${rowOf(
            2,
            CADENCES.map(([, , wrong]) => wrong),
          )}`,
        },
      },
    );
    // One of the two records has the wrong period, so the other period is allowed.
    expect(noticesOf(published)).toEqual(
      CADENCES.map(([cadence, , wrong]) =>
        expect.stringMatching(
          `^shop\\.visits: shop/${cadence}: the cadence is ${cadence}, but the period of 1 of 2 records is not .*, for example ${wrong.join(' to ')}\\.`,
        ),
      ),
    );
  });
});

/** Each cadence with a period that it allows, and the nearest that it does not. */
const CADENCES = [
  ['hourly', ['2024-01-05', '2024-01-05'], ['2024-01-05', '2024-01-06']],
  ['daily', ['2024-01-05', '2024-01-05'], ['2024-01-05', '2024-01-06']],
  ['weekly', ['2024-01-05', '2024-01-11'], ['2024-01-05', '2024-01-12']],
  ['weekly_mon_sun', ['2024-01-01', '2024-01-07'], ['2024-01-02', '2024-01-08']],
  ['weekly_tue_mon', ['2024-01-02', '2024-01-08'], ['2024-01-01', '2024-01-07']],
  ['monthly', ['2023-02-01', '2023-02-28'], ['2024-02-01', '2024-02-28']],
  ['trimonthly', ['2023-12-01', '2024-02-29'], ['2023-12-01', '2024-02-28']],
  ['quarterly', ['2024-04-01', '2024-06-30'], ['2024-05-01', '2024-07-31']],
  ['yearly', ['2023-07-01', '2024-06-30'], ['2023-07-01', '2024-07-01']],
] as const;

test('a publish lists the metrics over its own datasets, by their values or their layers', async () => {
  await publishChanged([]);
  const path = join(folder, 'other.yaml');
  await writeFile(path, `format: 1\ndatasets:\n${STORES.replace('shop.stores', 'shop.other')}`);
  const other = await publish({
    ...WHOLE_PUBLISH,
    manifestPath: path,
    datasetNames: [],
    directory,
    clock: () => clock,
  });
  expect(namesOf(other)).toEqual([]);
  expect(namesOf(await publishChanged([], { datasets: ['shop.stores'] }))).toEqual(['shop/visits']);
  expect(namesOf(await publishChanged([], { datasets: ['shop.visits'] }))).toEqual(['shop/visits']);
});

test('a notice for several metrics is shown once, with two of them and the number of the others', () => {
  const notice = (metricName: string, text = 'not served yet.', datasetName = 'shop.visits') => ({
    datasetName,
    metricName,
    text,
  });
  const many = Array.from({ length: 1236 }, (_, index) => notice(`shop/m${index}`));
  const others = [notice('shop/a', 'other.'), notice('shop/b', 'other.', 'shop.stores')];
  expect(noticeTexts('shop.visits', [...many, ...others])).toEqual([
    'shop/m0, shop/m1 and 1,234 more metrics: not served yet.',
    'shop/a: other.',
  ]);
  expect(noticeTexts('shop.visits', many.slice(0, 2))).toEqual([
    'shop/m0 and shop/m1: not served yet.',
  ]);
});

test('a new version of a layer reports the records that lose their feature', {
  tags: 'slow',
}, async () => {
  await publishChanged([]);
  const published = await publishChanged([], {
    files: { 'stores.csv': 'id,state,is_open,door_lat,door_lng\nA,06,true,1,2\n' },
    datasets: ['shop.stores'],
  });
  expect(noticesOf(published)).toEqual([
    "shop.stores: shop/visits: 1 record can never be a value: store is not a feature of the layer 'stores', for example 'B'.",
  ]);
});

test('a metric over the dataset of its own layer has no record without a feature', {
  tags: 'slow',
}, async () => {
  const published = await publishChanged(
    [
      ['dataset: shop.visits\n    layer', 'dataset: shop.stores\n    layer'],
      ['feature_id: store', 'feature_id: id'],
      [
        'cadence: daily',
        'cadence: unspecified\n    period: { start: 2024-01-01, end: 2024-01-01 }',
      ],
      ['field: visits, kind: count', 'field: door_lat, kind: number'],
    ],
    { files: NO_VISITS },
  );
  expect(namesOf(published)).toEqual(['shop/visits']);
  expect(noticesOf(published)).toEqual([]);
});

test.each([['C,06,true,95,2'], ['C,06,true,5,-181'], ['C,06,true,5,']])(
  'the row %s is refused as a point of a layer',
  { tags: 'slow' },
  async (row) => {
    const withPoint: Parameters<typeof replaceParts>[1] = [
      ['name: id\n', 'name: id\n    point: { latitude: door_lat, longitude: door_lng }\n'],
    ];
    expect(
      await refusalOf(
        publishChanged(withPoint, { files: { 'stores.csv': `${STORES_CSV}${row}\n` } }),
      ),
    ).toBe(
      "The layer 'stores': in shop.stores 1 record has only half of a point in door_lat and door_lng, or a point that is not on the earth, for example id 'C'.\nA latitude is between -90 and 90, a longitude between -180 and 180; a feature without a point has neither.",
    );
    expect(namesOf(await publishChanged(withPoint))).toEqual(['shop/visits']);
  },
);
