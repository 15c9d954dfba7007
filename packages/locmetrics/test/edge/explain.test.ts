import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { describe, expect, test } from 'vitest';
import { whereIn } from '../conformance/filter-clause.ts';
import { forgetExtents } from './forget-extents.ts';
import { schemaErrors } from './openapi/described-schema.ts';
import type { TestData } from './test-data.ts';
import { type UsedServer, useTestServer } from './test-server.ts';
import { VISITS } from './visits.ts';

/** Every query takes longer than this, so that all are logged. */
const SLOW = { slowQueryMs: 0.001 };
const server = useTestServer(publish, SLOW);
const withoutRowFile = useTestServer(async (data) => {
  await publish(data);
  const version = openCatalog(data.directory).snapshot().datasets.get('park.visits')?.version ?? '';
  await rm(join(data.directory.version('park.visits', version), 'rows.sqlite'));
}, SLOW);

/** The organisation `narrow` sees the places of one city, without their size. The extents are not known yet. */
async function publish(data: TestData): Promise<void> {
  await data.publishFiles(VISITS);
  forgetExtents(data.directory);
  const { store } = data;
  store.createOrganisation({ id: 'narrow', name: 'Narrow' });
  store.addGrant('narrow', {
    ...wholeGrant('', 'park.places'),
    filters: [whereIn('city', 'in', ['Sunny'])],
    fields: ['id', 'name', 'city'],
  });
  store.addGrant('narrow', { ...wholeGrant('', 'park/*'), fields: ['size', 'city'] });
}

type Request = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, unknown>> & { readonly onlyIf: readonly string[] };

const ADDRESSES = {
  listRecords: () => '/v3/catalog/listRecords',
  searchFieldValues: () => '/v3/catalog/searchFieldValues',
  listRecordsStatistics: () => '/v3alpha/catalog/listRecordsStatistics',
  getLayerStats: () => '/v3alpha/catalog/getLayerStats',
  searchMetricValues: ({ catalogId, metricId }: Request) =>
    `/v1/catalogs/${catalogId}/metrics/${metricId}/values:search`,
  searchMetricAggregates: ({ catalogId, metricId }: Request) =>
    `/v1/catalogs/${catalogId}/metrics/${metricId}/aggregates`,
};
type Operation = keyof typeof ADDRESSES;

const send = (to: UsedServer, path: string, body: unknown, token: string, id = 'x') =>
  to.send(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-request-id': id,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const explain = (operation: Operation, body: unknown, to = server) =>
  send(to, `/v1/admin/explain/${operation}`, body, to.data().adminToken);

async function explained(
  operation: Operation,
  body: Request,
  to = server,
): Promise<readonly Query[]> {
  const { status, text } = await explain(operation, body, to);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text).queries;
}

let requests = 0;

/** The queries of a real request, from the slow-query log. */
async function logged(
  operation: Operation,
  body: Request,
  { to = server, organisationId = 'acme' } = {},
): Promise<readonly Request[]> {
  requests += 1;
  const id = `run-${requests}`;
  const token = to.data().store.createToken({ organisationId, name: 'x' }).tokenText;
  const { status, text } = await send(to, ADDRESSES[operation](body), body, token, id);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return to
    .log()
    .filter(({ kind, requestId }) => kind === 'query_slow' && requestId === id)
    .map(({ level, time, kind, requestId, outcome, durationMs, rows, ...query }) => query);
}

/** The explained queries that are run if these sentences are true, with the members of the log. */
function runsIf(queries: readonly Query[], ...truths: readonly string[]): readonly object[] {
  return queries
    .filter((query) => query.onlyIf.every((condition) => truths.includes(condition)))
    .map(({ onlyIf, steps, ...query }) =>
      Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null)),
    );
}

const HAS_MORE = 'More rows match than the page has, and the query of the page did not count them.';
const HAS_VALUES = 'The page has values. A full page of different features is explained.';
const FIRST = 'It is the first request for this metric, with these rights, in a worker process.';

