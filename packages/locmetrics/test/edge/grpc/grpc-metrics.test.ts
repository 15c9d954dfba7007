import { fileURLToPath } from 'node:url';
import { toJsonString } from '@bufbuild/protobuf';
import { catalogV1, mapsV1 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { ORGANISATION_ID } from '../test-data.ts';
import { useTestServer } from '../test-server.ts';

/** The metric query interface over gRPC: the sample, and an origin–destination metric. */
const SAMPLE = fileURLToPath(new URL('../../../sample/locmetrics.yaml', import.meta.url));
const TRIPS = fileURLToPath(new URL('../../fixtures/trips/locmetrics.yaml', import.meta.url));
const { ask, refusal } = useTestServer(async (to) => {
  await to.publishManifest(SAMPLE);
  await to.publishManifest(TRIPS);
});

const query = catalogV1.QueryService.method;
const catalog = catalogV1.CatalogService.method;
const billingContext = ORGANISATION_ID;
const PARKS = { catalogId: 'nps', metricId: 'foot_traffic_monthly', billingContext };
const BLOCK_GROUPS = { catalogId: 'census', metricId: 'population_2020', billingContext };
/** The default maximum message size of a client. */
const MESSAGE_MAX_BYTES = 4 * 2 ** 20;

test('the 540 months of a park are in order, with the applied default filter', async () => {
  const { message } = await ask(query.searchMetricValues, {
    ...PARKS,
    featureFilter: ['ACAD'],
    pageSize: 1000,
  });
  expect([message.values.length, message.totalSize, message.nextPageToken]).toEqual([540, 540, '']);
  const months = message.values.map(({ observationPeriod }) => {
    const { year = 0, month = 0 } = observationPeriod?.start ?? {};
    return year * 12 + month;
  });
  expect(months).toEqual(Array.from({ length: 540 }, (_, index) => 1979 * 12 + 1 + index));
  expect(message.appliedFilters?.addressComponentFilters).toMatchObject([
    { component: 'is_obfuscated', values: ['false'] },
  ]);
});

test('242,335 populations are paged to the end in pages of 3,000, none lost and none twice', {
  tags: 'slow',
}, async () => {
  const ids = new Set<string>();
  let population = 0n;
  let rows = 0;
  let pageToken = '';
  do {
    const { message } = await ask(query.searchMetricValues, {
      ...BLOCK_GROUPS,
      pageSize: 3000,
      pageToken,
    });
    for (const { mapFeatureV2, value } of message.values) {
      ids.add(mapFeatureV2?.featureId ?? '');
      if (value?.value.case === 'count') population += value.value.value;
    }
    rows += message.values.length;
    expect(message.totalSize).toBe(242_335);
    pageToken = message.nextPageToken;
  } while (pageToken !== '');
  expect([rows, ids.size, population]).toEqual([242_335, 242_335, 334_735_155n]);
});

test('a page of 10,000 park values ends before the limit of a client, and the next page continues', {
  tags: 'slow',
}, async () => {
  const pages: number[] = [];
  const keys = new Set<string>();
  let pageToken = '';
  do {
    const { message, bytes } = await ask(query.searchMetricValues, {
      ...PARKS,
      pageSize: 10_000,
      pageToken,
    });
    expect(bytes).toBeLessThan(MESSAGE_MAX_BYTES);
    for (const { mapFeatureV2, observationPeriod } of message.values) {
      keys.add(`${mapFeatureV2?.featureId} ${JSON.stringify(observationPeriod?.start)}`);
    }
    pages.push(message.values.length);
    pageToken = message.nextPageToken;
  } while (pageToken !== '');
  expect(keys.size).toBe(33_395);
  expect(pages.reduce((sum, rows) => sum + rows, 0)).toBe(33_395);
  expect(Math.max(...pages)).toBeLessThan(10_000);
});

test('a page token of another metric is refused', async () => {
  const { message } = await ask(query.searchMetricValues, { ...PARKS, pageSize: 1 });
  const { nextPageToken: pageToken } = message;
  const { code, reason } = await refusal(query.searchMetricValues, {
    ...BLOCK_GROUPS,
    pageSize: 1,
    pageToken,
  });
  expect([code, reason]).toEqual(['INVALID_ARGUMENT', 'INVALID_PAGE_TOKEN']);
});

test('a metric describes itself', async () => {
  const { message } = await ask(catalog.getMetric, { ...PARKS, billingContext: '' });
  const { metric } = JSON.parse(toJsonString(catalogV1.GetMetricResponseSchema, message));
  const { version, publishedTime, versionSpec, indexUpdateTime, layer, ...described } = metric;
  expect(described).toMatchInlineSnapshot(`
    {
      "catalogId": "nps",
      "dataReferenceName": "ml_visitation.foot_traffic_month",
      "description": "Recreation visits of each national park and month, with the overnight stays and other visits.",
      "featureDataReferenceName": "ml_visitation.places",
      "firstObservationDate": "1979-01-01",
      "id": "foot_traffic_monthly",
      "lastObservationDate": "2023-12-31",
      "layerId": "nps_parks",
      "lifecycleStage": "LIFECYCLE_STAGE_STABLE",
      "listing": "National park visits",
      "observationPeriod": {
        "end": {
          "day": 31,
          "month": 12,
          "year": 2023,
        },
        "start": {
          "day": 1,
          "month": 1,
          "year": 1979,
        },
      },
      "report": {
        "observationPeriod": {
          "end": {
            "day": 31,
            "month": 12,
            "year": 2023,
          },
          "start": {
            "day": 1,
            "month": 1,
            "year": 1979,
          },
        },
      },
      "rowCount": "33395",
      "spec": {
        "cadence": "CADENCE_MONTHLY",
        "layerId": "nps_parks",
        "processingCadence": "CADENCE_MONTHLY",
        "unit": "People",
        "valueKind": "VALUE_KIND_COUNT",
        "values": [
          {
            "additive": "all",
            "description": "People who came for recreation in the month.",
            "displayName": "Recreation visits",
            "name": "person_count",
            "unit": "People",
            "valueIsNullable": true,
            "valueKind": "VALUE_KIND_COUNT",
          },
          {
            "additive": "all",
            "description": "People who came for other reasons; negative where the source corrects itself.",
            "displayName": "Non-recreation visits",
            "name": "non_recreation_visits",
            "supportingValue": true,
            "unit": "People",
            "valueIsNullable": true,
            "valueKind": "VALUE_KIND_COUNT",
          },
          {
            "additive": "all",
            "description": "Overnight stays in tents.",
            "displayName": "Tent campers",
            "name": "tent_campers",
            "supportingValue": true,
            "unit": "People",
            "valueIsNullable": true,
            "valueKind": "VALUE_KIND_COUNT",
          },
          {
            "additive": "all",
            "description": "Overnight stays in recreational vehicles.",
            "displayName": "RV campers",
            "name": "rv_campers",
            "supportingValue": true,
            "unit": "People",
            "valueIsNullable": true,
            "valueKind": "VALUE_KIND_COUNT",
          },
          {
            "additive": "all",
            "description": "Overnight stays in the backcountry.",
            "displayName": "Backcountry campers",
            "name": "backcountry_campers",
            "supportingValue": true,
            "unit": "People",
            "valueIsNullable": true,
            "valueKind": "VALUE_KIND_COUNT",
          },
        ],
      },
    }
  `);
  expect(versionSpec).toEqual({ version });
  expect(indexUpdateTime).toBe(publishedTime);
  expect({ ...layer, spec: { ...layer.spec, version: '' } }).toMatchInlineSnapshot(`
    {
      "addressComponents": [
        {
          "catalogId": "nps",
          "component": "street_address",
          "description": "Street address; of a park, that of its visitor centre or office.",
          "displayName": "Street address",
          "shortName": "street_address",
        },
        {
          "catalogId": "nps",
          "component": "city",
          "description": "City of the address.",
          "displayName": "City",
          "kind": "COMPONENT_KIND_TAXONOMY",
          "shortName": "city",
        },
        {
          "catalogId": "nps",
          "component": "us_state_2020",
          "description": "State or equivalent of 2020, FIPS code of two digits.",
          "displayName": "State",
          "kind": "COMPONENT_KIND_MAP",
          "shortName": "us_state_2020",
        },
        {
          "catalogId": "nps",
          "component": "us_county_2020",
          "description": "County or equivalent of 2020, FIPS code of five digits.",
          "displayName": "County",
          "kind": "COMPONENT_KIND_MAP",
          "shortName": "us_county_2020",
        },
        {
          "catalogId": "nps",
          "component": "us_cbsa_2023",
          "description": "Core-based statistical area in the delineation of 2023, code of five digits.",
          "displayName": "Metropolitan or micropolitan area",
          "kind": "COMPONENT_KIND_MAP",
          "shortName": "us_cbsa_2023",
        },
        {
          "catalogId": "nps",
          "component": "naics_2017",
          "description": "Industry in NAICS 2017, code of six digits; classified by this project.",
          "displayName": "Industry",
          "kind": "COMPONENT_KIND_TAXONOMY",
          "shortName": "naics_2017",
        },
        {
          "catalogId": "nps",
          "component": "h3",
          "description": "H3 cell of the point at resolution 10.",
          "displayName": "H3 cell",
          "kind": "COMPONENT_KIND_TAXONOMY",
          "shortName": "h3",
        },
        {
          "catalogId": "nps",
          "component": "is_obfuscated",
          "description": "Whether the location is blurred.",
          "displayName": "Obfuscated",
          "kind": "COMPONENT_KIND_TAXONOMY",
          "shortName": "is_obfuscated",
        },
      ],
      "catalogId": "nps",
      "description": "The 63 national parks of the United States.",
      "displayName": "National parks",
      "id": "nps_parks",
      "spec": {
        "addressComponents": [
          {
            "allowEmptyValues": true,
            "component": "street_address",
          },
          {
            "allowEmptyValues": true,
            "component": "city",
          },
          {
            "allowEmptyValues": true,
            "component": "us_state_2020",
          },
          {
            "allowEmptyValues": true,
            "component": "us_county_2020",
          },
          {
            "allowEmptyValues": true,
            "component": "us_cbsa_2023",
          },
          {
            "allowEmptyValues": true,
            "component": "naics_2017",
          },
          {
            "allowEmptyValues": true,
            "component": "h3",
          },
          {
            "allowEmptyValues": true,
            "component": "is_obfuscated",
          },
        ],
        "attribution": "US National Park Service",
        "catalogId": "nps",
        "featureDisplayName": "National park",
        "version": "",
      },
    }
  `);
});

test('parts of a metric are left out if the request says so', async () => {
  const { message } = await ask(catalog.getMetric, {
    catalogId: 'trips',
    metricId: 'trips_daily',
    options: { skipLayers: true, skipDimensions: true, skipObservationPeriod: true },
  });
  expect(message.metric).toMatchObject({ layerId: 'town', relatedLayerId: 'town', dimensions: [] });
  expect(message.metric?.layer).toBeUndefined();
  expect(message.metric?.relatedLayer).toBeUndefined();
  expect(message.metric?.observationPeriod).toBeUndefined();
  expect(message.completeObservationPeriod).toBeUndefined();
});

test('catalogs, metrics and components are listed', async () => {
  const { message: catalogs } = await ask(catalog.listCatalogs, {});
  expect(catalogs.catalogs.map(({ id }) => id)).toEqual([
    'cafes',
    'census',
    'mobility',
    'nps',
    'trips',
  ]);
  const first = await ask(catalog.listMetrics, { catalogId: 'mobility', pageSize: 1 });
  const second = await ask(catalog.listMetrics, {
    catalogId: 'mobility',
    pageSize: 1,
    pageToken: first.message.nextPageToken,
  });
  expect([...first.message.metrics, ...second.message.metrics].map(({ id }) => id)).toEqual([
    'm50_daily',
    'm50_index_daily',
  ]);
  expect(second.message.nextPageToken).toBe('');
  const { message: components } = await ask(mapsV1.MapService.method.listAddressComponents, {});
  expect(
    components.addressComponents
      .filter(({ catalogId }) => catalogId === 'census')
      .map(({ component }) => component),
  ).toEqual(['us_state_2020', 'us_county_2020', 'us_tract_2020', 'us_block_group_2020']);
});

test('the features of a layer are found by component, box and text', async () => {
  const layer = { catalogId: 'nps', layerId: 'nps_parks' };
  const { message } = await ask(query.searchLayerFeatures, {
    ...layer,
    addressComponentFilter: [{ component: 'us_state_2020', values: ['06'] }],
    boundingBoxFilter: { west: -120, south: 33, east: -114, north: 37 },
    query: 'Joshua Tree National Park',
    addressComponentWhitelist: ['us_state_2020'],
    pageSize: 2,
  });
  expect(message.features[0]?.featureId).toBe('JOTR');
  expect(message.queryScores[0]).toBe(1);
  expect(message.features[0]?.addressComponents).toHaveLength(1);
  const all = await ask(catalog.queryLayer, { ...layer, pageSize: 100 });
  expect([all.message.features.length, all.message.totalSize]).toEqual([63, 63]);
  const { message: described } = await ask(catalog.getLayer, layer);
  expect(described.layer?.id).toBe('nps_parks');
});

test('every layer of a component is found in its catalog', async () => {
  const { message } = await ask(mapsV1.MapService.method.listAddressComponents, {});
  const named = message.addressComponents.filter(({ mapLayerId }) => mapLayerId !== '');
  // The layer of the states is only in one catalog, but components of other catalogs have its values.
  expect(
    named.map(({ catalogId, component, mapLayerId }) => [catalogId, component, mapLayerId]),
  ).toMatchInlineSnapshot(`
      [
        [
          "census",
          "us_block_group_2020",
          "us_block_group_2020",
        ],
        [
          "mobility",
          "us_state_2020",
          "us_state",
        ],
        [
          "mobility",
          "us_state",
          "us_state",
        ],
      ]
    `);
  for (const { catalogId, mapLayerId: layerId } of named) {
    const { message: found } = await ask(catalog.getLayer, { catalogId, layerId });
    expect(found.layer?.id).toBe(layerId);
  }
});

test('values of a component and of a dimension are searched', async () => {
  const { message } = await ask(query.searchAddressComponentValues, {
    catalogId: 'census',
    component: 'us_state_2020',
    query: 'VIRGINIA',
  });
  expect(
    message.addressComponentValues.map(({ value, displayName }) => [value, displayName]),
  ).toEqual([
    ['51', 'Virginia'],
    ['54', 'West Virginia'],
  ]);
  const { message: industries } = await ask(query.searchAddressComponentValues, {
    catalogId: 'nps',
    component: 'naics_2017',
    query: 'nature',
  });
  expect(industries.addressComponentValues).toMatchObject([
    { value: '712190', displayName: 'Nature Parks and Other Similar Institutions' },
  ]);
  const { message: purposes } = await ask(query.searchDimensionValues, {
    catalogId: 'trips',
    dimensionId: 'purpose',
    query: '*',
  });
  expect(purposes.dimensionValues).toMatchObject([
    { value: 'leisure', displayName: 'Leisure' },
    { value: 'work', displayName: 'Work' },
  ]);
});

test('a report has the range of the values', async () => {
  const { message } = await ask(query.searchMetricReport, PARKS);
  expect(message.report?.observationPeriod).toMatchObject({
    start: { year: 1979, month: 1, day: 1 },
    end: { year: 2023, month: 12, day: 31 },
  });
  expect(message.appliedFilters?.addressComponentFilters).toHaveLength(1);
});

test('an unknown layer and an unknown catalog are not found', async () => {
  expect(await refusal(catalog.getLayer, { catalogId: 'nps', layerId: 'nps_park' })).toMatchObject({
    code: 'NOT_FOUND',
    reason: 'LAYER_NOT_FOUND',
    message: "The catalog 'nps' has no layer 'nps_park'. Did you mean 'nps_parks'?",
  });
  expect(await refusal(catalog.listMetrics, { catalogId: 'np' })).toMatchObject({
    code: 'NOT_FOUND',
    reason: 'CATALOG_NOT_FOUND',
  });
});

test('an unknown component or dimension is refused with the nearest one', async () => {
  const component = await refusal(query.searchAddressComponentValues, {
    catalogId: 'census',
    component: 'us_stat_2020',
  });
  expect(component).toMatchObject({ reason: 'UNKNOWN_COMPONENT' });
  expect(component.message).toContain("Did you mean 'us_state_2020'?");
  expect(
    await refusal(query.searchDimensionValues, { catalogId: 'nps', dimensionId: 'age' }),
  ).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'UNKNOWN_DIMENSION' });
});
