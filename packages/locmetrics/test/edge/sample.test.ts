import { fileURLToPath } from 'node:url';
import { metricName } from '@locmetrics/core/domain/metric';
import type { Published } from '@locmetrics/ingest/publish/publish-datasets';
import { expect, test } from 'vitest';
import { openTestServer, problemOf, useTestServer } from './test-server.ts';

/** The built-in sample over HTTP, with the examples of the specification of the service. */
const MANIFEST = fileURLToPath(new URL('../../sample/locmetrics.yaml', import.meta.url));

let published: Published;
const { data, post, problem, send } = useTestServer(async (to) => {
  published = await to.publishManifest(MANIFEST);
});

const PLACES = 'ml_visitation.places';
const IN_CALIFORNIA = { field_name: 'region', operator: '==', value: 'CA' };
const CALIFORNIA = { min_lng: -124.5, min_lat: 32.5, max_lng: -114.1, max_lat: 42 };

test('the datasets of the sample are listed with their row counts', async () => {
  const { text } = await post('listDataReferences', {});
  const listed = JSON.parse(text).dataReferences.map(
    (reference: Readonly<Record<string, unknown>>) => [
      reference['name'],
      reference['rowCount'],
      reference['firstObservationDate'],
      reference['lastObservationDate'],
    ],
  );
  expect(listed).toMatchInlineSnapshot(`
    [
      [
        "cafes.places",
        40,
        undefined,
        undefined,
      ],
      [
        "cafes.visits",
        944,
        "2024-01-01",
        "2025-12-31",
      ],
      [
        "ml_visitation.foot_traffic_month",
        33395,
        "1979-01-01",
        "2023-12-31",
      ],
      [
        "ml_visitation.neighborhoods",
        242335,
        undefined,
        undefined,
      ],
      [
        "ml_visitation.places",
        63,
        undefined,
        undefined,
      ],
      [
        "mobility.state_day",
        20592,
        "2020-03-01",
        "2021-04-20",
      ],
      [
        "mobility.states",
        52,
        undefined,
        undefined,
      ],
    ]
  `);
});

test('a dataset is described by its name', async () => {
  const { text } = await post('getDataReference', { name: PLACES });
  const { fields, options } = JSON.parse(text).dataReference;
  expect(fields).toHaveLength(23);
  expect(fields[0]).toMatchInlineSnapshot(`
    {
      "aggregations": [
        "MIN",
        "MAX",
        "COUNT",
        "COUNT_DISTINCT",
      ],
      "description": "Code of the park in the National Park Service.",
      "exampleValue": "ACAD",
      "filters": {
        "supportedOperators": [
          "==",
          "!=",
          "in",
          "not_in",
          "contains",
          "starts_with",
          "ends_with",
          "is_empty",
          "is_not_empty",
        ],
      },
      "includedByDefault": true,
      "name": "location_id",
      "sourceColumn": "feature.feature_id.value",
      "type": "COLUMN_TYPE_STRING",
    }
  `);
  expect(options).toMatchInlineSnapshot(`
    {
      "boundingBox": {
        "available": true,
        "description": "Records whose point lies inside the box, edges included; degrees. minLng > maxLng crosses the antimeridian.",
        "displayName": "Bounding box",
        "exampleValue": "{"minLng":-124.5,"minLat":32.5,"maxLng":-114.1,"maxLat":42}",
      },
      "circle": {
        "available": true,
        "description": "Records whose point lies at most so many metres from a centre; not together with the bounding box or the polygon.",
        "displayName": "Circle",
        "exampleValue": "{"longitude":-118.2,"latitude":34.1,"radiusMetres":5000}",
      },
      "near": {
        "available": true,
        "description": "Orders the records by their distance from a point, and adds it as distance_metres; records without a point last; not together with the order.",
        "displayName": "Near",
        "exampleValue": "{"longitude":-118.2,"latitude":34.1}",
      },
      "orderBy": {
        "available": true,
        "description": "Orders by a field, ASC or DESC, and then by those of thenBy; absent values last, ties by the key.",
        "displayName": "Order",
        "exampleValue": "{"fieldName":"location_id","direction":"DESC"}",
      },
      "polygon": {
        "available": true,
        "description": "Records whose point lies inside the polygon, edges included; one ring of 4 to 500 points, the last as the first; not together with the bounding box.",
        "displayName": "Polygon",
        "exampleValue": "{"coordinates":[{"longitude":-118.7,"latitude":33.7},{"longitude":-117.6,"latitude":33.7},{"longitude":-118.1,"latitude":34.4},{"longitude":-118.7,"latitude":33.7}]}",
      },
      "trimToPeriodOfExistence": {
        "available": false,
        "description": "TRIM (default) leaves out records whose period lies outside the time their place existed; IGNORE keeps them.",
        "displayName": "Trim to period of existence",
        "exampleValue": "TRIM",
      },
    }
  `);
});

