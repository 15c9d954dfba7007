import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { ROW_LAYOUT } from '@locmetrics/row-store/row-file';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { openTestServer } from '../edge/test-server.ts';
import { VISITS } from '../edge/visits.ts';
import { type CommandResult, runCommand, runProcess } from './run-command.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(VISITS);
  data.store.createOrganisation({ id: 'narrow', name: 'Narrow' });
  data.store.addGrant('narrow', { ...wholeGrant('', 'park.places'), fields: ['id', 'city'] });
  const addressComponents = [{ component: 'city', values: ['Sunny'] }];
  data.store.addGrant('narrow', {
    ...wholeGrant('', 'park/visits'),
    lens: { ...WHOLE_LENS, addressComponents },
  });
});
afterAll(() => data.remove());

const SERIES = {
  dataReferenceName: 'park.visits',
  filters: [{ fieldName: 'place', operator: '==', value: 'p1' }],
};

function explain(
  operation: string,
  request: unknown,
  ...flags: readonly string[]
): Promise<CommandResult> {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  return runCommand(['explain', operation, text, '--data', data.directory.root, ...flags]);
}

const SUMS = {
  catalogId: 'park',
  metricId: 'visits',
  billingContext: 'acme',
  aggregates: [{ valueName: 'visits', aggregation: 'SUM' }],
};

/** The version has the time of its publish in its name. */
const settled = (text: string): string => text.replaceAll(/[0-9]{8}T[0-9]{9}Z-\w{12}/g, 'VERSION');

test('the queries of a request are explained', async () => {
  const { code, data: text, messages } = await explain('listRecords', SERIES);
  expect([code, messages]).toEqual([0, '']);
  expect(settled(text)).toMatchInlineSnapshot(`
    "records of park.visits VERSION
      filters  == place
      order    key asc
      store    rows
      index    series (1 values)
      bound    18 µs
      why      An index finds the records.

    count of park.visits VERSION
      filters  == place
      order    none
      store    rows
      index    series (1 values)
      bound    15 µs
      why      An index finds the records.
      only if  More rows match than the page has, and the query of the page did not count them.
    "
  `);
});

test('the groups of records of a request are explained', async () => {
  const {
    code,
    data: text,
    messages,
  } = await explain('listRecords', {
    ...SERIES,
    groupBy: [{ fieldName: 'day', bucket: 'MONTH' }],
    fields: [{ name: 'day' }, { name: 'visits', aggregation: 'SUM', alias: 'sum' }],
    groupFilters: [{ fieldName: 'sum', operator: '>', value: '1' }],
    options: { orderBy: { fieldName: 'sum', direction: 'DESC' } },
  });
  expect([code, messages]).toEqual([0, '']);
  expect(settled(text)).toMatchInlineSnapshot(`
    "groups of park.visits VERSION
      filters     == place, > sum
      groups      day by MONTH
      aggregates  SUM visits
      order       sum desc
      store       rows
      index       series (1 values)
      bound       21 µs
      why         An index finds the records.
    "
  `);
});

test('the groups and aggregates of a request, and what the rights of an organisation add, are explained', async () => {
  const asked = {
    ...SUMS,
    billingContext: 'narrow',
    groupBy: [{ id: 'city' }],
    compare: 'MEAN_OF_GROUPS',
    rankBy: 'sum_visits',
  };
  const { code, data: text, messages } = await explain('searchMetricAggregates', asked);
  expect([code, messages]).toEqual([0, '']);
  expect(settled(text)).toMatchInlineSnapshot(`
    "extent of park.visits VERSION
      filters  feature place of park.places ()
      rights   feature place of park.places (in city (1 values)), in city (1 values) of park.places
      order    none
      store    columns
      index    all records
      bound    none
      why      No index finds the records.
      only if  It is the first request for this metric, with these rights, in a worker process.

    extent of park.visits VERSION
      filters  none
      rights   feature place of park.places (in city (1 values))
      order    none
      store    columns
      index    all records
      bound    none
      why      No index finds the records.
      only if  It is the first request for this metric, with these rights, in a worker process.

    groups of park.visits VERSION
      filters     none
      rights      feature place of park.places (in city (1 values)), in city (1 values) of park.places
      groups      city of park.places by place
      aggregates  SUM visits, COUNT_DISTINCT day of records with visits, MIN day, MAX day
      order       none
      steps       compare with MEAN_OF_GROUPS, rank by sum_visits
      store       columns
      index       all records
      bound       none
      why         The records are grouped by values of another version.
      only if     Every record of the version is a value that passes the default filters of the metric.

    groups of park.visits VERSION
      filters     none
      rights      feature place of park.places (in city (1 values))
      groups      none
      aggregates  COUNT_DISTINCT day
      order       none
      store       columns
      index       all records
      bound       none
      why         No index finds the records.
      only if     Every record of the version is a value that passes the default filters of the metric.
      only if     The groups of the page have several periods, or are not all groups.

    groups of park.visits VERSION
      filters     feature place of park.places ()
      rights      feature place of park.places (in city (1 values)), in city (1 values) of park.places
      groups      city of park.places by place
      aggregates  SUM visits, COUNT_DISTINCT day of records with visits, MIN day, MAX day
      order       none
      steps       compare with MEAN_OF_GROUPS, rank by sum_visits
      store       columns
      index       all records
      bound       none
      why         The records are grouped by values of another version.
      only if     Some records of the version are not values, or do not pass the default filters of the metric.

    groups of park.visits VERSION
      filters     feature place of park.places ()
      rights      feature place of park.places (in city (1 values)), in city (1 values) of park.places
      groups      none
      aggregates  COUNT_DISTINCT day
      order       none
      store       columns
      index       all records
      bound       none
      why         No index finds the records.
      only if     Some records of the version are not values, or do not pass the default filters of the metric.
      only if     The groups of the page have several periods, or are not all groups.
    "
  `);
});