const places = (more: Request = {}) => ({ dataReferenceName: 'park.places', ...more });
const visits = (more: Request = {}) => ({ dataReferenceName: 'park.visits', ...more });
const where = (fieldName: string, operator: string, value: string) => ({
  filters: [{ fieldName, operator, value }],
});
const box = { boundingBox: { minLng: 8, minLat: 47, maxLng: 8.25, maxLat: 48 } };
const by = (fieldName: string) => ({ options: { orderBy: { fieldName, direction: 'DESC' } } });

/** Each with the stores of its queries, in order. */
const REQUESTS: readonly (readonly [
  name: string,
  operation: Operation,
  body: Request,
  stores: readonly string[],
  truths: readonly string[],
])[] = [
  ['a key', 'listRecords', places(where('id', '==', 'p1')), ['rows'], []],
  ['a series', 'listRecords', visits(where('place', '==', 'p1')), ['rows'], []],
  [
    'a series in pages, which tells the total',
    'listRecords',
    { ...visits(where('place', '==', 'p1')), pageSize: 2 },
    ['rows'],
    [],
  ],
  [
    'two series in pages',
    'listRecords',
    {
      ...visits({ filters: [{ fieldName: 'place', operator: 'in', values: ['p1', 'p2'] }] }),
      pageSize: 2,
    },
    ['rows', 'rows'],
    [HAS_MORE],
  ],
  [
    'a count by a day and a marked field',
    'listRecords',
    visits({
      filters: [
        { fieldName: 'day', operator: '==', value: '2024-01-01' },
        { fieldName: 'visits', operator: '>', value: '1' },
      ],
      countOnly: true,
    }),
    ['rows'],
    [],
  ],
  ['a box', 'listRecords', places({ options: box }), ['rows'], []],
  ['a sorted field', 'listRecords', places({ ...by('size') }), ['rows'], []],
  ['an unmarked field', 'listRecords', visits(where('note', '==', 'a')), ['columns'], []],
  [
    'an unmarked field in pages',
    'listRecords',
    { ...visits(where('note', '==', 'a')), pageSize: 1 },
    ['columns', 'columns'],
    [HAS_MORE],
  ],
  ['the number of all records', 'listRecords', visits({ countOnly: true }), [], []],
  [
    'the number of some records',
    'listRecords',
    visits({ ...where('day', '>=', '2024-01-02'), countOnly: true }),
    ['rows'],
    [],
  ],
  [
    'values that contain a text',
    'searchFieldValues',
    places({ field: 'name', term: 'garden' }),
    ['rows'],
    [],
  ],
  [
    'values of an unmarked field',
    'searchFieldValues',
    visits({ field: 'note', term: 'abc' }),
    ['columns'],
    [],
  ],
  [
    'the number of values',
    'searchFieldValues',
    places({ field: 'name', term: 'garden', countOnly: true }),
    ['columns'],
    [],
  ],
  [
    'groups',
    'listRecords',
    {
      ...visits(where('note', '==', 'a')),
      fields: [{ name: 'day' }, { name: 'visits', aggregation: 'SUM' }],
      groupBy: [{ fieldName: 'day', bucket: 'MONTH' }],
      groupFilters: [{ fieldName: 'visits', operator: '>', value: '1' }],
    },
    ['columns'],
    [],
  ],
  ['the counts of each date', 'listRecordsStatistics', visits(), ['columns'], []],
  [
    'the counts of one date',
    'getLayerStats',
    visits({ observationDate: '2024-01-01', dimensions: ['note'] }),
    ['columns'],
    [],
  ],
];