test('places have the requested fields', async () => {
  const { body } = await post('listRecords', {
    data_reference_name: PLACES,
    fields: [
      { name: 'placekey' },
      { name: 'location_name' },
      { name: 'street_address' },
      { name: 'city' },
      { name: 'region' },
    ],
    page_size: 2,
  });
  expect(body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "city": "Bar Harbor",
          "location_name": "Acadia National Park",
          "placekey": "@64w-2vp-4n5",
          "region": "ME",
          "street_address": "25 Visitor Center Road",
        },
      },
      {
        "fields": {
          "city": "Moab",
          "location_name": "Arches National Park",
          "placekey": "@5qg-8sw-k75",
          "region": "UT",
          "street_address": "5 miles north of Moab, Utah, on US 191",
        },
      },
    ]
  `);
  expect(body.totalSize).toBe(63);
});

test('names of areas and the mark of obfuscated places are returned on request', async () => {
  const request = { data_reference_name: PLACES, page_size: 1 };
  const named = await post('listRecords', {
    ...request,
    fields: ['us_state', 'us_county', 'us_cbsa', 'is_obfuscated'],
    filters: [{ field_name: 'location_id', operator: '==', value: 'CUVA' }],
  });
  expect(named.body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "is_obfuscated": "false",
          "us_cbsa": "Akron, OH",
          "us_county": "Summit",
          "us_state": "Ohio",
        },
      },
    ]
  `);
  const byDefault = await post('listRecords', request);
  expect(byDefault.text).not.toContain('is_obfuscated');
  const blurred = { field_name: 'is_obfuscated', operator: '!=', value: 'false' };
  expect((await post('listRecords', { ...request, filters: [blurred] })).body.totalSize).toBe(0);
});

test('nine places are in California', async () => {
  const { body } = await post('listRecords', {
    data_reference_name: PLACES,
    fields: [{ name: 'location_name' }, { name: 'city' }],
    filters: [IN_CALIFORNIA],
  });
  expect(body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "city": "Ventura",
          "location_name": "Channel Islands National Park",
        },
      },
      {
        "fields": {
          "city": "Death Valley",
          "location_name": "Death Valley National Park",
        },
      },
      {
        "fields": {
          "city": "Twentynine Palms",
          "location_name": "Joshua Tree National Park",
        },
      },
      {
        "fields": {
          "city": "Three Rivers",
          "location_name": "Kings Canyon National Park",
        },
      },
      {
        "fields": {
          "city": "Mineral",
          "location_name": "Lassen Volcanic National Park",
        },
      },
      {
        "fields": {
          "city": "Paicines",
          "location_name": "Pinnacles National Park",
        },
      },
      {
        "fields": {
          "city": "Crescent City",
          "location_name": "Redwood National and State Parks",
        },
      },
      {
        "fields": {
          "city": "Three Rivers",
          "location_name": "Sequoia National Park",
        },
      },
      {
        "fields": {
          "city": "Yosemite National Park",
          "location_name": "Yosemite National Park",
        },
      },
    ]
  `);
  expect([body.totalSize, body.nextPageToken]).toEqual([9, '']);
});

test('a region in lower case is a different text', async () => {
  const { body } = await post('listRecords', {
    data_reference_name: PLACES,
    filters: [{ ...IN_CALIFORNIA, value: 'ca' }],
  });
  expect([body.records, body.totalSize]).toEqual([[], 0]);
});

test('a bounding box with trim_to_period_of_existence 0 works beside and inside the options', async () => {
  const request = { data_reference_name: PLACES, fields: [{ name: 'location_name' }] };
  const beside = await post('listRecords', {
    ...request,
    trim_to_period_of_existence: 0,
    options: { bounding_box: CALIFORNIA },
  });
  const inside = await post('listRecords', {
    ...request,
    options: { bounding_box: CALIFORNIA, trim_to_period_of_existence: 0 },
  });
  expect(beside.body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "location_name": "Channel Islands National Park",
        },
      },
      {
        "fields": {
          "location_name": "Death Valley National Park",
        },
      },
      {
        "fields": {
          "location_name": "Great Basin National Park",
        },
      },
      {
        "fields": {
          "location_name": "Joshua Tree National Park",
        },
      },
      {
        "fields": {
          "location_name": "Kings Canyon National Park",
        },
      },
      {
        "fields": {
          "location_name": "Lassen Volcanic National Park",
        },
      },
      {
        "fields": {
          "location_name": "Pinnacles National Park",
        },
      },
      {
        "fields": {
          "location_name": "Redwood National and State Parks",
        },
      },
      {
        "fields": {
          "location_name": "Sequoia National Park",
        },
      },
      {
        "fields": {
          "location_name": "Yosemite National Park",
        },
      },
    ]
  `);
  expect(inside.text).toBe(beside.text);
});

