import { catalogV1 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestData, type TestData } from './test-data.ts';
import { openTestServer, type TestServer } from './test-server.ts';

/**
 * Marks of withheld values over both edges. Two services have other withheld values, and their answers are the same to
 * the byte: a mark says only that the value is below the threshold.
 */

const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string } }
  town.visits:
    files: visits.csv
    key: [id, day]
    period: { start: day, end: day }
    fields:
      id: { type: string }
      day: { type: date }
      visits: { type: integer, sorted: true, suppress: { below: 5, mark: true } }
      guests: { type: integer, suppress: { below: 5 } }
layers:
  places: { dataset: town.places, feature_id: id, name: id }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: id
    cadence: daily
    measure: { name: visits, field: visits, kind: count }
    supporting_values: [{ name: guests, field: guests, kind: count }]
`;

const filesWith = (withheld: number): Readonly<Record<string, string>> => ({
  'locmetrics.yaml': MANIFEST,
  'places.csv': 'id\na\nb\nc\n',
  'visits.csv': [
    'id,day,visits,guests',
    `a,2024-01-01,${withheld},${withheld}`,
    'b,2024-01-01,9,8',
    'c,2024-01-01,,7',
    '',
  ].join('\n'),
});

let services: readonly { readonly data: TestData; readonly server: TestServer }[];

beforeAll(async () => {
  services = await Promise.all(
    [1, 4].map(async (withheld) => {
      const data = await createTestData();
      await data.publishFiles(filesWith(withheld));
      return { data, server: await openTestServer(data, { grants: [wholeGrant('all', '*')] }) };
    }),
  );
});

afterAll(async () => {
  for (const { server, data } of services) {
    await server.close();
    await data.remove();
  }
});

/** The answer of both services, in which they agree, without the names of versions and page tokens. */
async function answerOf(path: string, body?: object): Promise<string> {
  const [one, other] = await Promise.all(
    services.map(async ({ server }) => {
      const { status, text } = await server.send(
        path,
        body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            },
      );
      expect(status).toBe(200);
      return text
        .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{12}/g, 'VERSION')
        .replace(/"nextPageToken":"[^"]+"/, '"nextPageToken":"TOKEN"');
    }),
  );
  expect(one).toBe(other);
  return one ?? '';
}

const RECORDS = { dataReferenceName: 'town.visits', fields: ['id', 'visits', 'guests'] };
const named = ({ fields, ...rest }: typeof RECORDS) => ({
  ...rest,
  fields: fields.map((name) => ({ name })),
});

test('a record with typed values names the fields whose values are withheld', async () => {
  const body = JSON.parse(
    await answerOf('/v3/catalog/listRecords', { ...named(RECORDS), typedValues: true }),
  );
  expect(body.records).toEqual([
    { fields: { id: 'a', visits: null, guests: null }, withheld: ['visits'] },
    { fields: { id: 'b', visits: 9, guests: 8 } },
    { fields: { id: 'c', visits: null, guests: 7 } },
  ]);
});

test('a record whose values are texts is as before', async () => {
  const body = JSON.parse(await answerOf('/v3/catalog/listRecords', named(RECORDS)));
  expect(body.records[0]).toEqual({ fields: { id: 'a', visits: '', guests: '' } });
});

test('a metric value with a withheld measure has a flag, in JSON, in CSV and over gRPC', async () => {
  const values = '/v1/catalogs/town/metrics/visits/values';
  const body = JSON.parse(await answerOf(`${values}?billingContext=acme`));
  expect(body.valuesList.map(({ flagsList }: { flagsList: unknown }) => flagsList)).toEqual([
    ['withheld', 'withheld_visits'],
    [],
    [],
  ]);
  expect(await answerOf(`${values}.csv?billingContext=acme`)).toMatchInlineSnapshot(`
    "feature_id,feature_name,period_start,period_end,visits,guests,withheld,withheld_visits
    a,a,2024-01-01,2024-01-01,,,true,true
    b,b,2024-01-01,2024-01-01,9,8,false,false
    c,c,2024-01-01,2024-01-01,,7,false,false
    "
  `);
  const answers = await Promise.all(
    services.map(async ({ server }) => {
      const { message } = await server.grpc.ask(catalogV1.QueryService.method.searchMetricValues, {
        catalogId: 'town',
        metricId: 'visits',
        billingContext: 'acme',
      });
      return message.values.map(({ flags }) => flags);
    }),
  );
  expect(answers).toEqual([
    [['withheld', 'withheld_visits'], [], []],
    [['withheld', 'withheld_visits'], [], []],
  ]);
});

test.each([
  { filters: [{ fieldName: 'visits', operator: '<', value: '3' }] },
  { filters: [{ fieldName: 'visits', operator: 'is_empty' }] },
  { options: { orderBy: { fieldName: 'visits' } } },
  { options: { orderBy: { fieldName: 'visits', direction: 'DESC' } }, pageSize: 1 },
  { filters: [{ fieldName: 'id', operator: 'in', values: ['a', 'c'] }] },
])('no request tells withheld values apart: %j', async (request) => {
  await answerOf('/v3/catalog/listRecords', { ...named(RECORDS), ...request, typedValues: true });
});

test('aggregates, groups and tables have no marks', async () => {
  const sums = await answerOf(
    '/v1/catalogs/town/metrics/visits/aggregates?billingContext=acme&groupBy=feature&aggregate=sum:visits',
  );
  expect(sums).not.toContain('withheld');
  const groups = await answerOf('/v3/catalog/listRecords', {
    dataReferenceName: 'town.visits',
    groupBy: [{ fieldName: 'id' }],
    fields: [{ name: 'visits', aggregation: 'SUM' }],
    typedValues: true,
  });
  expect(groups).not.toContain('withheld');
  expect(await answerOf('/v3/catalog/town.visits/records.csv')).not.toContain('withheld');
});