describe('an explanation is what the slow-query log says of', () => {
  test.each(REQUESTS)('%s', async (_, operation, body, stores, truths) => {
    const queries = runsIf(await explained(operation, body), ...truths);
    expect(queries).toEqual(await logged(operation, body));
    expect(queries).toMatchObject(stores.map((store) => ({ store })));
  });

  test('a later page, which counts nothing', async () => {
    const body = { ...visits(where('place', '==', 'p1')), pageSize: 1 };
    const { text } = await send(server, ADDRESSES.listRecords(), body, server.data().token);
    const later = { ...body, pageToken: JSON.parse(text).nextPageToken };
    const queries = await explained('listRecords', later);
    expect(queries).toMatchObject([{ plan: 'records', isLaterPage: true, onlyIf: [] }]);
    expect(runsIf(queries)).toEqual(await logged('listRecords', later));
  });

  test('a request of an organisation with a row filter and hidden fields', async () => {
    const body = places({ ...where('name', 'contains', 'garden'), pageSize: 1 });
    const narrow = { organisationId: 'narrow' };
    const queries = await explained('listRecords', { ...body, ...narrow });
    const rights = ['in city (1 values)'];
    expect(queries).toMatchObject([
      { fields: 3, rights },
      { plan: 'count', rights },
    ]);
    expect(runsIf(queries, HAS_MORE)).toEqual(await logged('listRecords', body, narrow));
    const ofAll = await explained('listRecords', body);
    expect(ofAll).toMatchObject([
      { fields: 6, rights: [] },
      { plan: 'count', rights: [] },
    ]);
  });

  test('a version without a row file', async () => {
    const body = visits(where('place', '==', 'p1'));
    const queries = await explained('listRecords', body, withoutRowFile);
    expect(queries).toMatchObject([
      { store: 'columns', reason: 'The version has no row file.' },
      { store: 'columns' },
    ]);
    expect(runsIf(queries)).toEqual(await logged('listRecords', body, { to: withoutRowFile }));
  });
});

const ofMetric = (metricId: string, more: Request = {}) => ({
  catalogId: 'park',
  metricId,
  billingContext: 'acme',
  ...more,
});

describe('an explanation of metric values', () => {
  test('has the extent, the page, its features and the count, as the log has', async () => {
    const body = ofMetric('sizes', { pageSize: 2 });
    const before = await explained('searchMetricValues', body);
    const first = await logged('searchMetricValues', body);
    const NOT_ALL =
      'Some records of the version are not values, or do not pass the default filters of the metric.';
    const truths = [FIRST, HAS_VALUES, HAS_MORE, NOT_ALL];
    expect(runsIf(before, ...truths)).toEqual(first);
    expect(first.map(({ plan, dataset }) => [plan, dataset])).toEqual([
      ['extent', 'park.sizes'],
      ['records', 'park.sizes'],
      ['records', 'park.places'],
      ['count', 'park.sizes'],
    ]);
    const after = await explained('searchMetricValues', body);
    // By then it is known that not all records are values.
    expect(runsIf(after, FIRST, HAS_VALUES, HAS_MORE)).toEqual(first);
    expect(runsIf(after, HAS_VALUES, HAS_MORE)).toEqual(await logged('searchMetricValues', body));
  });

  test('tells both cases if it is not known whether all records are values', async () => {
    const body = ofMetric('visits', { countOnly: true, featureFilter: ['p1'] });
    const ALL =
      'Every record of the version is a value that passes the default filters of the metric.';
    expect(runsIf(await explained('searchMetricValues', body), FIRST, ALL)).toEqual(
      await logged('searchMetricValues', body),
    );
    expect(runsIf(await explained('searchMetricValues', body))).toEqual(
      await logged('searchMetricValues', body),
    );
  });

  test('has the features that the request names beside the page', async () => {
    const body = ofMetric('visits', { featureFilter: ['p1', 'p2'] });
    await logged('searchMetricValues', body);
    const queries = runsIf(await explained('searchMetricValues', body));
    const run = await logged('searchMetricValues', body);
    expect(queries).toHaveLength(2);
    // Both are run at the same time.
    expect(inAnyOrder(run)).toEqual(inAnyOrder(queries));
  });

  test('applies the rights of the organisation', async () => {
    const body = ofMetric('sizes', { billingContext: 'narrow', pageSize: 2 });
    const narrow = { organisationId: 'narrow' };
    await logged('searchMetricValues', body, narrow);
    const queries = await explained('searchMetricValues', { ...body, ...narrow });
    expect(runsIf(queries, HAS_VALUES, HAS_MORE)).toEqual(
      await logged('searchMetricValues', body, narrow),
    );
  });
});

