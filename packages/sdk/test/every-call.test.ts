import { expect, test } from 'vitest';
import { OPERATIONS, type Operations } from '../src/generated/operations.ts';
import { STREAM_OPERATIONS, type StreamOperations } from '../src/generated/stream-operations.ts';
import type { Client } from '../src/index.ts';
import { useSample } from './open-sample.ts';

const { client } = useSample();

const METRIC = { catalogId: 'nps', metricId: 'foot_traffic_monthly' };
const LAYER = { catalogId: 'nps', layerId: 'nps_parks' };
const LONG = Array.from({ length: 1_000 }, (_, index) => `NONE${index}`);

/** A call of each operation: it does not compile without one that the contract has. */
const CALLS: Readonly<
  Record<keyof Operations | keyof StreamOperations, (to: Client) => Promise<unknown>>
> = {
  getCaller: (to) => to.getCaller(),
  listDataReferences: (to) => to.listDataReferences(),
  getDataReference: (to) => to.getDataReference('ml_visitation.places'),
  listRecords: (to) => to.listRecords({ dataReferenceName: 'ml_visitation.places', pageSize: 1 }),
  searchFieldValues: (to) =>
    to.searchFieldValues({ dataReferenceName: 'ml_visitation.places', field: 'city', pageSize: 1 }),
  listRecordsStatistics: (to) =>
    to.listRecordsStatistics({ dataReferenceName: 'ml_visitation.foot_traffic_month' }),
  getLayerStats: (to) =>
    to.getLayerStats({
      dataReferenceName: 'ml_visitation.foot_traffic_month',
      observationDate: '2023-01-01',
    }),
  createRecordsExport: (to) =>
    to.createRecordsExport({ dataReferenceName: 'ml_visitation.places', limit: 1 }),
  getRecordsExport: async (to) => to.getRecordsExport({ id: await exportId() }),
  listRecordsExports: (to) => to.listRecordsExports(),
  deleteRecordsExport: async (to) => {
    const id = await exportId();
    await to.deleteRecordsExport({ id });
    return id;
  },
  fileDownload: (to) => to.fileDownload({ dataReferenceName: 'ml_visitation.places' }),
  streamRecords: (to) => to.streamRecords('ml_visitation.places').download('csv'),
  describeTiles: (to) => to.describeTiles({ dataReferenceName: 'ml_visitation.places' }),
  listCatalogs: (to) => to.listCatalogs(),
  listMetrics: (to) => to.listMetrics({ catalogId: 'nps', layerFilter: ['nps_parks'] }),
  getMetric: (to) => to.getMetric({ ...METRIC, skipLayers: true }),
  searchMetricReport: (to) => to.searchMetricReport(METRIC),
  searchMetricValues: (to) => to.searchMetricValues({ ...METRIC, pageSize: 1 }),
  searchMetricValuesByBody: (to) =>
    to.searchMetricValues({ ...METRIC, featureFilter: [...LONG, 'ACAD'], pageSize: 1 }),
  streamMetricValues: (to) => to.streamMetricValues(METRIC).download('ndjson'),
  searchMetricAggregates: (to) =>
    to.searchMetricAggregates({ ...METRIC, groupBy: ['us_state_2020'], pageSize: 1 }),
  searchMetricAggregatesByBody: (to) =>
    to.searchMetricAggregates({
      ...METRIC,
      groupBy: [{ kind: 'FEATURE' }],
      aggregates: [{ valueName: 'person_count', aggregation: 'SUM' }],
      pageSize: 1,
    }),
  downloadMetric: (to) => to.downloadMetric({ ...METRIC, fileName: 'visits-' }),
  getLayer: (to) => to.getLayer(LAYER),
  // The layers of the sample have no outlines.
  describeLayerTiles: (to) => to.describeLayerTiles(LAYER).catch(({ reason }) => reason),
  searchLayerFeatures: (to) => to.searchLayerFeatures({ ...LAYER, query: 'acadia', pageSize: 1 }),
  searchLayerFeaturesByBody: (to) =>
    to.searchLayerFeatures({ ...LAYER, featureFilter: [...LONG, 'ACAD'], pageSize: 1 }),
  listAddressComponents: (to) => to.listAddressComponents(),
  searchAddressComponentValues: (to) =>
    to.searchAddressComponentValues({
      catalogId: 'nps',
      component: 'us_state_2020',
      query: 'maine',
    }),
  searchDimensionValues: (to) =>
    to.searchDimensionValues({ catalogId: 'trips', dimensionId: 'purpose', pageSize: 1 }),
  readUsage: (to) => to.readUsage({ groupBy: ['operation'] }),
};

/** Of an export of another client. */
async function exportId(): Promise<string> {
  const dataReferenceName = 'ml_visitation.places';
  return (await client({}).createRecordsExport({ dataReferenceName, limit: 1 })).id;
}

test.each(Object.entries(CALLS))('%s is called with its method at its path', async (id, call) => {
  const sent: string[] = [];
  const watched = client({
    retries: 0,
    fetch: (address, init) => {
      sent.push(`${init?.method} ${new URL(String(address)).pathname}`);
      return fetch(address, init);
    },
  });

  await expect(call(watched)).resolves.toBeDefined();

  // `Object.entries` types the keys as text.
  const [method, path] = { ...OPERATIONS, ...STREAM_OPERATIONS }[id as keyof typeof CALLS];
  const pattern = path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.');
  expect(sent).toEqual([expect.stringMatching(new RegExp(`^${method} ${pattern}$`))]);
});
