import { expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { post, problem, send } = useTestServer((data) => data.publishFiles(SHOPS));

const name = 'shop.stores';

const CAMEL = {
  dataReferenceName: name,
  fields: [{ name: 'store_id' }],
  filters: [{ fieldName: 'count', operator: '>=', value: '0' }],
  options: {
    boundingBox: { minLng: 7, minLat: 46, maxLng: 9, maxLat: 48 },
    trimToPeriodOfExistence: 'TRIM',
    orderBy: { fieldName: 'count', direction: 'ASC' },
    thenBy: [{ fieldName: 'city', direction: 'DESC' }],
  },
  trimToPeriodOfExistence: 1,
  billingContext: 'acme',
  pageSize: 10,
  pageToken: '',
  asOf: '',
  countOnly: false,
  typedValues: false,
};

const SNAKE = {
  data_reference_name: name,
  fields: [{ name: 'store_id' }],
  filters: [{ field_name: 'count', operator: '>=', value: '0' }],
  options: {
    bounding_box: { min_lng: 7, min_lat: 46, max_lng: 9, max_lat: 48 },
    trim_to_period_of_existence: 'TRIM',
    order_by: { field_name: 'count', direction: 'ASC' },
    then_by: [{ field_name: 'city', direction: 'DESC' }],
  },
  trim_to_period_of_existence: 1,
  billing_context: 'acme',
  page_size: 10,
  page_token: '',
  as_of: '',
  count_only: false,
  typed_values: false,
};

test('every field of a records request is read in lowerCamelCase and in snake_case', async () => {
  const [camel, snake] = [await post('listRecords', CAMEL), await post('listRecords', SNAKE)];
  expect(camel.body.records).toEqual([
    { fields: { store_id: 'S4' } },
    { fields: { store_id: 'S1' } },
  ]);
  expect(snake.text).toBe(camel.text);
});

test('every field of a field values request is read in both spellings', async () => {
  const { fields: _fields, typedValues: _typed, options, ...camel } = CAMEL;
  const { fields: _snakeFields, typed_values: _snakeTyped, options: _options, ...snake } = SNAKE;
  const { orderBy: _order, thenBy: _then, ...box } = options;
  const answers = [
    await post('searchFieldValues', { ...camel, options: box, field: 'city', term: 'z' }),
    await post('searchFieldValues', { ...snake, options: box, field: 'city', term: 'z' }),
  ];
  expect(answers.map(({ body }) => body.values)).toEqual([['Zürich'], ['Zürich']]);
});

test('one request may mix the spellings of different fields', async () => {
  const { body } = await post('listRecords', {
    dataReferenceName: name,
    page_size: 1,
    options: { order_by: { fieldName: 'store_id', direction: 'DESC' } },
  });
  expect(body.records).toMatchObject([{ fields: { store_id: 'S4' } }]);
});

test('a page token works if the next request has the other spelling', async () => {
  const first = await post('listRecords', { dataReferenceName: name, pageSize: 1 });
  const second = await post('listRecords', {
    data_reference_name: name,
    page_size: 1,
    page_token: first.body.nextPageToken,
  });
  expect(second.body.records).toMatchObject([{ fields: { store_id: 'S3' } }]);
});

test.each([
  'data_referenceName',
  'dataReference_name',
  'DataReferenceName',
  'data__reference_name',
])('a name in neither spelling is refused: %s', async (half) => {
  const { status, body } = await post('listRecords', { [half]: name });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    reason: 'UNKNOWN_REQUEST_FIELD',
    hint: "Did you mean 'dataReferenceName'?",
  });
});

test('a query parameter is refused, not ignored', async () => {
  const answer = await send('/v3/catalog/listRecords?pageSize=5', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: name }),
  });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    reason: 'UNKNOWN_REQUEST_FIELD',
    hint: 'Send every field of the request in the JSON body.',
  });
});

