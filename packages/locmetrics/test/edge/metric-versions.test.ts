import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { beforeAll, expect, test } from 'vitest';
import { ORGANISATION_ID } from './test-data.ts';
import { openTestServer, problemOf, useTestServer } from './test-server.ts';

/** The version of a metric, and those of its datasets: each can be sent as `asOf` where the other is answered. */
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
const filesOf = (count: number) => ({
  'locmetrics.yaml': MANIFEST,
  'places.csv': `id,label\n1,A${count}\n`,
  'visits.csv': `id,count\n1,${count}\n`,
});

const { data, send, post, ask, refusal } = useTestServer(async (to) => {
  await to.publishFiles(filesOf(1), '2024-01-01T10:00:00.000Z');
  await to.publishFiles(filesOf(2), '2024-01-02T10:00:00.000Z', 'town.visits');
  await to.publishFiles(filesOf(3), '2024-01-03T10:00:00.000Z', 'town.places');
});

const { searchMetricValues } = catalogV1.QueryService.method;
const { listRecords } = catalogV3.CatalogQuery.method;
const PATH = `/v1/catalogs/town/metrics/visits/values?billingContext=${ORGANISATION_ID}`;
const METRIC = { catalogId: 'town', metricId: 'visits', billingContext: ORGANISATION_ID };

/** The value, the name of its place and the version of the metric. */
type Seen = readonly [count: number, place: string, version: string];

async function metricAsOf(asOf: string): Promise<Seen> {
  const { status, text } = await send(`${PATH}&asOf=${asOf}`);
  expect(status, text).toBe(200);
  const { valuesList, version } = JSON.parse(text);
  const [value] = valuesList;
  const { message } = await ask(searchMetricValues, { ...METRIC, asOf });
  expect(message.version).toBe(version);
  return [Number(value.value.count), value.mapFeatureV2.name, version];
}

async function recordsAsOf(dataset: string, asOf: string, field: string): Promise<unknown> {
  const { body, text } = await post('listRecords', { dataReferenceName: dataset, asOf });
  expect(body.records, text).toHaveLength(1);
  const { message } = await ask(listRecords, { dataReferenceName: dataset, asOf });
  expect(message.version).toBe(body.version);
  return body.records[0]?.fields[field];
}

const versionOn = async (dataset: string, day: string): Promise<string> =>
  (await post('listRecords', { dataReferenceName: dataset, asOf: day })).body.version;

let visits: readonly [string, string];
let places: readonly [string, string];
let before: Seen;

beforeAll(async () => {
  visits = [
    await versionOn('town.visits', '2024-01-01'),
    await versionOn('town.visits', '2024-01-02'),
  ];
  places = [
    await versionOn('town.places', '2024-01-01'),
    await versionOn('town.places', '2024-01-03'),
  ];
  before = await metricAsOf('2024-01-01');
});

test('a metric is queried as it was when a version of its values or of its layer was current', async () => {
  expect(before.slice(0, 2)).toEqual([1, 'A1']);
  expect(await metricAsOf(visits[0])).toEqual(before);
  expect((await metricAsOf(places[1])).slice(0, 2)).toEqual([2, 'A3']);
  // The latest state with that version: its layer was published again since.
  expect((await metricAsOf(visits[1])).slice(0, 2)).toEqual([2, 'A3']);
  expect((await metricAsOf(places[0])).slice(0, 2)).toEqual([2, 'A1']);
});

test('a dataset is queried as it was in a version of a metric', async () => {
  const [, , version] = before;
  expect([visits[0], places[0]]).not.toContain(version);
  expect(await recordsAsOf('town.visits', version, 'count')).toBe('1');
  expect(await recordsAsOf('town.places', version, 'label')).toBe('A1');
  const [, , second] = await metricAsOf('2024-01-02');
  expect(await recordsAsOf('town.visits', second, 'count')).toBe('2');
  expect(await recordsAsOf('town.places', second, 'label')).toBe('A1');
});

test('a version of another dataset or metric is not found', async () => {
  await data().publishFiles(
    {
      'locmetrics.yaml':
        'format: 1\ndatasets:\n  other.codes:\n    files: codes.csv\n    key: [code]\n    fields: { code: { type: string } }\n',
      'codes.csv': 'code\nX\n',
    },
    '2024-01-04T10:00:00.000Z',
  );
  const other = await versionOn('other.codes', '2024-01-04');
  expect(await problemOf(send(`${PATH}&asOf=${other}`))).toMatchObject({
    reason: 'VERSION_NOT_FOUND',
  });
  expect(await refusal(searchMetricValues, { ...METRIC, asOf: other })).toMatchObject({
    reason: 'VERSION_NOT_FOUND',
  });
  const sent = { dataReferenceName: 'other.codes', asOf: before[2] };
  expect(await problemOf(post('listRecords', sent))).toMatchObject({
    reason: 'VERSION_NOT_FOUND',
  });
});

test('a caller without a grant of the metric cannot use its version for a dataset', async () => {
  const server = await openTestServer(data(), { grants: [wholeGrant('1', 'town.visits')] });
  try {
    const request = { dataReferenceName: 'town.visits', asOf: before[2] };
    expect(await problemOf(server.post('listRecords', request))).toMatchObject({
      reason: 'VERSION_NOT_FOUND',
    });
    expect((await server.post('listRecords', { ...request, asOf: visits[0] })).status).toBe(200);
  } finally {
    await server.close();
  }
});
