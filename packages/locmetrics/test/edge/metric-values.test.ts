import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PARKS } from './parks.ts';
import { type Answer, problemOf, useTestServer } from './test-server.ts';

const SAMPLE = fileURLToPath(new URL('../../sample/locmetrics.yaml', import.meta.url));

const { send } = useTestServer((data) => data.publishFiles(PARKS));

const VISITS = '/v1/catalogs/park/metrics/visits/values';
const TRIPS = '/v1/catalogs/park/metrics/trips/values';

const get = (parameters: string, path = VISITS): Promise<Answer> =>
  send(`${path}?billingContext=acme${parameters}`);
const search = (body: unknown, path = VISITS): Promise<Answer> =>
  send(`${path}:search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const ask = (body: Readonly<Record<string, unknown>>, path = VISITS) =>
  search({ billingContext: 'acme', ...body }, path);

/** The content of a refusal: status, reason, pointers, detail, hint. */
async function refusal(sent: Promise<Answer>): Promise<string> {
  const { status, text } = await sent;
  const { reason, detail, hint, errors = [] } = JSON.parse(text);
  const pointers = errors.map(({ pointer }: { readonly pointer: string }) => ` at ${pointer}`);
  return [`${status} ${reason}${pointers.join('')}`, detail, hint].join('\n');
}

/** Feature, first month and age of each value. */
async function found(sent: Promise<Answer>): Promise<readonly string[]> {
  const { valuesList } = JSON.parse((await sent).text);
  return valuesList.map(
    (value: {
      readonly mapFeatureV2: { readonly featureId: string };
      readonly observationPeriod: { readonly start: { readonly month: number } };
      readonly dimensionsList: readonly { readonly value: string }[];
    }) =>
      [
        value.mapFeatureV2.featureId,
        value.observationPeriod.start.month,
        ...value.dimensionsList.map((dimension) => dimension.value),
      ].join(' '),
  );
}

const ALL = ['ACAD 1 old', 'ACAD 1 young', 'ACAD 2 old', 'zürich 1 old'];
const TRIP_IDS = ['ACAD 1', 'zürich 1'];

describe('the answer', () => {
  test('has exactly the members of the interface', async () => {
    const { text, status, headers } = await get('&featureFilter=ACAD&pageSize=1');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const { nextPageToken, version } = JSON.parse(text);
    expect(nextPageToken).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(version).toMatch(/^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$/);
    const shown = text.replace(nextPageToken, '…').replace(version, '…');
    // There is one line for each member, so that a difference is visible.
    expect(shown.replaceAll(',"', ',\n"')).toMatchInlineSnapshot(`
      "{"valuesList":[{"metricId":"visits",
      "value":{"name":"visits",
      "unit":"People",
      "number":0,
      "count":9007199254740993,
      "category":""},
      "observationPeriod":{"start":{"year":2024,
      "month":1,
      "day":1},
      "end":{"year":2024,
      "month":1,
      "day":31}},
      "dimensionsList":[{"dimensionId":"age",
      "value":"old",
      "displayName":"Älter"}],
      "supportingValuesList":[{"name":"share",
      "unit":"Percent",
      "number":0.1,
      "count":0,
      "category":""},{"name":"weather",
      "unit":"",
      "number":0,
      "count":0,
      "category":"sun"}],
      "flagsList":["estimate"],
      "mapFeatureV2":{"layerId":"parks",
      "featureId":"ACAD",
      "name":"Acadia",
      "geo":"{\\"type\\":\\"Point\\",\\"coordinates\\":[-68.21,44.35]}",
      "addressComponentsList":[{"component":"state",
      "value":"23",
      "shortName":"ME",
      "displayName":"Maine"},{"component":"is_obfuscated",
      "value":"false",
      "shortName":"",
      "displayName":""}],
      "point":"{\\"type\\":\\"Point\\",\\"coordinates\\":[-68.21,44.35]}",
      "polygon":"",
      "cameIntoExistence":"1919-02-26",
      "ceasedToExist":""}}],
      "appliedFilters":{"periodFiltersList":[],
      "dimensionFiltersList":[],
      "addressComponentFiltersList":[{"component":"is_obfuscated",
      "valuesList":["false"]}],
      "featureFiltersList":["ACAD"],
      "relatedFeatureFiltersList":[],
      "valueFiltersList":[],
      "relatedAddressComponentFiltersList":[]},
      "totalSize":3,
      "nextPageToken":"…",
      "version":"…"}"
    `);
  });

  test('has numbers with all their digits, and absent values as null', async () => {
    const { text } = await get('');
    const values = [...text.matchAll(/"value":(\{.*?\}),/g)].map(([, value]) => value);
    expect(values).toMatchInlineSnapshot(`
      [
        "{"name":"visits","unit":"People","number":0,"count":9007199254740993,"category":""}",
        "{"name":"visits","unit":"People","number":0,"count":0,"category":""}",
        "{"name":"visits","unit":"People","number":0,"count":null,"category":""}",
        "{"name":"visits","unit":"People","number":0,"count":-9223372036854775808,"category":""}",
      ]
    `);
    const supporting = [...text.matchAll(/"supportingValuesList":(\[.*?\])/g)].map(
      ([, list]) => list,
    );
    expect(supporting).toMatchInlineSnapshot(`
      [
        "[{"name":"share","unit":"Percent","number":0.1,"count":0,"category":""},{"name":"weather","unit":"","number":0,"count":0,"category":"sun"}]",
        "[{"name":"share","unit":"Percent","number":1e+21,"count":0,"category":""},{"name":"weather","unit":"","number":0,"count":0,"category":null}]",
        "[{"name":"share","unit":"Percent","number":null,"count":0,"category":""},{"name":"weather","unit":"","number":0,"count":0,"category":null}]",
        "[{"name":"share","unit":"Percent","number":-0.5,"count":0,"category":""},{"name":"weather","unit":"","number":0,"count":0,"category":"Föhn"}]",
      ]
    `);
  });

  test('has non-ASCII names, empty components and flags unchanged', async () => {
    const { text } = await get('&featureFilter=z%C3%BCrich');
    const { valuesList } = JSON.parse(text);
    expect(valuesList[0].mapFeatureV2).toMatchInlineSnapshot(`
      {
        "addressComponentsList": [
          {
            "component": "state",
            "displayName": "",
            "shortName": "",
            "value": "",
          },
          {
            "component": "is_obfuscated",
            "displayName": "",
            "shortName": "",
            "value": "false",
          },
        ],
        "cameIntoExistence": "",
        "ceasedToExist": "2024-02-29",
        "featureId": "zürich",
        "geo": "",
        "layerId": "parks",
        "name": "Zürichsee "😀"",
        "point": "",
        "polygon": "",
      }
    `);
    expect(valuesList[0].flagsList).toEqual([]);
    expect(text).toContain('Zürichsee \\"😀\\"');
  });

  test('has the related feature of an origin–destination metric', async () => {
    const { text } = await get('', TRIPS);
    const { valuesList, appliedFilters, totalSize } = JSON.parse(text);
    expect(totalSize).toBe(2);
    expect(valuesList[1]).toMatchInlineSnapshot(`
      {
        "dimensionsList": [],
        "flagsList": [],
        "mapFeatureV2": {
          "addressComponentsList": [
            {
              "component": "state",
              "displayName": "",
              "shortName": "",
              "value": "",
            },
            {
              "component": "is_obfuscated",
              "displayName": "",
              "shortName": "",
              "value": "false",
            },
          ],
          "cameIntoExistence": "",
          "ceasedToExist": "2024-02-29",
          "featureId": "zürich",
          "geo": "",
          "layerId": "parks",
          "name": "Zürichsee "😀"",
          "point": "",
          "polygon": "",
        },
        "metricId": "trips",
        "observationPeriod": {
          "end": {
            "day": 31,
            "month": 12,
            "year": 2024,
          },
          "start": {
            "day": 1,
            "month": 1,
            "year": 2024,
          },
        },
        "relatedMapFeature": {
          "addressComponentsList": [
            {
              "component": "state",
              "displayName": "Maine",
              "shortName": "ME",
              "value": "23",
            },
            {
              "component": "is_obfuscated",
              "displayName": "",
              "shortName": "",
              "value": "false",
            },
          ],
          "cameIntoExistence": "1919-02-26",
          "ceasedToExist": "",
          "featureId": "ACAD",
          "geo": "{"type":"Point","coordinates":[-68.21,44.35]}",
          "layerId": "parks",
          "name": "Acadia",
          "point": "{"type":"Point","coordinates":[-68.21,44.35]}",
          "polygon": "",
        },
        "supportingValuesList": [],
        "value": {
          "category": "",
          "count": 4,
          "name": "trips",
          "number": 0,
          "unit": "",
        },
      }
    `);
    expect(appliedFilters.addressComponentFiltersList).toEqual([]);
  });

  test('of a page is a complete document, and all pages together have each value once', async () => {
    const pages: string[] = [];
    let pageToken = '';
    do {
      const { body, text } = await get(`&pageSize=3&pageToken=${pageToken}`);
      pages.push(...(await found(Promise.resolve({ ...(await get('')), text }))));
      expect(body.totalSize).toBe(4);
      pageToken = body.nextPageToken;
    } while (pageToken !== '');
    expect(pages).toEqual(ALL);
  });
});

/** Each query parameter, and the same in a body. */
const REQUESTS: readonly [
  parameters: string,
  body: Readonly<Record<string, unknown>>,
  values: readonly string[],
][] = [
  ['featureFilter=ACAD&featureFilter=x', { featureFilter: ['ACAD', 'x'] }, ALL.slice(0, 3)],
  ['featureFilter=x', { featureFilter: ['x'] }, []],
  ['pageSize=2', { pageSize: 2 }, ALL.slice(0, 2)],
  ['pageToken=', { pageToken: '' }, ALL],
  [
    'observationPeriodFilter=2024-01-01/2024-01-31',
    { observationPeriodFilter: { start: '2024-01-01', end: '2024-01-31' } },
    [ALL[0], ALL[1], ALL[3]].map(String),
  ],
  [
    'observationPeriodFilter=2024-02-01/',
    { observationPeriodFilter: { start: { year: 2024, month: 2, day: 1 } } },
    ALL.slice(2, 3),
  ],
  [
    'observationPeriodFilter=../2024-01-31',
    { observationPeriodFilter: { end: { year: 2024, month: 1, day: 31 } } },
    [ALL[0], ALL[1], ALL[3]].map(String),
  ],
  [
    'addressComponentFilter=state:23&addressComponentFilter=state:x',
    { addressComponentFilter: [{ component: 'state', values: ['23', 'x'] }] },
    ALL.slice(0, 3),
  ],
  [
    'addressComponentFilter=state:',
    { addressComponentFilter: [{ component: 'state', values: [''] }] },
    ALL.slice(3),
  ],
  [
    'addressComponentFilter=state:23&addressComponentFilter=is_obfuscated:true',
    {
      addressComponentFilter: [
        { component: 'state', values: ['23'] },
        { component: 'is_obfuscated', values: ['true'] },
      ],
    },
    [],
  ],
  [
    'dimensionFilter=age:young&dimensionFilter=age:x',
    { dimensionFilter: [{ dimensionId: 'age', values: ['young', 'x'] }] },
    ALL.slice(1, 2),
  ],
  [
    'valueFilter=visits%3E=0&valueFilter=share%3E=0.1',
    {
      valueFilter: [
        { valueName: 'visits', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 0 },
        {
          valueName: 'share',
          operator: 'VALUE_FILTER_OPERATOR_GREATER_THAN_OR_EQUAL_TO',
          numericValue: 0.1,
        },
      ],
    },
    ALL.slice(0, 2),
  ],
  [
    'valueFilter=visits>=1e0',
    { valueFilter: [{ valueName: 'visits', operator: 1, numericValue: 1 }] },
    ALL.slice(0, 1),
  ],
  ['invertSortOrder=true', { invertSortOrder: true }, ALL.toReversed()],
  ['invertSortOrder=false', { invertSortOrder: false }, ALL],
  ['bestEffortQueryWhenNotAllowed=true', { bestEffortQueryWhenNotAllowed: true }, ALL],
  ['asOf=2024-06-30', { asOf: '2024-06-30' }, ALL],
  ['countOnly=true', { countOnly: true }, []],
  ['skipGeo=true', { skipGeo: true }, ALL],
  [
    'addressComponentWhitelist=is_obfuscated&addressComponentWhitelist=state',
    { addressComponentWhitelist: ['is_obfuscated', 'state'] },
    ALL,
  ],
];

const RELATED: typeof REQUESTS = [
  ['relatedFeatureFilter=ACAD', { relatedFeatureFilter: ['ACAD'] }, TRIP_IDS.slice(1)],
  [
    'relatedAddressComponentFilter=state:23',
    { relatedAddressComponentFilter: [{ component: 'state', values: ['23'] }] },
    TRIP_IDS.slice(1),
  ],
];

const toSnakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const parametersInSnakeCase = (parameters: string) =>
  parameters
    .split('&')
    .map((parameter) => parameter.replace(/^[^=]+/, toSnakeCase))
    .join('&');
function bodyInSnakeCase(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(bodyInSnakeCase);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [toSnakeCase(name), bodyInSnakeCase(value)]),
  );
}

describe('the request', () => {
  test.each(REQUESTS)(
    '%s is read in both spellings, and in a body',
    async (parameters, body, values) => {
      const { text } = await get(`&${parameters}`);
      expect(await found(get(`&${parameters}`))).toEqual(values);
      expect((await get(`&${parametersInSnakeCase(parameters)}`)).text).toBe(text);
      expect((await ask(body)).text).toBe(text);
      const snake = bodyInSnakeCase({ billingContext: 'acme', ...body });
      expect((await search(snake)).text).toBe(text);
    },
  );

  test.each(RELATED)('%s is read in the same ways', async (parameters, body, values) => {
    const { text } = await get(`&${parameters}`, TRIPS);
    expect(await found(get(`&${parameters}`, TRIPS))).toEqual(values);
    expect((await get(`&${parametersInSnakeCase(parameters)}`, TRIPS)).text).toBe(text);
    expect((await ask(body, TRIPS)).text).toBe(text);
  });

  test('trackTotalHits is true, false or a number', async () => {
    const total = async (sent: Promise<Answer>) => (await sent).body.totalSize;
    expect(await total(get('&trackTotalHits=true'))).toBe(4);
    expect(await total(get('&trackTotalHits=false'))).toBe(0);
    expect(await total(get('&track_total_hits=3'))).toBe(3);
    expect(await total(ask({ trackTotalHitsBoolean: true }))).toBe(4);
    expect(await total(ask({ trackTotalHitsBoolean: false }))).toBe(0);
    expect(await total(ask({ track_total_hits_integer: 3 }))).toBe(3);
    expect(await total(ask({ trackTotalHitsInteger: 0 }))).toBe(0);
    expect(await total(get('&countOnly=true'))).toBe(4);
    expect(await total(get('&countOnly=true&trackTotalHits=false'))).toBe(4);
    expect((await get('&countOnly=true&trackTotalHits=2')).body).toMatchObject({ costRows: 4 });
    expect((await get('')).body).not.toHaveProperty('costRows');
  });

  test('a body may repeat the ids of the address, and have labels', async () => {
    const { text } = await get('');
    const given = { catalogId: 'park', metric_id: 'visits', requestTags: { source: 'test' } };
    expect((await ask(given)).text).toBe(text);
    expect(await refusal(ask({ metricId: 'trips' }))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /metricId
      metricId is 'trips' in the body and 'visits' in the URL.
      Leave it out of the body."
    `);
  });

  test('a page token of query parameters works in a body, and in the other spelling', async () => {
    const { body } = await get('&feature_filter=ACAD&pageSize=1');
    const { nextPageToken: pageToken } = body;
    expect(await found(ask({ featureFilter: ['ACAD'], pageToken }))).toEqual(ALL.slice(1, 3));
    expect(await found(get(`&featureFilter=ACAD&page_token=${pageToken}`))).toEqual(
      ALL.slice(1, 3),
    );
    expect(await refusal(get(`&pageToken=${pageToken}`))).toContain('INVALID_PAGE_TOKEN');
  });

  test('query parameters may have a hundred and one values of one component', async () => {
    const many = Array.from(
      { length: 101 },
      (_, index) => `&addressComponentFilter=state:${index}`,
    );
    expect(await found(get(many.join('')))).toEqual(ALL.slice(0, 3));
  });
});