test('a bounding box with exchanged latitudes is refused', async () => {
  expect(
    await problem('listRecords', {
      data_reference_name: PLACES,
      options: { bounding_box: { ...CALIFORNIA, min_lat: 42, max_lat: 32.5 } },
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "minLat 42 is greater than maxLat 32.5.",
      "errors": [
        {
          "detail": "minLat 42 is greater than maxLat 32.5.",
          "pointer": "/options/bounding_box/min_lat",
        },
      ],
      "hint": "Swap the two latitudes. Only minLng may be greater: such a box crosses the antimeridian.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_BOUNDING_BOX",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid bounding box",
      "type": "urn:locmetrics:problem:INVALID_BOUNDING_BOX",
      "x-request-id": "request-1",
    }
  `);
});

test('a bounding box across the antimeridian finds the parks of Samoa and Hawaii, not those of Maine', async () => {
  const { body } = await post('listRecords', {
    data_reference_name: PLACES,
    fields: ['location_name'],
    options: { bounding_box: { min_lng: 170, min_lat: -20, max_lng: -150, max_lat: 25 } },
  });
  expect(body.records.map(({ fields }) => fields['location_name'])).toMatchInlineSnapshot(`
    [
      "Haleakalā National Park",
      "Hawaiʻi Volcanoes National Park",
      "National Park of American Samoa",
    ]
  `);
});

test('a bounding box on a dataset without points is refused', async () => {
  expect(
    await problem('listRecords', {
      data_reference_name: 'ml_visitation.foot_traffic_month',
      options: { bounding_box: CALIFORNIA },
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The records of ml_visitation.foot_traffic_month have no point, so they cannot be filtered by a bounding box.",
      "errors": [
        {
          "detail": "The records of ml_visitation.foot_traffic_month have no point, so they cannot be filtered by a bounding box.",
          "pointer": "/options/bounding_box",
        },
      ],
      "hint": "Leave boundingBox out; getDataReference lists the available options.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "UNAVAILABLE_OPTION",
      "requestId": "request-1",
      "status": 400,
      "title": "Option not available for the dataset",
      "type": "urn:locmetrics:problem:UNAVAILABLE_OPTION",
      "x-request-id": "request-1",
    }
  `);
});

test('an order by visits and a page size of one give the busiest month since 2023', async () => {
  const request = {
    data_reference_name: 'ml_visitation.foot_traffic_month',
    fields: [
      { name: 'location_id' },
      { name: 'location_name' },
      { name: 'observation_start_date' },
      { name: 'visits_sum' },
    ],
    filters: [{ field_name: 'observation_start_date', operator: '>=', value: '2023-01-01' }],
    options: { order_by: { field_name: 'visits_sum', direction: 'DESC' } },
    page_size: 1,
  };
  const first = await post('listRecords', request);
  expect(first.body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "location_id": "GRSM",
          "location_name": "Great Smoky Mountains National Park",
          "observation_start_date": "2023-10-01",
          "visits_sum": "1704922",
        },
      },
    ]
  `);
  expect(first.body.totalSize).toBe(756);
  const second = await post('listRecords', { ...request, page_token: first.body.nextPageToken });
  expect(second.body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "location_id": "GRSM",
          "location_name": "Great Smoky Mountains National Park",
          "observation_start_date": "2023-07-01",
          "visits_sum": "1609741",
        },
      },
    ]
  `);
});

