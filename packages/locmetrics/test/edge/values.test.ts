import { expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { post, problem } = useTestServer((data) => data.publishFiles(SHOPS));

const name = 'shop.stores';
const EVERY_TYPE = ['store_id', 'count', 'rating', 'is_open', 'opened', 'closed'];
const KEPT = { trimToPeriodOfExistence: 'IGNORE' };

test('values are text, and an absent value is empty text', async () => {
  const { body } = await post('listRecords', {
    dataReferenceName: name,
    fields: EVERY_TYPE,
    ...KEPT,
  });
  expect(body.records).toMatchInlineSnapshot(`
    [
      {
        "fields": {
          "closed": "",
          "count": "9007199254740993",
          "is_open": "true",
          "opened": "2020-01-01",
          "rating": "4.5",
          "store_id": "S1",
        },
      },
      {
        "fields": {
          "closed": "2022-12-31",
          "count": "-5",
          "is_open": "false",
          "opened": "2020-01-01",
          "rating": "0.1",
          "store_id": "S2",
        },
      },
      {
        "fields": {
          "closed": "",
          "count": "",
          "is_open": "",
          "opened": "2020-01-01",
          "rating": "",
          "store_id": "S3",
        },
      },
      {
        "fields": {
          "closed": "",
          "count": "0",
          "is_open": "true",
          "opened": "2020-01-01",
          "rating": "1e+21",
          "store_id": "S4",
        },
      },
    ]
  `);
});

test('typedValues false is the same as its absence', async () => {
  const request = { dataReferenceName: name, fields: EVERY_TYPE, ...KEPT };
  const { text } = await post('listRecords', { ...request, typedValues: false });
  expect(text).toBe((await post('listRecords', request)).text);
});

test('typed values are JSON numbers, booleans and null, with every digit of an integer', async () => {
  const { text } = await post('listRecords', {
    dataReferenceName: name,
    fields: EVERY_TYPE,
    ...KEPT,
    typedValues: true,
  });
  expect(text.slice(0, text.indexOf('],"fieldDefinitions"'))).toMatchInlineSnapshot(
    `"{"records":[{"fields":{"store_id":"S1","count":9007199254740993,"rating":4.5,"is_open":true,"opened":"2020-01-01","closed":null}},{"fields":{"store_id":"S2","count":-5,"rating":0.1,"is_open":false,"opened":"2020-01-01","closed":"2022-12-31"}},{"fields":{"store_id":"S3","count":null,"rating":null,"is_open":null,"opened":"2020-01-01","closed":null}},{"fields":{"store_id":"S4","count":0,"rating":1e+21,"is_open":true,"opened":"2020-01-01","closed":null}}"`,
  );
});

test('an answer has the records, their definitions, the next page token, the total and the version', async () => {
  const { body, headers } = await post('listRecords', {
    dataReferenceName: 'shop.codes',
    fields: ['label'],
  });
  expect({ ...body, version: 'VERSION' }).toMatchInlineSnapshot(`
    {
      "fieldDefinitions": [
        {
          "description": "",
          "exampleValue": "",
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
          "name": "label",
          "sourceColumn": "feature.label.value",
          "type": "COLUMN_TYPE_STRING",
        },
      ],
      "nextPageToken": "",
      "records": [
        {
          "fields": {
            "label": "one",
          },
        },
        {
          "fields": {
            "label": "two",
          },
        },
      ],
      "totalSize": 2,
      "version": "VERSION",
    }
  `);
  expect(body.version).toMatch(/^20240101T000000000Z-[0-9a-f]{12}$/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('without fields, the fields included by default are returned', async () => {
  const { body } = await post('listRecords', { dataReferenceName: name, pageSize: 1 });
  expect(Object.keys(body.records[0]?.fields ?? {})).toEqual([
    'store_id',
    'city',
    'count',
    'rating',
    'is_open',
  ]);
});

test('an empty list of fields is the same as its absence', async () => {
  const { body } = await post('listRecords', { dataReferenceName: name, fields: [], pageSize: 1 });
  expect(Object.keys(body.records[0]?.fields ?? {})).toHaveLength(5);
});

test('fields are in the order of their definitions, not of the request', async () => {
  const { text } = await post('listRecords', {
    dataReferenceName: name,
    fields: ['rating', 'store_id'],
    pageSize: 1,
  });
  expect(text).toContain('{"records":[{"fields":{"store_id":"S1","rating":"4.5"}}]');
});

test('a field that is selected twice is refused', async () => {
  expect(
    await problem('listRecords', { dataReferenceName: name, fields: ['city', { name: 'city' }] }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The field 'city' is selected twice.",
      "errors": [
        {
          "detail": "The field 'city' is selected twice.",
          "pointer": "/fields/1/name",
        },
      ],
      "hint": "Name each field once.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_FIELD",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid field selection",
      "type": "urn:locmetrics:problem:INVALID_FIELD",
      "x-request-id": "request-1",
    }
  `);
});

/** Members that are shown as one line. */
const LISTS = ['supportedOperators', 'aggregations'];

test('a data reference describes its fields, its options and its version', async () => {
  const { text } = await post('getDataReference', { name });
  expect(
    JSON.parse(text, (key, value) =>
      key === 'version' ? 'VERSION' : LISTS.includes(key) ? value.join(' ') : value,
    ),
  ).toMatchInlineSnapshot(`
    {
      "dataReference": {
        "cadence": "MONTHLY",
        "dataListingDescription": "A row is a store in a month.",
        "dataListingDisplayName": "Stores",
        "dataProductDescription": "Made up for the tests.",
        "dataProductDisplayName": "Shops",
        "dateRange": {
          "end": {
            "day": 31,
            "month": 1,
            "year": 2023,
          },
          "start": {
            "day": 1,
            "month": 1,
            "year": 2023,
          },
        },
        "fields": [
          {
            "aggregations": "MIN MAX COUNT COUNT_DISTINCT",
            "description": "Code of the store.",
            "exampleValue": "S1",
            "filters": {
              "supportedOperators": "== != in not_in contains starts_with ends_with is_empty is_not_empty",
            },
            "includedByDefault": true,
            "name": "store_id",
            "sourceColumn": "feature.feature_id.value",
            "type": "COLUMN_TYPE_STRING",
          },
          {
            "aggregations": "MIN MAX COUNT COUNT_DISTINCT",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != in not_in contains starts_with ends_with is_empty is_not_empty",
            },
            "includedByDefault": true,
            "name": "city",
            "sourceColumn": "feature.city.value",
            "type": "COLUMN_TYPE_STRING",
          },
          {
            "additive": "all",
            "aggregations": "SUM AVG MIN MAX COUNT COUNT_DISTINCT MEDIAN QUANTILE",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": true,
            "name": "count",
            "sourceColumn": "metric_value.count.value",
            "type": "COLUMN_TYPE_INTEGER",
          },
          {
            "additive": "none",
            "aggregations": "AVG MIN MAX COUNT COUNT_DISTINCT MEDIAN QUANTILE",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": true,
            "name": "rating",
            "sourceColumn": "metric_value.rating.value",
            "type": "COLUMN_TYPE_FLOAT",
          },
          {
            "aggregations": "COUNT COUNT_DISTINCT",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != is_empty is_not_empty",
            },
            "includedByDefault": true,
            "name": "is_open",
            "sourceColumn": "feature.is_open.value",
            "type": "COLUMN_TYPE_BOOLEAN",
          },
          {
            "aggregations": "MIN MAX COUNT COUNT_DISTINCT",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": false,
            "name": "opened",
            "sourceColumn": "feature.came_into_existence.value",
            "type": "COLUMN_TYPE_DATE",
          },
          {
            "aggregations": "MIN MAX COUNT COUNT_DISTINCT",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": false,
            "name": "closed",
            "sourceColumn": "feature.ceased_to_exist.value",
            "type": "COLUMN_TYPE_DATE",
          },
          {
            "aggregations": "MIN MAX COUNT COUNT_DISTINCT",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": false,
            "name": "observed_from",
            "sourceColumn": "observation_period.start.value",
            "type": "COLUMN_TYPE_DATE",
          },
          {
            "aggregations": "MIN MAX COUNT COUNT_DISTINCT",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": false,
            "name": "observed_to",
            "sourceColumn": "observation_period.end.value",
            "type": "COLUMN_TYPE_DATE",
          },
          {
            "aggregations": "AVG MIN MAX COUNT COUNT_DISTINCT MEDIAN QUANTILE",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": false,
            "name": "latitude",
            "sourceColumn": "feature.latitude.value",
            "type": "COLUMN_TYPE_FLOAT",
          },
          {
            "aggregations": "AVG MIN MAX COUNT COUNT_DISTINCT MEDIAN QUANTILE",
            "description": "",
            "exampleValue": "",
            "filters": {
              "supportedOperators": "== != < <= > >= in not_in is_empty is_not_empty",
            },
            "includedByDefault": false,
            "name": "longitude",
            "sourceColumn": "feature.longitude.value",
            "type": "COLUMN_TYPE_FLOAT",
          },
        ],
        "firstObservationDate": "2023-01-01",
        "lastObservationDate": "2023-01-31",
        "name": "shop.stores",
        "options": {
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
            "exampleValue": "{"fieldName":"store_id","direction":"DESC"}",
          },
          "polygon": {
            "available": true,
            "description": "Records whose point lies inside the polygon, edges included; one ring of 4 to 500 points, the last as the first; not together with the bounding box.",
            "displayName": "Polygon",
            "exampleValue": "{"coordinates":[{"longitude":-118.7,"latitude":33.7},{"longitude":-117.6,"latitude":33.7},{"longitude":-118.1,"latitude":34.4},{"longitude":-118.7,"latitude":33.7}]}",
          },
          "trimToPeriodOfExistence": {
            "available": true,
            "description": "TRIM (default) leaves out records whose period lies outside the time their place existed; IGNORE keeps them.",
            "displayName": "Trim to period of existence",
            "exampleValue": "TRIM",
          },
        },
        "processingCadence": "MONTHLY",
        "publishedTime": "2024-01-01T00:00:00.000Z",
        "rowCount": 4,
        "updateTime": "2024-01-01T00:00:00.000Z",
        "version": "VERSION",
      },
    }
  `);
});

test('a dataset without point and period says that the options are not available', async () => {
  const { text } = await post('getDataReference', { name: 'shop.codes' });
  const { options, ...rest } = JSON.parse(text).dataReference;
  expect([
    options.boundingBox.available,
    options.trimToPeriodOfExistence.available,
    options.orderBy.available,
  ]).toEqual([false, false, true]);
  expect(rest).not.toHaveProperty('firstObservationDate');
});

test('the data references are ordered by name', async () => {
  const { text } = await post('listDataReferences', {});
  const { dataReferences } = JSON.parse(text);
  expect(dataReferences.map((reference: { name: string }) => reference.name)).toEqual([
    'shop.codes',
    'shop.stores',
  ]);
  expect(dataReferences[1]).toEqual(
    JSON.parse((await post('getDataReference', { name })).text).dataReference,
  );
});

test('distinct values are text, those that start with the term first', async () => {
  const { body } = await post('searchFieldValues', {
    dataReferenceName: name,
    field: 'city',
    term: 'Z',
    ...KEPT,
  });
  expect({ ...body, version: 'VERSION' }).toMatchInlineSnapshot(`
    {
      "fieldDefinition": {
        "description": "",
        "exampleValue": "",
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
        "name": "city",
        "sourceColumn": "feature.city.value",
        "type": "COLUMN_TYPE_STRING",
      },
      "nextPageToken": "",
      "values": [
        "Zürich",
        "zug",
      ],
      "version": "VERSION",
    }
  `);
});

test('distinct values leave absent values out', async () => {
  const { body } = await post('searchFieldValues', {
    dataReferenceName: name,
    field: { name: 'is_open' },
    ...KEPT,
  });
  expect(body.values).toEqual(['false', 'true']);
});

test('a term that no value contains finds nothing', async () => {
  const { body } = await post('searchFieldValues', {
    dataReferenceName: name,
    field: 'city',
    term: '%',
  });
  expect(body).toMatchObject({ values: [], nextPageToken: '' });
});

test('an absent field is refused', async () => {
  expect(await problem('searchFieldValues', { dataReferenceName: name })).toMatchObject({
    reason: 'INVALID_REQUEST',
    errors: [{ pointer: '/field', detail: "The field 'field' is missing." }],
  });
});

test('countOnly counts records and returns none', async () => {
  const { body } = await post('listRecords', {
    dataReferenceName: name,
    fields: ['store_id'],
    pageSize: 1,
    countOnly: true,
  });
  expect(body).toMatchObject({ records: [], totalSize: 3, costRows: 3, nextPageToken: '' });
});

test('the cost of all pages is returned only with countOnly', async () => {
  const { body } = await post('listRecords', { dataReferenceName: name });
  expect(body).not.toHaveProperty('costRows');
});

test('countOnly counts distinct values; without it they have no total', async () => {
  const request = { dataReferenceName: name, field: 'city', ...KEPT };
  expect((await post('searchFieldValues', { ...request, countOnly: true })).body).toMatchObject({
    values: [],
    totalSize: 3,
    costRows: 3,
  });
  const { body } = await post('searchFieldValues', request);
  expect(body).not.toHaveProperty('totalSize');
  expect(body).not.toHaveProperty('costRows');
});

test.each([
  ['an integer field takes a JSON number', 'count', '==', 0, ['S4']],
  ['an integer field takes text', 'count', '==', '0', ['S4']],
  ['an integer beyond 2^53 is exact as text', 'count', '==', '9007199254740993', ['S1']],
  ['the neighbour of an integer beyond 2^53 is another', 'count', '==', '9007199254740992', []],
  ['a float field takes a JSON number', 'rating', '<', 4.5, ['S2']],
  ['a boolean field takes a JSON boolean', 'is_open', '==', false, ['S2']],
  ['a boolean field takes text', 'is_open', '==', 'false', ['S2']],
])('%s', async (_, fieldName, operator, value, expected) => {
  const { body } = await post('listRecords', {
    dataReferenceName: name,
    fields: ['store_id'],
    filters: [{ fieldName, operator, value }],
    ...KEPT,
  });
  expect(body.records.map(({ fields }) => fields['store_id'])).toEqual(expected);
});

test.each([
  ['a JSON number on a text field', 'city', '==', 5],
  ['a JSON boolean on an integer field', 'count', '==', true],
  ['a JSON number on a boolean field', 'is_open', '==', 1],
  ['a JSON number on a date field', 'opened', '==', 20200101],
  ['a fraction on an integer field', 'count', '==', 1.5],
  ['a JSON number beyond 2^53 on an integer field', 'count', '==', 9007199254740992],
  ['an integer of more than 64 bits', 'count', '==', '9223372036854775808'],
  ['a negative integer of more than 64 bits', 'count', '>', '-9223372036854775809'],
  ['a text that is no number', 'rating', '>', '4,5'],
  ['a date that does not exist', 'opened', '>=', '2023-02-29'],
  ['the empty text', 'city', '==', ''],
  ['a blank text', 'city', '==', ' '],
  ['NaN', 'rating', '==', 'NaN'],
])('%s is refused', async (_, fieldName, operator, value) => {
  expect(
    await problem('listRecords', {
      dataReferenceName: name,
      filters: [{ fieldName, operator, value }],
    }),
  ).toMatchObject({
    reason: 'INVALID_FILTER_VALUE',
    errors: [{ pointer: '/filters/0/value' }],
    hint: expect.stringMatching(/\S/),
  });
});

test('a page that contains all remaining records is the last', async () => {
  const { body } = await post('listRecords', { dataReferenceName: name, pageSize: 3 });
  expect([body.records.length, body.nextPageToken]).toEqual([3, '']);
});

test('a page that is one record smaller is not the last', async () => {
  const { body } = await post('listRecords', { dataReferenceName: name, pageSize: 2 });
  expect(body.records).toHaveLength(2);
  expect(body.nextPageToken).toMatch(/^[A-Za-z0-9_-]+$/);
});

test.each([0, 10_000, 10_001, 2_147_483_648, 1e15])(
  'the page size %d is accepted',
  async (pageSize) => {
    expect((await post('listRecords', { dataReferenceName: name, pageSize })).status).toBe(200);
  },
);

test.each([-1, -2_147_483_648])('the page size %d is refused', async (pageSize) => {
  expect(await problem('listRecords', { dataReferenceName: name, pageSize })).toMatchObject({
    reason: 'INVALID_PAGE_SIZE',
    errors: [{ pointer: '/pageSize' }],
  });
});

test.each([1.5, '10'])('the page size %j is not a whole number', async (pageSize) => {
  expect(await problem('listRecords', { dataReferenceName: name, pageSize })).toMatchObject({
    reason: 'INVALID_REQUEST',
    errors: [{ pointer: '/pageSize' }],
  });
});

test('the values of a field are paged to the end', async () => {
  const request = { dataReferenceName: name, field: 'store_id', pageSize: 3, ...KEPT };
  const first = await post('searchFieldValues', request);
  const second = await post('searchFieldValues', {
    ...request,
    pageSize: 1,
    pageToken: first.body.nextPageToken,
  });
  expect([first.body.values, second.body.values, second.body.nextPageToken]).toEqual([
    ['S1', 'S2', 'S3'],
    ['S4'],
    '',
  ]);
});