describe('an explanation of aggregates of a metric', () => {
  const HAS_GROUPS = 'The page has groups. A full page of different groups is explained.';
  const HAS_PERIODS =
    'Groups of the page have several periods, or no value. A full page of such groups is explained.';
  const HAS_MANY_PERIODS = 'The groups of the page have several periods, or are not all groups.';
  const HAS_EARLIER = 'There are groups, and there are periods before theirs to compare them with.';
  const sums = ofMetric('visits', { aggregates: [{ valueName: 'visits', aggregation: 'SUM' }] });
  const groupsOf = async (body: Request) =>
    (await explained('searchMetricAggregates', body)).filter(({ plan }) => plan === 'groups');
  const NO_STEPS = { compare: undefined, orderBy: [], rankBy: '' };
  const january = (day: number) => ({ start: '2024-01-03', end: `2024-01-0${day}` });

  test.each<[name: string, body: Request, plans: readonly string[], truths: readonly string[]]>([
    ['one number', sums, ['groups', 'groups'], [HAS_MANY_PERIODS]],
    [
      'places, with a page of their names',
      { ...sums, groupBy: [{ kind: 'FEATURE' }], pageSize: 4 },
      ['groups', 'groups', 'groups', 'records'],
      [HAS_GROUPS, HAS_PERIODS],
    ],
    [
      'cities, by the features of the values',
      { ...sums, groupBy: [{ id: 'city' }] },
      ['groups', 'groups'],
      [HAS_MANY_PERIODS],
    ],
    [
      'days, which are compared with days that the filter leaves out',
      {
        ...sums,
        groupBy: [{ kind: 'PERIOD' }],
        compare: 'PREVIOUS',
        observationPeriodFilter: january(3),
      },
      ['groups', 'groups'],
      [HAS_EARLIER],
    ],
    [
      'days, without groups',
      {
        ...sums,
        groupBy: [{ kind: 'PERIOD' }],
        compare: 'PREVIOUS',
        observationPeriodFilter: { start: '2030-01-01', end: '2030-01-03' },
      },
      ['groups'],
      [],
    ],
    [
      'places by month',
      {
        ...sums,
        groupBy: [{ kind: 'PERIOD', bucket: 'MONTH' }, { kind: 'FEATURE' }],
        compare: 'MEAN_OF_GROUPS',
        pageSize: 4,
      },
      ['groups', 'groups', 'groups', 'records'],
      [HAS_GROUPS, HAS_PERIODS],
    ],
    [
      'the whole span, which is compared with the one before',
      { ...sums, compare: 'PREVIOUS', observationPeriodFilter: january(4) },
      ['groups'],
      [],
    ],
    [
      'numbers of a size, with the default filter',
      ofMetric('sizes', {
        groupBy: [{ kind: 'FEATURE' }],
        aggregates: [{ valueName: 'size', aggregation: 'MAX' }],
        pageSize: 3,
      }),
      ['groups', 'groups', 'records'],
      [HAS_GROUPS],
    ],
  ])('has the queries that the log has, for %s', async (_, body, plans, truths) => {
    await logged('searchMetricAggregates', body);
    const run = await logged('searchMetricAggregates', body);
    expect(inAnyOrder(runsIf(await explained('searchMetricAggregates', body), ...truths))).toEqual(
      inAnyOrder(run),
    );
    expect(run.map(({ plan }) => plan).sort()).toEqual(plans);
  });

  test('says what is grouped and aggregated', async () => {
    const body = {
      ...sums,
      groupBy: [{ id: 'city' }, { kind: 'PERIOD', bucket: 'YEAR' }],
    };
    const queries = await explained('searchMetricAggregates', body);
    expect(queries.find(({ plan }) => plan === 'groups')).toMatchObject({
      plan: 'groups',
      groups: ['city of park.places by place', 'day by YEAR'],
      aggregates: ['SUM visits', 'COUNT_DISTINCT day of records with visits', 'MIN day', 'MAX day'],
      store: 'columns',
    });
  });

  test('has the extent for the first request, and both cases until it is known', async () => {
    const body = ofMetric('sizes', {
      billingContext: 'first',
      groupBy: [{ kind: 'FEATURE' }],
      aggregates: [{ valueName: 'size', aggregation: 'MAX' }],
      pageSize: 1,
    });
    const { store } = server.data();
    store.createOrganisation({ id: 'first', name: 'First' });
    store.addGrant('first', { ...wholeGrant('', 'park/*'), fields: ['size', 'visits', 'city'] });
    const first = { organisationId: 'first' };
    const before = await explained('searchMetricAggregates', { ...body, ...first });
    const ALL =
      'Every record of the version is a value that passes the default filters of the metric.';
    const NOT_ALL =
      'Some records of the version are not values, or do not pass the default filters of the metric.';
    const run = await logged('searchMetricAggregates', body, first);
    expect(inAnyOrder(runsIf(before, FIRST, NOT_ALL, HAS_GROUPS))).toEqual(inAnyOrder(run));
    expect(runsIf(before, ALL)).not.toEqual([]);
    expect(run[0]).toMatchObject({ plan: 'extent' });
    const after = await explained('searchMetricAggregates', { ...body, ...first });
    const again = await logged('searchMetricAggregates', body, first);
    expect(inAnyOrder(runsIf(after, HAS_GROUPS))).toEqual(inAnyOrder(again));
  });

  test.each(['PREVIOUS', 'SAME_PERIOD_LAST_YEAR', 'MEAN_OF_GROUPS'])(
    'says what is done with the groups of the page, compared with %s',
    async (compare) => {
      const asked = {
        ...sums,
        groupBy: [{ kind: 'FEATURE' }],
        observationPeriodFilter: january(4),
        compare,
        orderBy: [{ name: 'sum_visits.percent', direction: 'DESC' }, { name: 'sum_visits' }],
        rankBy: 'sum_visits.change',
      };
      await logged('searchMetricAggregates', asked);
      const [first, ...others] = await groupsOf(asked);
      expect(first).toMatchObject({
        steps: [
          `compare with ${compare}`,
          'order by sum_visits.percent desc, sum_visits asc',
          'rank by sum_visits.change',
        ],
      });
      for (const other of others) expect(other).toMatchObject({ steps: [] });
      const [plain] = await groupsOf({ ...asked, ...NO_STEPS });
      expect(plain).toMatchObject({ steps: [] });
    },
  );

  test('applies the rights of the organisation', async () => {
    const body = ofMetric('sizes', {
      billingContext: 'narrow',
      groupBy: [{ id: 'city' }],
      aggregates: [{ valueName: 'size', aggregation: 'SUM' }],
    });
    const narrow = { organisationId: 'narrow' };
    await logged('searchMetricAggregates', body, narrow);
    const queries = await explained('searchMetricAggregates', { ...body, ...narrow });
    const run = await logged('searchMetricAggregates', body, narrow);
    expect(inAnyOrder(runsIf(queries))).toEqual(inAnyOrder(run));
  });

  test.each<[Request]>([
    [{ metricId: 'visits' }],
    [{ ...sums, groupBy: [{ id: 'town' }] }],
    [{ ...sums, aggregates: [{ valueName: 'visit', aggregation: 'SUM' }] }],
    [{ ...sums, compare: 'PREVIOUS' }],
    [{ ...sums, orderBy: [{ name: 'sum_visits.change' }] }],
    [{ ...sums, pageToken: 'x' }],
    [{ ...sums, pageSize: -1 }],
  ])('of %j is refused as the operation refuses it', async (more) => {
    const body = { catalogId: 'park', ...more };
    const { token } = server.data();
    const real = await send(server, ADDRESSES.searchMetricAggregates(body), body, token);
    const { status, text } = await explain('searchMetricAggregates', body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(withoutAddress(text)).toEqual(withoutAddress(real.text));
  });
});

/** Some queries are run at the same time. */
function inAnyOrder(queries: readonly object[]): readonly object[] {
  const texts = queries.map((query) => JSON.stringify(Object.entries(query).sort()));
  return texts.sort().map((text) => JSON.parse(text));
}

describe('an explanation', () => {
  test('is described, reads nothing and counts no usage', async () => {
    const before = server.log().filter(({ kind }) => kind === 'query_slow').length;
    const { text } = await explain('listRecords', places(where('id', '==', 'p1')));
    const document = JSON.parse((await server.send('/openapi.json')).text);
    const schema = { $ref: '#/components/schemas/ExplainResponse' };
    expect(schemaErrors(document, schema)(JSON.parse(text))).toBe('');
    expect(server.log().filter(({ kind }) => kind === 'query_slow')).toHaveLength(before);
    expect(server.log().at(-1)).not.toHaveProperty('rows');
    const period = 'from=2020-01-01&to=2099-12-31&groupBy=operation';
    const usage = await server.send(`/v1/usage?${period}`);
    expect(usage.text).not.toContain('explain');
  });

  test.each<[Operation, unknown]>([
    ['listRecords', '{'],
    ['listRecords', {}],
    ['listRecords', { dataReferenceName: 'park.place' }],
    ['listRecords', places({ fields: ['nam'] })],
    ['listRecords', places({ pageSize: -1 })],
    ['listRecords', places({ pageToken: 'x' })],
    ['listRecords', places({ fieldz: [] })],
    ['listRecords', places({ page_size: 'many' })],
    ['listRecords', places({ billingContext: 'narrow' })],
    ['listRecords', places({ asOf: 'yesterday' })],
    ['listRecords', places(where('size', 'contains', '1'))],
    ['searchFieldValues', places()],
    ['searchFieldValues', places({ field: 'nam' })],
    ['listRecordsStatistics', places()],
    ['listRecordsStatistics', visits(where('note', '<', 'b'))],
    ['getLayerStats', { ...visits(), observationDate: '2024-02-30' }],
  ])('of %s with %j is refused as the operation refuses it', async (operation, body) => {
    const { token } = server.data();
    const real = await send(server, ADDRESSES[operation](Object(body)), body, token);
    const { status, text } = await explain(operation, body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(withoutAddress(text)).toEqual(withoutAddress(real.text));
  });

  test.each<[Request]>([
    [{ metricId: 'sizes' }],
    [{ metricId: 'size', billingContext: 'acme' }],
    [{ metricId: 'sizes', billingContext: 'narrow' }],
    [{ metricId: 'sizes', billingContext: 'acme', pageSize: -1 }],
    [
      {
        metricId: 'sizes',
        billingContext: 'acme',
        dimensionFilter: [{ dimensionId: 'x', values: [] }],
      },
    ],
  ])('of metric values with %j is refused as the operation refuses it', async (more) => {
    const body = { catalogId: 'park', ...more };
    const { token } = server.data();
    const real = await send(server, ADDRESSES.searchMetricValues(body), body, token);
    const { status, text } = await explain('searchMetricValues', body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(withoutAddress(text)).toEqual(withoutAddress(real.text));
  });

  test('for an organisation that does not exist is refused', async () => {
    const { body } = await explain('listRecords', places({ organisationId: 'narow' }));
    expect(body).toMatchObject({
      reason: 'ORGANISATION_NOT_FOUND',
      hint: "Did you mean 'narrow'?",
      errors: [{ pointer: '/organisationId' }],
    });
  });

  test('of a metric needs its catalog and its name', async () => {
    const { body } = await explain('searchMetricValues', { billingContext: 'acme' });
    expect(body).toMatchObject({
      reason: 'INVALID_REQUEST',
      errors: [{ pointer: '/catalogId' }, { pointer: '/metricId' }],
    });
  });
});

function withoutAddress(problem: string): Request {
  const { instance, ...rest } = JSON.parse(problem);
  return rest;
}