test('the cities that contain a term are listed, those that start with it first', async () => {
  const { body } = await post('searchFieldValues', {
    data_reference_name: PLACES,
    field: { name: 'city' },
    term: 'ha',
  });
  expect(body.values).toMatchInlineSnapshot(`
    [
      "Hawaii National Park",
      "Bar Harbor",
    ]
  `);
});

test('the cities are searched within the filters', async () => {
  const { body } = await post('searchFieldValues', {
    data_reference_name: PLACES,
    field: { name: 'city' },
    filters: [IN_CALIFORNIA],
    term: 't',
  });
  expect(body.values).toMatchInlineSnapshot(`
    [
      "Three Rivers",
      "Twentynine Palms",
      "Crescent City",
      "Death Valley",
      "Ventura",
      "Yosemite National Park",
    ]
  `);
});

test('a code keeps its leading zero', async () => {
  const { body } = await post('listRecords', {
    data_reference_name: PLACES,
    fields: ['postal_code'],
    filters: [{ field_name: 'postal_code', operator: '==', value: '04609' }],
    typed_values: true,
  });
  expect(body.records).toEqual([{ fields: { postal_code: '04609' } }]);
});

test('a blank value of the source is the empty text, or null when values are typed', async () => {
  const request = {
    data_reference_name: 'mobility.state_day',
    fields: ['location_id', 'location_name', 'm50'],
    filters: [{ field_name: 'location_id', operator: '==', value: 'US' }],
    page_size: 1,
  };
  expect((await post('listRecords', request)).body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "location_id": "US",
          "location_name": "",
          "m50": "5.32",
        },
      },
    ]
  `);
  expect(
    (await post('listRecords', { ...request, typed_values: true })).body.records,
  ).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "location_id": "US",
          "location_name": null,
          "m50": 5.32,
        },
      },
    ]
  `);
});

test('242,335 neighborhoods are paged to the end, none lost and none twice', {
  tags: 'slow',
}, async () => {
  const request = {
    data_reference_name: 'ml_visitation.neighborhoods',
    fields: [{ name: 'location_id' }],
    page_size: 20_000,
  };
  const ids: unknown[] = [];
  const sizes: number[] = [];
  let pageToken = '';
  do {
    const { body } = await post('listRecords', { ...request, page_token: pageToken });
    ids.push(...body.records.map(({ fields }) => fields['location_id']));
    sizes.push(body.records.length);
    expect(body.totalSize).toBe(242_335);
    pageToken = body.nextPageToken;
  } while (pageToken !== '');
  expect(sizes).toEqual([...new Array(24).fill(10_000), 2_335]);
  expect(new Set(ids).size).toBe(242_335);
  expect(ids).toEqual(ids.toSorted());
});

test('the metrics of the sample are complete, and only the nation has no feature', () => {
  expect(
    published.metrics.map(({ metric, values, layer }) => [
      metricName(metric),
      values.dataset.name,
      layer.layer.id,
      layer.layer.addressComponents.map(({ component }) => component).join(' '),
    ]),
  ).toMatchInlineSnapshot(`
    [
      [
        "cafes/visits",
        "cafes.visits",
        "cafes",
        "street_address h3 naics_2017 sic_2019 brand city us_state_2020 us_county_2020 us_cbsa_2020 us_zip_2010 us_tract_2020 us_block_group_2020 is_obfuscated",
      ],
      [
        "census/population_2020",
        "ml_visitation.neighborhoods",
        "us_block_group_2020",
        "us_state_2020 us_county_2020 us_tract_2020 us_block_group_2020",
      ],
      [
        "mobility/m50_daily",
        "mobility.state_day",
        "us_state",
        "us_state_2020 us_state",
      ],
      [
        "mobility/m50_index_daily",
        "mobility.state_day",
        "us_state",
        "us_state_2020 us_state",
      ],
      [
        "nps/foot_traffic_monthly",
        "ml_visitation.foot_traffic_month",
        "nps_parks",
        "street_address city us_state_2020 us_county_2020 us_cbsa_2023 naics_2017 h3 is_obfuscated",
      ],
    ]
  `);
  expect(published.datasets.flatMap(({ report }) => report.notices)).toEqual([]);
  const accepted = published.datasets.flatMap(({ report }) => report.acceptedNotices ?? []);
  expect(accepted.map(({ notice }) => notice)).toMatchInlineSnapshot(`
    [
      "3 of 63 points lie in no area of us_states: places.csv:6 (25.490587, -80.21023851), places.csv:12 (33.98680093, -119.9112735) and places.csv:47 (-14.22865935, -169.8503777).",
      "3 of 63 points lie in no area of us_counties: places.csv:6 (25.490587, -80.21023851), places.csv:12 (33.98680093, -119.9112735) and places.csv:47 (-14.22865935, -169.8503777).",
      "mobility/m50_daily and mobility/m50_index_daily: 396 records can never be values: location_id is not a feature of the layer 'us_state', for example 'US'.",
    ]
  `);
});

