import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import { refusalOf } from '../refusal.ts';
import type { ListMetricsQuestion } from './ask-metrics.ts';

describeOn(ENGINES)('metrics of a catalog, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const listed = async (question: ListMetricsQuestion = {}) => {
    const { metrics } = await service.listMetrics(question);
    return metrics.map(({ version }) => version.metric.metricId);
  };
  const ALL = ['area', 'trips_to_parks', 'trips_to_states', 'visits', 'young_visits'];

  test('they are ordered by id, page by page', async () => {
    expect(await listed()).toEqual(ALL);
    const first = await service.listMetrics({ pageSize: 2 });
    const second = await service.listMetrics({ pageSize: 1, pageToken: first.nextPageToken });
    const third = await service.listMetrics({ pageSize: 2, pageToken: second.nextPageToken });
    const ids = [first, second, third].map(({ metrics }) =>
      metrics.map(({ version }) => version.metric.metricId),
    );
    expect(ids).toEqual([ALL.slice(0, 2), ALL.slice(2, 3), ALL.slice(3)]);
    expect(third.nextPageToken).toBe('');
  });

  test('the layer filter selects metrics by their layers, not by their related layers', async () => {
    expect(await listed({ layerFilter: ['parks'] })).toEqual(ALL);
    expect(await listed({ layerFilter: ['states'] })).toEqual([]);
    expect(await listed({ layerFilter: ['states', 'parks', 'nothing'] })).toEqual(ALL);
    expect(await listed({ layerFilter: [''] })).toEqual([]);
  });

  test('the availability filter selects every metric, because all can be queried', async () => {
    expect(await listed({ availabilityFilter: ['ALL'] })).toEqual(ALL);
    expect(await listed({ availabilityFilter: ['DELIVERY_ONLY', 'ALL'] })).toEqual(ALL);
    expect(await listed({ availabilityFilter: ['DELIVERY_ONLY'] })).toEqual([]);
  });

  test('an unknown catalog is refused', async () => {
    expect(await refusalOf(listed({ catalogId: 'conformanc' }))).toMatchInlineSnapshot(`
      "CATALOG_NOT_FOUND at /catalogId
      There is no catalog 'conformanc'.
      Did you mean 'conformance'?"
    `);
  });

  test('each metric has the first and last day and the count of the values that match its defaults', async () => {
    const { metrics } = await service.listMetrics();
    const extents = metrics.map(({ version, extent }) => [
      version.metric.metricId,
      extent.firstDay,
      extent.lastDay,
      extent.count,
      extent.isWhole,
    ]);
    expect(extents).toEqual([
      ['area', '2024-01-01', '2024-01-31', 6, true],
      ['trips_to_parks', '2024-03-02', '2024-03-02', 3, false],
      ['trips_to_states', '2024-03-01', '2024-03-02', 5, false],
      ['visits', '2024-01-01', '2024-02-29', 8, false],
      // The count is over every age: defaults of dimensions do not apply here.
      ['young_visits', '2024-01-01', '2024-12-31', 12, false],
    ]);
  });

  test('getMetric returns the same, and so does the report, with the filters that always apply', async () => {
    const { metrics } = await service.listMetrics();
    for (const description of metrics) {
      const { metricId } = description.version.metric;
      expect(await service.getMetric({ metricId })).toEqual(description);
      expect((await service.getMetricReport({ metricId })).extent).toEqual(description.extent);
    }
    const { appliedFilters } = await service.getMetricReport({ metricId: 'visits' });
    expect(appliedFilters).toEqual({
      periods: [],
      dimensions: [],
      addressComponents: [{ component: 'is_obfuscated', values: ['false'] }],
      features: [],
      relatedFeatures: [],
      values: [],
      relatedAddressComponents: [],
      isTrimmed: true,
    });
    const young = await service.getMetricReport({ metricId: 'young_visits' });
    expect(young.appliedFilters.dimensions).toEqual([]);
  });
});