test('a field in both spellings is refused', async () => {
  expect(
    await problem('listRecords', { dataReferenceName: name, data_reference_name: name }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The field 'dataReferenceName' appears in the request as 'dataReferenceName' and as 'data_reference_name'.",
      "errors": [
        {
          "detail": "The field 'dataReferenceName' appears in the request as 'dataReferenceName' and as 'data_reference_name'.",
          "pointer": "/data_reference_name",
        },
      ],
      "hint": "Send it once.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "DUPLICATE_REQUEST_FIELD",
      "requestId": "request-1",
      "status": 400,
      "title": "Duplicate request field",
      "type": "urn:locmetrics:problem:DUPLICATE_REQUEST_FIELD",
      "x-request-id": "request-1",
    }
  `);
});

test.each([
  { pageSize: null, page_size: null },
  { pageSize: null, page_size: 1 },
  { page_size: 1, pageSize: null },
])('null counts as absent, so %j is not a field in both spellings', async (page) => {
  const { status } = await post('listRecords', { dataReferenceName: name, ...page });
  expect(status).toBe(200);
});

test('a field in both spellings inside a filter is refused with a pointer to the second', async () => {
  expect(
    await problem('listRecords', {
      dataReferenceName: name,
      filters: [{ field_name: 'city', fieldName: 'city', operator: '==', value: 'x' }],
    }),
  ).toMatchObject({
    reason: 'DUPLICATE_REQUEST_FIELD',
    errors: [{ pointer: '/filters/0/fieldName' }],
  });
});

test('an unknown field is refused with the nearest known one', async () => {
  expect(
    await problem('listRecords', { dataReferenceName: name, page_siez: 1 }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "Unknown field 'page_siez' in the request.",
      "errors": [
        {
          "detail": "Unknown field 'page_siez' in the request.",
          "pointer": "/page_siez",
        },
      ],
      "hint": "Did you mean 'pageSize'?",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "UNKNOWN_REQUEST_FIELD",
      "requestId": "request-1",
      "status": 400,
      "title": "Unknown field in the request",
      "type": "urn:locmetrics:problem:UNKNOWN_REQUEST_FIELD",
      "x-request-id": "request-1",
    }
  `);
});

test.each([
  ['/filters/0/fieldname2', { filters: [{ fieldname2: 'city', operator: '==', value: 'x' }] }],
  ['/fields/1/nam', { fields: [{ name: 'city' }, { nam: 'city' }] }],
  ['/options/bounding_boxx', { options: { bounding_boxx: {} } }],
  ['/options/boundingBox/min_lngg', { options: { boundingBox: { min_lngg: 1 } } }],
  ['/options/order_by/directions', { options: { order_by: { directions: 'ASC' } } }],
])('the unknown field %s is refused', async (pointer, part) => {
  expect(await problem('listRecords', { dataReferenceName: name, ...part })).toMatchObject({
    status: 400,
    reason: 'UNKNOWN_REQUEST_FIELD',
    hint: expect.stringMatching(/^Did you mean '[a-zA-Z]+'\?$/),
    errors: [{ pointer }],
  });
});

test('a field of another call is refused', async () => {
  expect(await problem('getDataReference', { name, pageSize: 1 })).toMatchObject({
    reason: 'UNKNOWN_REQUEST_FIELD',
    hint: 'Known: name, dataReferenceName, billingContext.',
  });
});