test('a month of the cafés has every component, with empty texts, and leaves blurred places out', async () => {
  const ask = async (parameters: string) =>
    JSON.parse(
      (await send(`/v1/catalogs/cafes/metrics/visits/values?billingContext=acme${parameters}`))
        .text,
    );
  const month = '&observationPeriodFilter=2025-12-01/2025-12-31';
  const { valuesList, appliedFilters, totalSize } = await ask(`${month}&featureFilter=HAW1`);
  expect({ value: valuesList[0], appliedFilters }).toMatchInlineSnapshot(`
    {
      "appliedFilters": {
        "addressComponentFiltersList": [
          {
            "component": "is_obfuscated",
            "valuesList": [
              "false",
            ],
          },
        ],
        "dimensionFiltersList": [],
        "featureFiltersList": [
          "HAW1",
        ],
        "periodFiltersList": [
          {
            "end": {
              "day": 31,
              "month": 12,
              "year": 2025,
            },
            "start": {
              "day": 1,
              "month": 12,
              "year": 2025,
            },
          },
        ],
        "relatedAddressComponentFiltersList": [],
        "relatedFeatureFiltersList": [],
        "valueFiltersList": [],
      },
      "value": {
        "dimensionsList": [],
        "flagsList": [],
        "mapFeatureV2": {
          "addressComponentsList": [
            {
              "component": "street_address",
              "displayName": "",
              "shortName": "",
              "value": "3227 SE Hawthorne Blvd",
            },
            {
              "component": "h3",
              "displayName": "",
              "shortName": "",
              "value": "8a28f0031db7fff",
            },
            {
              "component": "naics_2017",
              "displayName": "Snack and Nonalcoholic Beverage Bars",
              "shortName": "",
              "value": "722515",
            },
            {
              "component": "sic_2019",
              "displayName": "Eating Places",
              "shortName": "",
              "value": "5812",
            },
            {
              "component": "brand",
              "displayName": "",
              "shortName": "",
              "value": "",
            },
            {
              "component": "city",
              "displayName": "",
              "shortName": "",
              "value": "Portland",
            },
            {
              "component": "us_state_2020",
              "displayName": "Oregon",
              "shortName": "OR",
              "value": "41",
            },
            {
              "component": "us_county_2020",
              "displayName": "Multnomah",
              "shortName": "",
              "value": "41051",
            },
            {
              "component": "us_cbsa_2020",
              "displayName": "Portland-Vancouver-Hillsboro, OR-WA",
              "shortName": "",
              "value": "38900",
            },
            {
              "component": "us_zip_2010",
              "displayName": "",
              "shortName": "",
              "value": "97214",
            },
            {
              "component": "us_tract_2020",
              "displayName": "",
              "shortName": "",
              "value": "41051001302",
            },
            {
              "component": "us_block_group_2020",
              "displayName": "",
              "shortName": "",
              "value": "410510013021",
            },
            {
              "component": "is_obfuscated",
              "displayName": "",
              "shortName": "",
              "value": "false",
            },
          ],
          "cameIntoExistence": "",
          "ceasedToExist": "",
          "featureId": "HAW1",
          "geo": "{"type":"Point","coordinates":[-122.62617,45.51063]}",
          "layerId": "cafes",
          "name": "Café Ondine",
          "point": "{"type":"Point","coordinates":[-122.62617,45.51063]}",
          "polygon": "",
        },
        "metricId": "visits",
        "observationPeriod": {
          "end": {
            "day": 31,
            "month": 12,
            "year": 2025,
          },
          "start": {
            "day": 1,
            "month": 12,
            "year": 2025,
          },
        },
        "supportingValuesList": [
          {
            "category": "",
            "count": 0,
            "name": "person_count_p50",
            "number": 82.5,
            "unit": "People",
          },
        ],
        "value": {
          "category": "",
          "count": 2801,
          "name": "person_count",
          "number": 0,
          "unit": "People",
        },
      },
    }
  `);
  expect(totalSize).toBe(1);
  expect((await ask(`${month}&countOnly=true`)).totalSize).toBe(38);
  const blurred = await ask(`${month}&addressComponentFilter=is_obfuscated:true`);
  expect(blurred.totalSize).toBe(0);
});