test('a request that needs no query is explained too', async () => {
  const counted = { dataReferenceName: 'park.visits', countOnly: true };
  expect((await explain('listRecords', counted)).data).toBe(
    'No query is run: the records were counted when they were published.\n',
  );
});

test.each([
  ['listRecords', SERIES],
  ['searchFieldValues', { dataReferenceName: 'park.places', field: 'name', term: 'garden' }],
  [
    'searchMetricValues',
    { catalogId: 'park', metricId: 'sizes', billingContext: 'acme', featureFilter: ['p1'] },
  ],
  [
    'searchMetricAggregates',
    { ...SUMS, groupBy: [{ id: 'city' }, { kind: 'FEATURE' }, { kind: 'PERIOD' }] },
  ],
])('of %s it prints as JSON what the service answers', async (operation, request) => {
  const server = await openTestServer(data);
  const { text } = await server.send(`/v1/admin/explain/${operation}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${data.adminToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(request),
  });
  await server.close();
  expect(JSON.parse((await explain(operation, request, '--json')).data)).toEqual(JSON.parse(text));
});

test('the grants of an organisation apply, named by the flag or by the billing context', async () => {
  const request = { dataReferenceName: 'park.places' };
  const fieldsOf = async (...given: Parameters<typeof explain>) => {
    const { data: text } = await explain(...given, '--json');
    return JSON.parse(text).queries.map(({ fields }: { fields: number }) => fields);
  };
  expect(await fieldsOf('listRecords', request)).toEqual([6]);
  expect(await fieldsOf('listRecords', request, '--org', 'narrow')).toEqual([2]);
  const ofNarrow = { ...request, billingContext: 'narrow' };
  expect(await fieldsOf('listRecords', ofNarrow)).toEqual([2]);
  const unseen = await explain('listRecords', SERIES, '--org', 'narrow');
  expect([unseen.code, unseen.messages]).toEqual([
    1,
    "There is no data reference 'park.visits'.\nlistDataReferences lists those you may see.\n",
  ]);
});

test('a page token of the service is explained', async () => {
  const server = await openTestServer(data);
  const { body } = await server.post('listRecords', { ...SERIES, pageSize: 1 });
  await server.close();
  const later = { ...SERIES, pageSize: 1, pageToken: body.nextPageToken };
  const { data: text } = await explain('listRecords', later, '--org', 'acme', '--json');
  expect(JSON.parse(text)).toMatchObject({ queries: [{ plan: 'records', isLaterPage: true }] });
});

test.each([
  [
    ['listRecord', '{}'],
    2,
    "No operation 'listRecord' can be explained.\nDid you mean 'listRecords'?\n",
  ],
  [
    ['rows', '{}'],
    2,
    "No operation 'rows' can be explained.\nKnown: listRecords, searchFieldValues, listRecordsStatistics, getLayerStats, searchMetricValues, searchMetricAggregates.\n",
  ],
  [
    ['listRecords', '{'],
    2,
    'request: The body is not JSON: the error is at position 1 (line 1 column 2).\nSend a JSON object in UTF-8.\n',
  ],
  [
    ['listRecords', '{"pageSize": "x", "dataReferenceName": "park.places"}'],
    2,
    'request: \'pageSize\' must be a whole number; it is "x".\n/openapi.json describes the request.\n',
  ],
  [
    ['listRecords', '{"dataReferenceNam": "x"}'],
    2,
    "request: Unknown field 'dataReferenceNam' in the request.\nDid you mean 'dataReferenceName'?\n",
  ],
  [
    ['listRecords', '{"dataReferenceName": "park.places", "fields": ["nam"]}'],
    1,
    "Unknown field 'nam' in park.places.\nDid you mean 'name'?\n",
  ],
  [['searchMetricValues', '{"billingContext": "acme"}'], 1, 'No catalog is named.\nKnown: park.\n'],
  [
    ['listRecords', '{"dataReferenceName": "park.places"}', '--org', 'narow'],
    1,
    "Unknown organisation 'narow'.\nDid you mean 'narrow'?\n",
  ],
])('%j is refused', async (given, code, messages) => {
  const [operation = '', request = '', ...flags] = given;
  expect(await explain(operation, request, ...flags)).toEqual({ code, data: '', messages });
});

test('a row file that cannot be used is told, and what to do', async () => {
  const { version } = openCatalog(data.directory).snapshot().datasets.get('park.sizes') ?? {};
  const rowFile = join(data.directory.version('park.sizes', version ?? ''), 'rows.sqlite');
  await writeFile(rowFile, 'x');
  const given = ['explain', 'listRecords', '{"dataReferenceName": "park.sizes"}'];
  const explained = await runProcess([...given, '--data', data.directory.root]);
  expect([explained.code, explained.messages]).toEqual([
    0,
    `The row file of park.sizes ${version} cannot be used: ${rowFile} has the layout 0, and this release reads ${ROW_LAYOUT}.\nWrite it again: locmetrics verify park.sizes --repair\n`,
  ]);
  expect(explained.data).toContain('The version has no row file.');
});