test('a name with special characters of a JSON pointer is escaped in it', async () => {
  expect(await problem('listDataReferences', { 'a/b~c': 1 })).toMatchObject({
    errors: [{ pointer: '/a~1b~0c', detail: "Unknown field 'a/b~c' in the request." }],
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'the name %s of an object in JavaScript is an unknown field',
  async (member) => {
    expect(await problem('listDataReferences', `{"${member}": {"a": 1}}`)).toMatchObject({
      reason: 'UNKNOWN_REQUEST_FIELD',
      errors: [{ pointer: `/${member}` }],
    });
  },
);

test.each(['__proto__', 'constructor', 'toString'])(
  'the name %s of an object in JavaScript is not a field of a dataset',
  async (fieldName) => {
    expect(
      await problem('listRecords', {
        dataReferenceName: name,
        filters: [{ fieldName, operator: '==', value: 'x' }],
      }),
    ).toMatchObject({ reason: 'UNKNOWN_FIELD', errors: [{ pointer: '/filters/0/fieldName' }] });
  },
);

test('the pointer of an invalid value is in the spelling of the caller, in snake_case', async () => {
  expect(
    await problem('listRecords', {
      data_reference_name: name,
      options: { bounding_box: { min_lng: 'west', min_lat: 1, max_lng: 2, max_lat: 2 } },
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "'options.boundingBox.minLng' must be a number; it is "west".",
      "errors": [
        {
          "detail": "'options.boundingBox.minLng' must be a number; it is "west".",
          "pointer": "/options/bounding_box/min_lng",
        },
      ],
      "hint": "/openapi.json describes the request.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('the pointer of a refusal by the schema of the dataset is in the spelling of the caller', async () => {
  const filter = { field_name: 'citty', operator: '==', value: 'x' };
  expect(
    await problem('listRecords', { data_reference_name: name, filters: [filter] }),
  ).toMatchObject({ errors: [{ pointer: '/filters/0/field_name' }] });
  expect(
    await problem('listRecords', {
      dataReferenceName: name,
      filters: [{ ...filter, field_name: undefined, fieldName: 'citty' }],
    }),
  ).toMatchObject({ errors: [{ pointer: '/filters/0/fieldName' }] });
});

test('the pointer of a missing field is in lowerCamelCase', async () => {
  expect(await problem('listRecords', {})).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The field 'dataReferenceName' is missing.",
      "errors": [
        {
          "detail": "The field 'dataReferenceName' is missing.",
          "pointer": "/dataReferenceName",
        },
      ],
      "hint": "/openapi.json describes the request.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('several wrong fields are reported together', async () => {
  expect(
    await problem('listRecords', {
      data_reference_name: 5,
      page_size: '10',
      count_only: 'yes',
      filters: { field_name: 'city' },
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "'dataReferenceName' must be a text; it is 5.",
      "errors": [
        {
          "detail": "'dataReferenceName' must be a text; it is 5.",
          "pointer": "/data_reference_name",
        },
        {
          "detail": "'filters' must be a list; it is an object.",
          "pointer": "/filters",
        },
        {
          "detail": "'pageSize' must be a whole number; it is "10".",
          "pointer": "/page_size",
        },
        {
          "detail": "'countOnly' must be true or false; it is "yes".",
          "pointer": "/count_only",
        },
      ],
      "hint": "/openapi.json describes the request.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('null means an absent field at every depth', async () => {
  const { status, body } = await post('listRecords', {
    dataReferenceName: name,
    fields: null,
    filters: [{ fieldName: 'city', operator: '==', value: 'Zürich', values: null }],
    options: {
      boundingBox: null,
      orderBy: { fieldName: 'city', direction: null },
      trimToPeriodOfExistence: null,
    },
    pageSize: null,
    pageToken: null,
    asOf: null,
    countOnly: null,
    billingContext: null,
    typedValues: null,
    trimToPeriodOfExistence: null,
  });
  expect(status).toBe(200);
  expect(body.records).toMatchObject([{ fields: { store_id: 'S1' } }]);
});

test('a required field that is null is missing', async () => {
  expect(await problem('listRecords', { dataReferenceName: null })).toMatchObject({
    errors: [
      { pointer: '/dataReferenceName', detail: "The field 'dataReferenceName' is missing." },
    ],
  });
});

test('a null inside a list is refused', async () => {
  expect(await problem('listRecords', { dataReferenceName: name, fields: [null] })).toMatchObject({
    reason: 'INVALID_REQUEST',
    errors: [{ pointer: '/fields/0' }],
  });
});

test.each(['DESC', 'ORDER_DIRECTION_DESC', 2])(
  'the direction %j is descending',
  async (direction) => {
    const { body } = await post('listRecords', {
      dataReferenceName: name,
      options: { orderBy: { fieldName: 'store_id', direction } },
    });
    expect(body.records.map(({ fields }) => fields['store_id'])).toEqual(['S4', 'S3', 'S1']);
  },
);

test.each(['ASC', 'ORDER_DIRECTION_ASC', 1, 'UNSPECIFIED', 'ORDER_DIRECTION_UNSPECIFIED', 0])(
  'the direction %j is ascending',
  async (direction) => {
    const { body } = await post('listRecords', {
      dataReferenceName: name,
      options: { orderBy: { fieldName: 'store_id', direction } },
    });
    expect(body.records.map(({ fields }) => fields['store_id'])).toEqual(['S1', 'S3', 'S4']);
  },
);

test('an unknown bucket is refused with all valid ones', async () => {
  const answer = await problem('listRecords', {
    dataReferenceName: name,
    groupBy: [{ fieldName: 'city', bucket: 'HOUR' }],
  });
  expect(answer).toMatchObject({
    detail:
      '\'groupBy.0.bucket\' has no value "HOUR". It can be DAY, WEEK, MONTH, QUARTER, YEAR, DAY_OF_WEEK, MONTH_OF_YEAR.',
  });
});

test.each(['thenBy', 'then_by'])(
  'a refused key of %s is pointed to as it is written',
  async (key) => {
    const orderBy = { fieldName: 'city' };
    const ask = async (thenBy: unknown, options: object = { orderBy }) => {
      const request = { dataReferenceName: name, options: { ...options, [key]: thenBy } };
      const { reason, errors } = JSON.parse((await post('listRecords', request)).text);
      return [reason, errors[0].pointer];
    };
    const written = key === 'thenBy' ? 'fieldName' : 'field_name';
    const many = Array.from({ length: 11 }, () => ({ [written]: 'count' }));
    const answers = [
      await ask([{ [written]: 'count' }, { [written]: 'ctiy' }]),
      await ask([{ [written]: 'city' }]),
      await ask([{ [written]: 'count', direction: 'DOWN' }]),
      await ask([{ [written]: 'count' }], {}),
      await ask(many),
      await ask({ [written]: 'count' }),
    ];
    expect(answers).toEqual([
      ['UNKNOWN_FIELD', `/options/${key}/1/${written}`],
      ['INVALID_OPTION', `/options/${key}/0/${written}`],
      ['INVALID_REQUEST', `/options/${key}/0/direction`],
      ['INVALID_OPTION', `/options/${key}`],
      ['INVALID_REQUEST', `/options/${key}`],
      ['INVALID_REQUEST', `/options/${key}`],
    ]);
  },
);

test('an unknown direction is refused with the valid ones', async () => {
  expect(
    await problem('listRecords', {
      dataReferenceName: name,
      options: { order_by: { field_name: 'city', direction: 'DOWN' } },
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "'options.orderBy.direction' has no value "DOWN". It can be UNSPECIFIED, ASC, DESC.",
      "errors": [
        {
          "detail": "'options.orderBy.direction' has no value "DOWN". It can be UNSPECIFIED, ASC, DESC.",
          "pointer": "/options/order_by/direction",
        },
      ],
      "hint": "/openapi.json describes the request.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test.each(['desc', 3, -1, 1.5, '2', true, [2]])(
  'the direction %j is refused',
  async (direction) => {
    expect(
      await problem('listRecords', {
        dataReferenceName: name,
        options: { orderBy: { fieldName: 'city', direction } },
      }),
    ).toMatchObject({
      reason: 'INVALID_REQUEST',
      errors: [{ pointer: '/options/orderBy/direction' }],
    });
  },
);

test.each(['IGNORE', 'TRIM_TO_PERIOD_OF_EXISTENCE_IGNORE', 2])(
  'trim_to_period_of_existence %j keeps records outside the existence of their place',
  async (trim) => {
    const totals = [
      await post('listRecords', { dataReferenceName: name, trim_to_period_of_existence: trim }),
      await post('listRecords', {
        dataReferenceName: name,
        options: { trim_to_period_of_existence: trim },
      }),
      await post('listRecords', {
        dataReferenceName: name,
        trimToPeriodOfExistence: trim,
        options: { trimToPeriodOfExistence: 'IGNORE' },
      }),
    ].map(({ body }) => body.totalSize);
    expect(totals).toEqual([4, 4, 4]);
  },
);

test.each(['UNSPECIFIED', 0, 'TRIM', 'TRIM_TO_PERIOD_OF_EXISTENCE_TRIM', 1, null])(
  'trim_to_period_of_existence %j leaves them out',
  async (trim) => {
    const { body } = await post('listRecords', {
      dataReferenceName: name,
      trim_to_period_of_existence: trim,
    });
    expect(body.totalSize).toBe(3);
  },
);

test('two values of trim_to_period_of_existence are refused', async () => {
  expect(
    await problem('listRecords', {
      dataReferenceName: name,
      trim_to_period_of_existence: 0,
      options: { trimToPeriodOfExistence: 'IGNORE' },
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "trimToPeriodOfExistence is 0 outside options and IGNORE inside them.",
      "errors": [
        {
          "detail": "trimToPeriodOfExistence is 0 outside options and IGNORE inside them.",
          "pointer": "/trim_to_period_of_existence",
        },
      ],
      "hint": "Send it once.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_OPTION",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid option",
      "type": "urn:locmetrics:problem:INVALID_OPTION",
      "x-request-id": "request-1",
    }
  `);
});

test('a data reference is named by name or by data_reference_name', async () => {
  const answers = [
    await post('getDataReference', { name }),
    await post('getDataReference', { data_reference_name: name }),
    await post('getDataReference', { dataReferenceName: name, name }),
  ].map(({ text }) => text);
  expect(answers[0]).toContain('"name":"shop.stores"');
  expect(new Set(answers).size).toBe(1);
});

test('two different names of a data reference are refused', async () => {
  expect(
    await problem('getDataReference', { name, data_reference_name: 'shop.codes' }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "'name' is 'shop.stores' and 'dataReferenceName' is 'shop.codes'.",
      "errors": [
        {
          "detail": "'name' is 'shop.stores' and 'dataReferenceName' is 'shop.codes'.",
          "pointer": "/name",
        },
      ],
      "hint": "Send one of them.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/getDataReference",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('getDataReference without a name is refused', async () => {
  expect(await problem('getDataReference', {})).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The field 'name' is missing.",
      "errors": [
        {
          "detail": "The field 'name' is missing.",
          "pointer": "/name",
        },
      ],
      "hint": "Send the name of a data reference; listDataReferences lists those you may see.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/getDataReference",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('an unknown name of a data reference is refused with a pointer to it', async () => {
  expect(await problem('getDataReference', { name: 'shop.store' })).toMatchInlineSnapshot(`
    {
      "code": "NOT_FOUND",
      "detail": "There is no data reference 'shop.store'.",
      "errors": [
        {
          "detail": "There is no data reference 'shop.store'.",
          "pointer": "/name",
        },
      ],
      "hint": "Did you mean 'shop.stores'?",
      "http": "404 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/getDataReference",
      "reason": "DATA_REFERENCE_NOT_FOUND",
      "requestId": "request-1",
      "status": 404,
      "title": "No such data reference",
      "type": "urn:locmetrics:problem:DATA_REFERENCE_NOT_FOUND",
      "x-request-id": "request-1",
    }
  `);
  expect(await problem('getDataReference', { data_reference_name: 'shop.store' })).toMatchObject({
    errors: [{ pointer: '/data_reference_name' }],
  });
});

test('a field is an object or just its name', async () => {
  const answers = [
    await post('listRecords', { dataReferenceName: name, fields: ['city'] }),
    await post('listRecords', { dataReferenceName: name, fields: [{ name: 'city' }] }),
    await post('listRecords', {
      dataReferenceName: name,
      fields: [{ name: 'city', source: 'feature.city.value' }],
    }),
  ].map(({ text }) => text);
  expect(answers[0]).toContain('"city":"Zürich"');
  expect(new Set(answers).size).toBe(1);
});

test('a field that is neither an object nor a name is refused', async () => {
  expect(
    await problem('listRecords', { dataReferenceName: name, fields: [5] }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "'fields.0' must be an object or a text; it is 5.",
      "errors": [
        {
          "detail": "'fields.0' must be an object or a text; it is 5.",
          "pointer": "/fields/0",
        },
      ],
      "hint": "/openapi.json describes the request.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('a source that is not the published one is refused', async () => {
  expect(
    await problem('listRecords', {
      dataReferenceName: name,
      fields: ['store_id', { name: 'city', source: 'feature.town.value' }],
    }),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The source 'feature.town.value' is not the source of the field 'city'.",
      "errors": [
        {
          "detail": "The source 'feature.town.value' is not the source of the field 'city'.",
          "pointer": "/fields/1/source",
        },
      ],
      "hint": "Leave the source out, or send 'feature.city.value'.",
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