test('the cafés are in block groups, counties and states of the sample', async () => {
  const { body } = await post('listRecords', {
    data_reference_name: 'cafes.places',
    fields: [{ name: 'us_block_group_2020' }, { name: 'us_county_2020' }],
    filters: [{ field_name: 'us_block_group_2020', operator: 'is_not_empty' }],
  });
  const groups = body.records.map(({ fields }) => fields['us_block_group_2020'] ?? '');
  const counties = body.records.map(({ fields }) => fields['us_county_2020']);
  const found = await post('listRecords', {
    data_reference_name: 'ml_visitation.neighborhoods',
    filters: [{ field_name: 'location_id', operator: 'in', values: groups }],
    count_only: true,
  });
  expect([groups.length, found.body.totalSize]).toEqual([38, 38]);
  expect([...new Set(counties)].toSorted()).toEqual(['41051', '41067', '53011']);
});

test('aggregates of the states leave out the total of the country, which is no feature', async () => {
  const of = (groupBy: string) =>
    `/v1/catalogs/mobility/metrics/m50_daily/aggregates?billingContext=acme&aggregate=median:m50&${groupBy}`;
  expect((await send(of('groupBy=us_state_2020'))).body.totalSize).toBe(51);
  expect((await send(of('groupBy=feature'))).body.totalSize).toBe(51);
});

/** Some seconds of work for DuckDB: no filter removes a row. */
const SLOW = {
  data_reference_name: 'ml_visitation.neighborhoods',
  fields: ['location_id'],
  filters: new Array(100).fill({
    field_name: 'us_state',
    operator: 'not_in',
    values: Array.from({ length: 90 }, (_, index) => `state ${index}`),
  }),
  page_size: 1,
};

/** It needs a connection of the column store: no index finds a text within another. */
const SCAN = {
  data_reference_name: PLACES,
  page_size: 1,
  filters: [{ field_name: 'location_name', operator: 'contains', value: 'park' }],
};

test('a query is stopped at its deadline, and the next one gets its connection', async () => {
  const server = await openTestServer(data(), { queryTimeoutMs: 400, connectionsMax: 1 });
  expect(await problemOf(server.post('listRecords', SLOW))).toMatchInlineSnapshot(`
    {
      "code": "DEADLINE_EXCEEDED",
      "detail": "The query took longer than 400 ms.",
      "hint": "Narrow the filters, or ask for fewer records.",
      "http": "504 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "DEADLINE_EXCEEDED",
      "requestId": "request-1",
      "status": 504,
      "title": "The request took too long",
      "type": "urn:locmetrics:problem:DEADLINE_EXCEEDED",
      "x-request-id": "request-1",
    }
  `);
  // On a busy machine this one can take longer than the deadline too.
  await expect.poll(async () => (await server.post('listRecords', SCAN)).status).toBe(200);
  await server.close();
});

test('a query is stopped when its caller goes away, and the next one gets its connection', async () => {
  const server = await openTestServer(data(), { connectionsMax: 1 });
  // The data are attached before, so that only the query is timed.
  await server.post('listRecords', { ...SLOW, filters: [] });
  const leaving = fetch(`${server.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${data().token}`,
      'content-type': 'application/json',
      'x-request-id': 'left',
    },
    body: JSON.stringify(SLOW),
    signal: AbortSignal.timeout(200),
  });
  await expect(leaving).rejects.toThrow('aborted due to timeout');
  const next = await server.post('listRecords', SCAN);
  expect(next.status).toBe(200);
  expect(server.log().filter(({ requestId }) => requestId === 'left')).toMatchObject([
    { kind: 'request_completed', status: 499, organisationId: 'acme' },
    { kind: 'request_refused', code: 'CANCELLED', reason: 'CANCELLED' },
  ]);
  await server.close();
});

test('values of a metric carry the licences of the values and of the features', async () => {
  const { headers } = await send(
    '/v1/catalogs/mobility/metrics/m50_daily/values.csv?featureFilter=06&billingContext=acme',
  );
  expect(headers.get('link')).toBe(
    '<https://creativecommons.org/licenses/by/4.0/>; rel="license", <https://creativecommons.org/publicdomain/zero/1.0/>; rel="license"',
  );
});