describe('a request is refused', () => {
  test('without a billing context, or with a foreign one', async () => {
    expect(await refusal(send(VISITS))).toMatchInlineSnapshot(`
      "400 BILLING_CONTEXT_MISSING at /billingContext
      The billingContext is missing.
      Send the id of the organisation that the token was issued to."
    `);
    expect(await refusal(search({}))).toContain('400 BILLING_CONTEXT_MISSING at /billingContext');
    expect(await refusal(send(`${VISITS}?billingContext=globex`))).toMatchInlineSnapshot(`
      "403 BILLING_CONTEXT_DENIED
      The billing context 'globex' is not the organisation of the token.
      Send the id of the organisation that the token was issued to."
    `);
  });

  test('with an unknown parameter or field, naming the nearest', async () => {
    expect(await refusal(get('&fetureFilter=ACAD'))).toMatchInlineSnapshot(`
      "400 UNKNOWN_REQUEST_FIELD at /fetureFilter
      Unknown parameter 'fetureFilter' in the URL.
      Did you mean 'featureFilter'?"
    `);
    expect(await refusal(ask({ fetureFilter: ['ACAD'] }))).toMatchInlineSnapshot(`
      "400 UNKNOWN_REQUEST_FIELD at /fetureFilter
      Unknown field 'fetureFilter' in the request.
      Did you mean 'featureFilter'?"
    `);
    expect(await refusal(get('&feature_Filter=ACAD'))).toContain('UNKNOWN_REQUEST_FIELD');
    expect(await refusal(get('&trackTotalHitsBoolean=true'))).toContain('UNKNOWN_REQUEST_FIELD');
    expect(await refusal(ask({ trackTotalHits: true }))).toContain('UNKNOWN_REQUEST_FIELD');
    expect(await refusal(get('&__proto__=x'))).toContain('UNKNOWN_REQUEST_FIELD');
    expect(await refusal(get('&catalogId=park'))).toContain('UNKNOWN_REQUEST_FIELD');
  });

  test('with a repeated parameter that is not a list, or one in two spellings', async () => {
    expect(await refusal(get('&pageSize=1&pageSize=1'))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /pageSize
      The parameter 'pageSize' appears in the URL 2 times.
      Send it once."
    `);
    expect(await refusal(get('&billingContext=acme'))).toContain(
      '400 INVALID_REQUEST at /billingContext',
    );
    expect(await refusal(get('&pageSize=1&page_size=1'))).toMatchInlineSnapshot(`
      "400 DUPLICATE_REQUEST_FIELD at /page_size
      The parameter 'pageSize' appears in the URL in two spellings.
      Send it in one of them."
    `);
    expect(await refusal(get('&featureFilter=a&feature_filter=b'))).toContain(
      'DUPLICATE_REQUEST_FIELD',
    );
    expect(await refusal(ask({ pageSize: 1, page_size: 1 }))).toContain('DUPLICATE_REQUEST_FIELD');
  });

  test('with an address that is not valid text', async () => {
    for (const written of ['%ff', '%ED%A0%80', '%', '%4']) {
      expect(await refusal(get(`&featureFilter=${written}`))).toContain(
        'The URL is not percent-encoded UTF-8.',
      );
    }
  });

  test('with a number in a body that JSON may have rounded', async () => {
    const filter = { valueName: 'count', operator: 1, numericValue: 9007199254740992 };
    expect(await refusal(ask({ valueFilter: [filter] }))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /valueFilter/0/numericValue
      The JSON number 9007199254740992 is beyond 2^53, where JSON numbers are not exact.
      Send a smaller number, or send the request with GET, whose numbers are read from their text."
    `);
  });

  test('with too many labels, or an incomplete date', async () => {
    const requestTags = Object.fromEntries(Array.from({ length: 101 }, (_, tag) => [`${tag}`, '']));
    expect(await refusal(ask({ requestTags }))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /requestTags
      'requestTags' has more than 100 members.
      /openapi.json describes the request."
    `);
    expect(
      await refusal(ask({ observationPeriodFilter: { start: { year: 2023 } } })),
    ).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /observationPeriodFilter/start/month at /observationPeriodFilter/start/day
      In 'observationPeriodFilter.start' the field 'month' is missing.
      /openapi.json describes the request."
    `);
  });

  /** Sends a body as text, so that it can contain larger numbers than JSON.stringify writes. */
  const askRaw = (member: string) =>
    send(`${VISITS}:search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"billingContext": "acme", ${member}}`,
    });

  test.each(['10001', '99999999999', '1e30', '9'.repeat(400), '7.0', '-0'])(
    'the page size %s has the same answer in both forms',
    async (written) => {
      const { status, text } = await get(`&pageSize=${written}`);
      expect(status).toBe(200);
      expect((await askRaw(`"pageSize": ${written}`)).text).toBe(text);
    },
  );

  test.each([
    ['1.5', 'INVALID_REQUEST'],
    ['1e-3', 'INVALID_REQUEST'],
    ['-1', 'INVALID_PAGE_SIZE'],
    ['-1e30', 'INVALID_PAGE_SIZE'],
    [`-${'9'.repeat(400)}`, 'INVALID_PAGE_SIZE'],
  ])('the page size %s is refused in the same way in both forms', async (written, reason) => {
    for (const sent of [get(`&pageSize=${written}`), askRaw(`"pageSize": ${written}`)]) {
      expect(await refusal(sent)).toContain(`400 ${reason} at /pageSize`);
    }
  });

  test('a huge trackTotalHits counts all values in both forms', async () => {
    const many = '9'.repeat(30);
    expect((await get(`&trackTotalHits=${many}`)).body.totalSize).toBe(4);
    expect((await askRaw(`"trackTotalHitsInteger": ${many}`)).body.totalSize).toBe(4);
  });

  test.each(['%00', 'a%00b', '%EF%BF%BD%00'])(
    'a text with U+0000 in a filter is refused in both forms: %s',
    async (encoded) => {
      const text = decodeURIComponent(encoded);
      const filters = [
        [`featureFilter=ACAD&featureFilter=${encoded}`, { featureFilter: ['ACAD', text] }, '/1'],
        [
          `addressComponentFilter=state:${encoded}`,
          { addressComponentFilter: [{ component: 'state', values: [text] }] },
          '/0/values/0',
        ],
        [
          `dimensionFilter=age:${encoded}`,
          { dimensionFilter: [{ dimensionId: 'age', values: [text] }] },
          '/0/values/0',
        ],
      ] as const;
      for (const [parameter, body, place] of filters) {
        const pointer = `/${Object.keys(body)[0]}${place}`;
        const said = `400 INVALID_FILTER_VALUE at ${pointer}\nThe text contains U+0000 or a lone surrogate`;
        expect(await refusal(get(`&${parameter}`))).toContain(said);
        expect(await refusal(ask(body))).toContain(said);
      }
      const trips = [
        get(`&relatedFeatureFilter=${encoded}`, TRIPS),
        ask({ relatedFeatureFilter: [text] }, TRIPS),
      ];
      for (const sent of trips) {
        expect(await refusal(sent)).toContain(
          '400 INVALID_FILTER_VALUE at /relatedFeatureFilter/0',
        );
      }
    },
  );

  test.each([
    'billingContext',
    'pageToken',
    'asOf',
    'observationPeriodFilter',
    'addressComponentFilter',
    'dimensionFilter',
    'valueFilter',
    'trackTotalHits',
    'pageSize',
    'invertSortOrder',
  ])('no query parameter accepts U+0000: %s', async (name) => {
    const context = name === 'billingContext' ? '' : '&billingContext=acme';
    const { status } = await send(`${VISITS}?${name}=a%00${context}`);
    expect([400, 403]).toContain(status);
  });

  test('with a value of the wrong type', async () => {
    expect(await refusal(get('&pageSize=many'))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /pageSize
      'pageSize' must be a whole number; it is 'many'.
      /openapi.json describes the request."
    `);
    expect(await refusal(get('&pageSize='))).toContain('INVALID_REQUEST at /pageSize');
    expect(await refusal(get('&pageSize=1.5'))).toContain('INVALID_REQUEST at /pageSize');
    expect(await refusal(get('&invertSortOrder=1'))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /invertSortOrder
      'invertSortOrder' must be true or false; it is '1'.
      /openapi.json describes the request."
    `);
    expect(await refusal(get('&countOnly=TRUE'))).toContain('INVALID_REQUEST at /countOnly');
    expect(await refusal(get('&trackTotalHits=some'))).toMatchInlineSnapshot(`
      "400 INVALID_OPTION at /trackTotalHits
      'some' is neither true, nor false, nor a maximum to count.
      Send true, false, or a whole number of 0 or more."
    `);
    expect(await refusal(get('&trackTotalHits=-1'))).toContain('INVALID_OPTION at /trackTotalHits');
    expect(await refusal(ask({ featureFilter: 'ACAD' }))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /featureFilter
      'featureFilter' must be a list; it is "ACAD".
      /openapi.json describes the request."
    `);
    expect(await refusal(ask({ pageSize: '1' }))).toContain('INVALID_REQUEST at /pageSize');
    expect(await refusal(ask({ trackTotalHitsInteger: 1.5 }))).toContain(
      'INVALID_REQUEST at /trackTotalHitsInteger',
    );
    expect(await refusal(ask({ trackTotalHitsInteger: -1 }))).toMatchInlineSnapshot(`
      "400 INVALID_OPTION at /trackTotalHitsInteger
      trackTotalHitsInteger -1 is not a whole number of 0 or more.
      Send the maximum number of values to count."
    `);
    expect(
      await refusal(ask({ trackTotalHitsInteger: 1, trackTotalHitsBoolean: true })),
    ).toMatchInlineSnapshot(`
      "400 INVALID_OPTION at /trackTotalHitsInteger
      The request has both trackTotalHitsBoolean and trackTotalHitsInteger.
      Send one of them."
    `);
    expect(await refusal(search([]))).toContain('400 INVALID_REQUEST');
  });

  test('with an invalid pair or period', async () => {
    expect(await refusal(get('&addressComponentFilter=state'))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /addressComponentFilter/0
      'state' is not an id and a value separated by a colon.
      Write for example addressComponentFilter=us_state_2020:06."
    `);
    expect(await refusal(get('&dimensionFilter=age:x&dimensionFilter=:x'))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /dimensionFilter/1
      ':x' is not an id and a value separated by a colon.
      Write for example dimensionFilter=age:20-29."
    `);
    expect(await refusal(get('&relatedAddressComponentFilter=state'))).toContain(
      'INVALID_FILTER_VALUE at /relatedAddressComponentFilter/0',
    );
    expect(await refusal(get('&observationPeriodFilter=2024-01-01'))).toMatchInlineSnapshot(`
      "400 INVALID_PERIOD at /observationPeriodFilter
      '2024-01-01' is not two days separated by a slash.
      Write for example 2023-01-01/2023-12-31; one side can be empty."
    `);
    expect(await refusal(get('&observationPeriodFilter=2024-01-01/2024-02-30'))).toContain(
      'INVALID_PERIOD at /observationPeriodFilter/end',
    );
    expect(
      await refusal(ask({ observationPeriodFilter: { start: { year: 2023, month: 2, day: 29 } } })),
    ).toMatchInlineSnapshot(`
      "400 INVALID_PERIOD at /observationPeriodFilter/start
      '2023-02-29' is not a calendar date.
      Send a day that exists, such as 2023-01-31."
    `);
    expect(await refusal(ask({ observationPeriodFilter: { start: { year: 2023 } } }))).toContain(
      'INVALID_REQUEST at /observationPeriodFilter/start',
    );
  });

  test('with an invalid value filter', async () => {
    expect(await refusal(get('&valueFilter=visits>1'))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /valueFilter/0
      'visits>1' is not a name and a number with >= between them.
      Write for example valueFilter=person_count>=1000."
    `);
    expect(await refusal(get('&valueFilter=visits>=many'))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /valueFilter/0
      'many' is not a number.
      Write for example valueFilter=person_count>=1000."
    `);
    expect(await refusal(get('&valueFilter=visits>='))).toContain('is not a number.');
    expect(await refusal(get('&valueFilter=visits>=NaN'))).toContain('is not a number.');
    expect(await refusal(get('&valueFilter=visits>=9007199254740993'))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /valueFilter/0
      The number 9007199254740993 is beyond 2^53 and is not exact as a number.
      Send a smaller number, or one that a double represents exactly."
    `);
    expect(await found(get('&valueFilter=visits>=9007199254740992'))).toEqual(ALL.slice(0, 1));
    expect(await refusal(get('&valueFilter=visits>=1e400'))).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /valueFilter/0
      The number 1e400 is beyond the greatest possible number, 1.8e308.
      Write for example valueFilter=person_count>=1000."
    `);
    expect(await refusal(get(`&valueFilter=visits>=${'9'.repeat(400)}`))).toContain(
      '400 INVALID_FILTER_VALUE at /valueFilter/0',
    );
    expect(
      await refusal(ask({ valueFilter: [{ valueName: 'visits', numericValue: 1 }] })),
    ).toMatchInlineSnapshot(`
      "400 INVALID_FILTER_VALUE at /valueFilter/0/operator
      The filter on 'visits' has no operator.
      Send GREATER_THAN_OR_EQUAL_TO."
    `);
    expect(await refusal(ask({ valueFilter: [{ valueName: 'visits', operator: 2 }] }))).toContain(
      'INVALID_REQUEST at /valueFilter/0/operator',
    );
  });

  test('with pointers in the spelling of the caller', async () => {
    const filter = [{ component: 'sate', values: ['23'] }];
    expect(await refusal(ask({ address_component_filter: filter }))).toMatchInlineSnapshot(`
      "400 UNKNOWN_COMPONENT at /address_component_filter/0/component
      The layer 'parks' has no component 'sate'.
      Did you mean 'state'?"
    `);
    expect(await refusal(ask({ addressComponentFilter: filter }))).toContain(
      ' at /addressComponentFilter/0/component',
    );
    expect(await refusal(ask({ value_filter: [{ value_name: 'x', operator: 1 }] }))).toContain(
      ' at /value_filter/0/value_name',
    );
    expect(await refusal(get('&address_component_filter=sate:23'))).toContain(
      ' at /address_component_filter/0/component',
    );
    expect(await refusal(get('&page_size=x'))).toContain(' at /page_size');
  });

  test('with too many ids', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `id ${index}`);
    expect(await refusal(ask({ featureFilter: many }))).toMatchInlineSnapshot(`
      "400 INVALID_REQUEST at /featureFilter
      'featureFilter' has more than 10000 items.
      /openapi.json describes the request."
    `);
    expect((await ask({ featureFilter: many.slice(1) })).body.totalSize).toBe(0);
  });

  test('at the address of an unknown metric', async () => {
    expect(
      await refusal(get('', '/v1/catalogs/prak/metrics/visits/values')),
    ).toMatchInlineSnapshot(`
      "404 CATALOG_NOT_FOUND at /catalogId
      There is no catalog 'prak'.
      Did you mean 'park'?"
    `);
    expect(await refusal(get('', '/v1/catalogs/park/metrics/visit/values'))).toMatchInlineSnapshot(`
      "404 METRIC_NOT_FOUND at /metricId
      The catalog 'park' has no metric 'visit'.
      Did you mean 'visits'?"
    `);
    expect(await refusal(get('', '/v1/catalogs/park/metrics/%F0%9F%98%80/values'))).toContain(
      "The catalog 'park' has no metric '😀'.",
    );
  });

  test('with another method, media type or no token', async () => {
    expect(await refusal(send(VISITS, { method: 'POST' }))).toMatchInlineSnapshot(`
      "405 METHOD_NOT_ALLOWED
      /v1/catalogs/park/metrics/visits/values does not answer POST.
      Send GET or HEAD."
    `);
    expect(await refusal(send(`${VISITS}:search`))).toContain('405 METHOD_NOT_ALLOWED');
    expect(
      await refusal(
        send(`${VISITS}:search`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: '{}',
        }),
      ),
    ).toContain('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await refusal(send(VISITS, { headers: { authorization: '' } }))).toContain(
      '401 TOKEN_MISSING',
    );
    expect(await refusal(send(`${VISITS}:search?pageSize=1`, { method: 'POST' }))).toContain(
      'UNKNOWN_REQUEST_FIELD',
    );
  });

  test('at an address near one of the interface, with that one as a hint', async () => {
    expect(
      await refusal(get('', '/v1/catalogs/catalog/metrics/metric/value')),
    ).toMatchInlineSnapshot(`
      "404 ROUTE_NOT_FOUND
      There is nothing at /v1/catalogs/catalog/metrics/metric/value.
      Did you mean '/v1/catalogs/{catalogId}/metrics/{metricId}/values'?"
    `);
  });

  test('as a problem document', async () => {
    expect(await problemOf(get('&dimensionFilter=aeg:old'))).toMatchInlineSnapshot(`
      {
        "code": "INVALID_ARGUMENT",
        "detail": "The metric 'visits' has no dimension 'aeg'.",
        "errors": [
          {
            "detail": "The metric 'visits' has no dimension 'aeg'.",
            "pointer": "/dimensionFilter/0/dimensionId",
          },
        ],
        "hint": "Known: age.",
        "http": "400 application/problem+json; charset=utf-8",
        "instance": "/v1/catalogs/park/metrics/visits/values",
        "reason": "UNKNOWN_DIMENSION",
        "requestId": "request-1",
        "status": 400,
        "title": "Unknown dimension",
        "type": "urn:locmetrics:problem:UNKNOWN_DIMENSION",
        "x-request-id": "request-1",
      }
    `);
  });
});

describe('the sample', () => {
  const sample = useTestServer((data) => data.publishManifest(SAMPLE));
  const path = '/v1/catalogs/nps/metrics/foot_traffic_monthly/values?billingContext=acme';

  test('the 540 months of Acadia are in order', async () => {
    const { text, body } = await sample.send(`${path}&featureFilter=ACAD&pageSize=1000`);
    expect([body.totalSize, body.nextPageToken]).toEqual([540, '']);
    const months = JSON.parse(text).valuesList.map(
      ({
        observationPeriod: { start },
      }: {
        observationPeriod: { start: Record<string, number> };
      }) => Number(start['year']) * 12 + Number(start['month']) - 1,
    );
    expect(months).toEqual(Array.from({ length: 540 }, (_, index) => 1979 * 12 + index));
  });

  test.each([
    ['712190', 63],
    ['712110', 0],
  ])('the industry %s, a category, has %i parks', async (industry, parks) => {
    const filters = `addressComponentFilter=naics_2017:${industry}&observationPeriodFilter=2023-07-01/2023-07-31`;
    expect((await sample.send(`${path}&${filters}`)).body.totalSize).toBe(parks);
  });

  test('the value from the example of the specification is found', async () => {
    const { text } = await sample.send(
      `${path}&featureFilter=ACAD&observationPeriodFilter=2023-07-01/2023-07-31`,
    );
    const { valuesList, appliedFilters, totalSize } = JSON.parse(text);
    expect({ valuesList, appliedFilters, totalSize }).toMatchInlineSnapshot(`
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
            "ACAD",
          ],
          "periodFiltersList": [
            {
              "end": {
                "day": 31,
                "month": 7,
                "year": 2023,
              },
              "start": {
                "day": 1,
                "month": 7,
                "year": 2023,
              },
            },
          ],
          "relatedAddressComponentFiltersList": [],
          "relatedFeatureFiltersList": [],
          "valueFiltersList": [],
        },
        "totalSize": 1,
        "valuesList": [
          {
            "dimensionsList": [],
            "flagsList": [],
            "mapFeatureV2": {
              "addressComponentsList": [
                {
                  "component": "street_address",
                  "displayName": "",
                  "shortName": "",
                  "value": "25 Visitor Center Road",
                },
                {
                  "component": "city",
                  "displayName": "",
                  "shortName": "",
                  "value": "Bar Harbor",
                },
                {
                  "component": "us_state_2020",
                  "displayName": "Maine",
                  "shortName": "ME",
                  "value": "23",
                },
                {
                  "component": "us_county_2020",
                  "displayName": "Hancock",
                  "shortName": "",
                  "value": "23009",
                },
                {
                  "component": "us_cbsa_2023",
                  "displayName": "",
                  "shortName": "",
                  "value": "",
                },
                {
                  "component": "naics_2017",
                  "displayName": "Nature Parks and Other Similar Institutions",
                  "shortName": "",
                  "value": "712190",
                },
                {
                  "component": "h3",
                  "displayName": "",
                  "shortName": "",
                  "value": "8a2b1ab6d8cffff",
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
              "featureId": "ACAD",
              "geo": "{"type":"Point","coordinates":[-68.247501,44.409286]}",
              "layerId": "nps_parks",
              "name": "Acadia National Park",
              "point": "{"type":"Point","coordinates":[-68.247501,44.409286]}",
              "polygon": "",
            },
            "metricId": "foot_traffic_monthly",
            "observationPeriod": {
              "end": {
                "day": 31,
                "month": 7,
                "year": 2023,
              },
              "start": {
                "day": 1,
                "month": 7,
                "year": 2023,
              },
            },
            "supportingValuesList": [
              {
                "category": "",
                "count": 7500,
                "name": "non_recreation_visits",
                "number": 0,
                "unit": "People",
              },
              {
                "category": "",
                "count": 30431,
                "name": "tent_campers",
                "number": 0,
                "unit": "People",
              },
              {
                "category": "",
                "count": 12119,
                "name": "rv_campers",
                "number": 0,
                "unit": "People",
              },
              {
                "category": "",
                "count": 408,
                "name": "backcountry_campers",
                "number": 0,
                "unit": "People",
              },
            ],
            "value": {
              "category": "",
              "count": 767956,
              "name": "person_count",
              "number": 0,
              "unit": "People",
            },
          },
        ],
      }
    `);
  });
});
