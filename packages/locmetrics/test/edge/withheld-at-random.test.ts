// @module-tag sized

import { isDeepStrictEqual } from 'node:util';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import type { Grant } from '@locmetrics/core/domain/grant';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrderKey } from '@locmetrics/core/requests/catalog-request';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomTileQuestion, type TileQuestion } from '../conformance/areas/tile-question.ts';
import type { RecordsQuestion, RowsQuestion } from '../conformance/engines/service-under-test.ts';
import { randomTableGrant, suppress, withSuppression } from '../conformance/random/random-grant.ts';
import { type Question, randomQuestion } from '../conformance/random/random-question.ts';
import { FIELDS, randomTable } from '../conformance/random/random-table.ts';
import type { Table } from '../conformance/table.ts';
import { readRecords } from '../metering/usage-under-test.ts';
import { assertRandom } from '../support/assert-random.ts';
import { atLeast, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { until } from '../support/until.ts';
import { type Asked, EDGES, pagesOf, type Served, withoutRun } from './comparable-pages.ts';
import { filesOfTable } from './random-files.ts';
import { twinOf } from './random-twin.ts';
import { createTestData } from './test-data.ts';
import { openTestServer, REQUEST_ID } from './test-server.ts';

/**
 * Two services whose data differ at random, but only in what a caller with random rights may not see: the answers to random
 * requests, over both edges, are the same to the byte, and so are their status, headers, page tokens, charges and usage.
 */

const STATES = testCount('TABLES', { few: 1, all: 10 });
const QUESTIONS = 50;
const TIMEOUT_MS = 1_800_000 + STATES * 60_000;
const DATASET = 'conformance.random';
const CALLER = 'caller';
const METRIC = { catalogId: 'conformance', metricId: 'counts' };

type Attempt =
  | { readonly kind: 'call'; readonly asked: Asked }
  | { readonly kind: 'address'; readonly path: string }
  | { readonly kind: 'export'; readonly body: object };

const about = (body: object) => ({ dataReferenceName: DATASET, ...body });

const written = ({ fieldName, operator, value, values }: FilterClause) => ({
  fieldName,
  operator,
  ...(values.length > 0 ? { values: values.map(String) } : {}),
  ...(values.length === 0 && value !== '' ? { value: String(value) } : {}),
});

const toOrderBy = ({ fieldName, descending }: OrderKey) => ({
  fieldName,
  direction: descending ? 'DESC' : 'ASC',
});

const optionsOf = ({ box, polygon, circle, near, orderBy, thenBy, trim }: RowsQuestion) => ({
  ...(box === undefined ? {} : { boundingBox: box }),
  ...(polygon === undefined
    ? {}
    : {
        polygon: { coordinates: polygon.map(([longitude, latitude]) => ({ longitude, latitude })) },
      }),
  ...(circle === undefined ? {} : { circle }),
  ...(near === undefined ? {} : { near }),
  ...(trim === 'ignore' ? { trimToPeriodOfExistence: 'IGNORE' } : {}),
  ...(orderBy === undefined ? {} : { orderBy: toOrderBy(orderBy) }),
  ...(thenBy === undefined ? {} : { thenBy: thenBy.map(toOrderBy) }),
});

const selectionOf = ({ filters = [], filterLogic = '', ...question }: RowsQuestion) => ({
  filters: filters.map(written),
  ...(filterLogic === '' ? {} : { filterLogic }),
  options: optionsOf(question),
});

const pageOf = ({ pageSize = 0, countOnly = false }: RowsQuestion) => ({
  ...(pageSize === 0 ? {} : { pageSize }),
  ...(countOnly ? { countOnly } : {}),
});

const fieldOf = (field: NonNullable<RecordsQuestion['fields']>[number]) => {
  if (typeof field === 'string') return { name: field };
  const { name, aggregation, alias, quantile } = field;
  return JSON.parse(JSON.stringify({ name, aggregation, alias, quantile }));
};

function attemptOf(question: Question, form: 'page' | 'typed' | 'statistics' | 'stats' | 'export') {
  const selection = selectionOf(question.question);
  const call = (name: Asked['call'], body: object): Attempt => ({
    kind: 'call',
    asked: { call: name, body: about(body) },
  });
  if (form === 'statistics') return call('listRecordsStatistics', selection);
  if (form === 'stats') {
    const { filterLogic: _logic, ...filtered } = selection;
    return call('getLayerStats', {
      ...filtered,
      observationDate: '2024-02-28',
      dimensions: Object.keys(FIELDS).slice(0, 6),
    });
  }
  if (question.kind === 'values') {
    const { field, term = '' } = question.question;
    const page = pageOf(question.question);
    return call('searchFieldValues', { ...selection, ...page, field: fieldOf(field), term });
  }
  const { fields = [], groupBy, groupFilters = [], recordCount = false } = question.question;
  if (form === 'export' && groupBy === undefined) {
    return {
      kind: 'export',
      body: about({ ...selection, fields: fields.map(fieldOf), fileConfig: { format: 'CSV' } }),
    } as const;
  }
  return call('listRecords', {
    ...selection,
    ...pageOf(question.question),
    fields: fields.map(fieldOf),
    ...(groupBy === undefined
      ? {}
      : {
          groupBy: groupBy.map((one) => JSON.parse(JSON.stringify(one))),
          groupFilters: groupFilters.map(written),
          recordCount,
        }),
    ...(form === 'typed' ? { typedValues: true } : {}),
  });
}

const ofRecords: fc.Arbitrary<Attempt> = fc
  .tuple(
    randomQuestion,
    fc.constantFrom('page', 'typed', 'page', 'typed', 'statistics', 'stats', 'export'),
  )
  .map(([question, form]) => attemptOf(question, form));

const GROUPS = [
  { kind: 'FEATURE' },
  { kind: 'DIMENSION', id: 'open' },
  { kind: 'PERIOD' },
  { kind: 'PERIOD', bucket: 'YEAR' },
] as const;
const FOLDS = [
  'SUM',
  'MIN',
  'MAX',
  'AVG',
  'COUNT',
  'COUNT_DISTINCT',
  'MEDIAN',
  'QUANTILE',
] as const;

const aggregates: fc.Arbitrary<Attempt> = fc
  .record({
    groupBy: fc.uniqueArray(fc.constantFrom(...GROUPS), {
      maxLength: 3,
      selector: ({ kind }) => kind,
    }),
    folds: fc.subarray([...FOLDS], { minLength: 1, maxLength: 3 }),
    valueName: fc.constantFrom('count', 'count', 'score'),
    compare: fc.constantFrom(undefined, 'PREVIOUS', 'SAME_PERIOD_LAST_YEAR', 'MEAN_OF_GROUPS'),
    direction: fc.constantFrom('ASC', 'DESC'),
    part: fc.constantFrom('', '', '.change', '.percent'),
    least: fc.option(fc.constantFrom(0, 1, 5), { nil: undefined, freq: 3 }),
    pageSize: fc.constantFrom(1, 2, 5, 100),
  })
  .map(({ groupBy, folds, valueName, compare, direction, part, least, pageSize }): Attempt => {
    const name = `of_${(folds[0] ?? '').toLowerCase()}`;
    const named = folds.map((aggregation) => ({
      valueName,
      aggregation,
      name: `of_${aggregation.toLowerCase()}`,
      ...(aggregation === 'QUANTILE' ? { quantile: 0.3 } : {}),
    }));
    const ranked = `${name}${compare === undefined ? '' : part}`;
    return {
      kind: 'call',
      asked: {
        call: 'searchMetricAggregates',
        body: {
          ...METRIC,
          groupBy,
          aggregates: named,
          ...(compare === undefined ? {} : { compare }),
          ...(least === undefined
            ? {}
            : {
                valueFilter: [
                  { valueName, operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: least },
                ],
              }),
          rankBy: ranked,
          orderBy: [{ name: ranked, direction }],
          pageSize,
        },
      },
    };
  });

const values: fc.Arbitrary<Attempt> = fc
  .record({
    pageSize: fc.constantFrom(1, 3, 100),
    invertSortOrder: fc.boolean(),
    featureFilter: fc.subarray(['a', 'A', 'nowhere']),
    dimensionFilter: fc.constantFrom([], [{ dimensionId: 'open', values: ['true'] }]),
    valueFilter: fc.constantFrom(
      [],
      [{ valueName: 'count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1 }],
    ),
    countOnly: fc.constantFrom(false, false, true),
  })
  .map(
    (body): Attempt => ({
      kind: 'call',
      asked: { call: 'searchMetricValues', body: { ...METRIC, ...body } },
    }),
  );

/** Asked once in each state. */
const DESCRIPTIONS: readonly Attempt[] = [
  { kind: 'call', asked: { call: 'getDataReference', body: about({}) } },
  ...[
    `/v1/catalogs/conformance/metrics/counts`,
    `/v1/catalogs/conformance/metrics/counts/report`,
    `/v1/catalogs/conformance/metrics/counts/values.csv?billingContext=${CALLER}`,
    `/v1/catalogs/conformance/metrics/counts/values.parquet?billingContext=${CALLER}`,
    `/v1/catalogs/conformance/layers/kinds/features`,
    `/v1/catalogs/conformance/dimensions/open/values`,
    `/v3/catalog/${DATASET}/tiles.json`,
  ].map((path) => ({ kind: 'address', path }) as const),
];

const tiles: fc.Arbitrary<Attempt> = fc
  .tuple(randomTileQuestion, fc.constantFrom('', 'true', 'false'), fc.boolean())
  .map(([question, cells, isTile]) => {
    const asked: Omit<TileQuestion, 'dataset'> = question;
    const { tile, filters = [], filterLogic = '', fields = [] } = asked;
    const query = new URLSearchParams({
      filters: JSON.stringify(filters.map(written)),
      ...(filterLogic === '' ? {} : { filterLogic }),
      ...(fields.length === 0 ? {} : { fields: fields.join(',') }),
      ...(cells === '' ? {} : { cells }),
    });
    for (const { function: name, fieldName } of asked.aggregates ?? []) {
      query.append('aggregate', `${name}:${fieldName}`);
    }
    const place = isTile ? `tiles/${tile.z}/${tile.x}/${tile.y}.mvt` : 'tiles.json';
    return { kind: 'address', path: `/v3/catalog/${DATASET}/${place}?${query}` };
  });

const streams: fc.Arbitrary<Attempt> = fc
  .tuple(randomQuestion, fc.constantFrom('csv', 'ndjson', 'geojson', 'parquet', 'arrow'))
  .map(([{ question }, format]) => {
    const { filters = [], filterLogic = '', orderBy, thenBy = [] }: RowsQuestion = question;
    const keys = [...(orderBy === undefined ? [] : [orderBy]), ...thenBy].map(toOrderBy);
    const query = new URLSearchParams({
      filters: JSON.stringify(filters.map(written)),
      ...(filterLogic === '' ? {} : { filterLogic }),
      ...(keys.length === 0
        ? {}
        : { orderBy: keys.map(({ fieldName, direction }) => `${fieldName}:${direction}`).join() }),
    });
    return { kind: 'address', path: `/v3/catalog/${DATASET}/records.${format}?${query}` };
  });

const attempt = fc.oneof(
  { arbitrary: ofRecords, weight: 5 },
  { arbitrary: aggregates, weight: 2 },
  { arbitrary: values, weight: 1 },
  { arbitrary: tiles, weight: 1 },
  { arbitrary: streams, weight: 1 },
);

test(
  'random requests under random rights tell nothing of what is withheld, to the byte',
  async () => {
    const seed = announceSeed('withheld at random');
    const seen = { attempts: 0, answered: 0, told: 0 };
    const property = fc.asyncProperty(
      randomTable.map(toPublishable),
      randomTableGrant,
      fc.record({ count: suppress, score: suppress }),
      fc.array(attempt, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (random, drawn, suppressed, attempts) => {
        const table = withSuppression(random, suppressed);
        const grant = grantOf(drawn, table);
        const twin = twinOf(table, grant);
        await using one = await serve(table, grant);
        await using other = await serve(twin, grant);
        // Rows that an export has not used come back some time after its end, and each answer says how many are left.
        const isExport = ({ kind }: Attempt): boolean => kind === 'export';
        const inOrder = [...attempts.filter((it) => !isExport(it)), ...attempts.filter(isExport)];
        for (const [index, asked] of [...DESCRIPTIONS, ...inOrder].entries()) {
          const edge = index % 3 === 0 ? EDGES['gRPC'] : EDGES['HTTP'];
          const [given, same] = await Promise.all(
            [one, other].map((served) => answerTo(served, asked, edge, CALLER)),
          );
          expect(given, JSON.stringify(asked)).toStrictEqual(same);
          seen.attempts += 1;
          seen.answered += given?.isAnswered ? 1 : 0;
          // A caller who sees everything must see the difference; otherwise the attempt would prove little.
          const whole = await Promise.all(
            [one, other].map((served) => answerTo(served, asked, edge, 'everything')),
          );
          seen.told += JSON.stringify(whole[0]) === JSON.stringify(whole[1]) ? 0 : 1;
        }
        // The usage of an export is recorded after its end.
        const differences = async () => {
          const [used, same] = await Promise.all([usageOf(one), usageOf(other)]);
          return isDeepStrictEqual(used, same) ? [] : [used, same];
        };
        await expect.poll(differences).toStrictEqual([]);
      },
    );
    // A smaller case would take minutes to find: each has two publishes.
    await assertRandom(property, {
      seed,
      numRuns: STATES,
      timeoutMs: TIMEOUT_MS,
      endOnFailure: true,
    });
    expect(seen.answered).toBeGreaterThan(atLeast(seen.attempts * 0.2));
    expect(seen.told).toBeGreaterThan(atLeast(seen.attempts * 0.1));
  },
  TIMEOUT_MS,
);

/** Trimming hides records of datasets and not of metrics, and gRPC has no values beyond 32-bit floats. */
function toPublishable(table: Table): Table {
  const { existence: _existence, ...dataset } = table.version.dataset;
  const rows = table.rows.map((row) => {
    const { score } = row;
    return typeof score === 'number' && Math.abs(score) > 1e38 ? { ...row, score: 1e16 } : row;
  });
  return { version: { ...table.version, dataset }, rows };
}

/** The metric shows the fields that it needs, so the dataset shows them too. */
function grantOf(drawn: Grant, { version: { dataset } }: Table): Grant {
  if (drawn.fields === undefined) return drawn;
  const needed = ['kind', 'count', 'first_day', 'last_day', ...dataset.key];
  return { ...drawn, fields: [...new Set([...drawn.fields, ...needed])] };
}

async function serve(table: Table, { filters, fields, showsSmallCells }: Grant) {
  const data = await createTestData();
  await data.publishFiles(filesOfTable(table));
  const tokens = new Map<string, string>();
  const terms = { filters, fields, showsSmallCells };
  const granted = {
    [CALLER]: [
      { ...wholeGrant('', 'conformance.*'), ...terms },
      {
        ...wholeGrant('', 'conformance/*'),
        ...terms,
        fields: fields && ['count', ...['score', 'open'].filter((name) => fields.includes(name))],
      },
    ],
    everything: [{ ...wholeGrant('', '*'), showsSmallCells: true }],
  };
  for (const [organisationId, grants] of Object.entries(granted)) {
    data.store.createOrganisation({ id: organisationId, name: organisationId });
    for (const one of grants) data.store.addGrant(organisationId, one);
    tokens.set(organisationId, data.store.createToken({ organisationId, name: 'test' }).tokenText);
  }
  const server = await openTestServer(data, { limitsOf: () => ({ rowsPerDay: 1_000_000 }) });
  return {
    data,
    server,
    tokens,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await data.remove();
    },
  };
}

type Given = { readonly isAnswered: boolean; readonly told: unknown };

async function answerTo(
  served: Served,
  asked: Attempt,
  edge: (typeof EDGES)[string] | undefined,
  organisation: string,
): Promise<Given> {
  if (edge === undefined) throw new Error('There are two edges.');
  if (asked.kind === 'call') {
    const isHttpOnly = JSON.stringify(asked.asked.body).includes('typedValues');
    const over = isHttpOnly ? EDGES['HTTP'] : edge;
    const pages = await pagesOf(served, asked.asked, organisation, over ?? edge);
    return {
      isAnswered: pages[0]?.status === edge.answered || pages[0]?.status === '200',
      told: pages,
    };
  }
  return asked.kind === 'export'
    ? exported(served, asked.body, organisation)
    : addressed(served, asked.path, organisation);
}

async function addressed(
  { server, tokens }: Served,
  path: string,
  organisation: string,
): Promise<Given> {
  const answer = await fetch(`${server.url}${path.replace(CALLER, organisation)}`, {
    headers: {
      authorization: `Bearer ${tokens.get(organisation)}`,
      'accept-encoding': 'identity',
      'x-request-id': REQUEST_ID,
    },
  });
  const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  // The tag of an answer is made of the name of the version.
  const headers = [...answer.headers].filter(([name]) => name !== 'etag');
  const told = [answer.status, withoutRun(JSON.stringify(headers)), withoutRun(bytes)];
  return { isAnswered: answer.status === 200, told: withoutAddress(told, server.url) };
}

async function exported(
  { server, tokens }: Served,
  body: object,
  organisation: string,
): Promise<Given> {
  const authorization = `Bearer ${tokens.get(organisation)}`;
  const post = (call: string, sent: object) => server.post(call, sent, { authorization });
  const created = await post('createRecordsExport', body);
  if (created.status !== 200) return { isAnswered: false, told: created.text };
  const { id } = JSON.parse(created.text);
  const ended = await until(async () => {
    const { text } = await post('getRecordsExport', { id });
    const found = JSON.parse(text);
    return found.status !== 'RUNNING' && found;
  });
  const files: { readonly name: string; readonly sizeBytes: number; readonly url: string }[] =
    ended.fileExportInfo?.files ?? [];
  const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));
  const { status, rowsWritten, errorReason } = ended;
  const named = files.map(({ name, sizeBytes }) => [name, sizeBytes]);
  return { isAnswered: true, told: [status, rowsWritten, errorReason, named, texts] };
}

/** Without the address of the service and the ids of grants. */
const withoutAddress = (told: unknown, url: string): unknown =>
  JSON.parse(
    JSON.stringify(told)
      .replaceAll(url, 'URL')
      .replaceAll(/(yourLens[^:]*:{[^:]*id[^:]*:[^a-z0-9]*)[a-z0-9]{12}/g, '$1GRANT'),
  );

/** The rows and bytes of each operation. How many records an answer has that was sent in pieces, depends on how fast it was taken. */
async function usageOf({ data }: Served): Promise<Readonly<Record<string, UsedOf>>> {
  const records = await readRecords(data.directory.usage);
  const sums: Record<string, UsedOf> = {};
  for (const { organisationId, operation, resource, rows, bytes } of records) {
    // How often an export is asked for depends on how long it takes.
    if (organisationId !== CALLER || operation === 'getRecordsExport') continue;
    const name = `${operation} ${resource}`;
    const before = sums[name] ?? { rows: 0, bytes: 0 };
    sums[name] = { rows: before.rows + rows, bytes: before.bytes + bytes };
  }
  return sums;
}

type UsedOf = { readonly rows: number; readonly bytes: number };
