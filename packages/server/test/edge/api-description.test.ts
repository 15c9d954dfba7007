import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { post, send, url } = useTestServer((data) => data.publishFiles(SHOPS));

const NO_TOKEN = { headers: { authorization: '' } };

type Operation = {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Content>>;
};
type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema };
type Content = { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
type Schema = { readonly properties: Readonly<Record<string, unknown>> };

async function description(): Promise<{
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}> {
  return JSON.parse((await send('/openapi.json', NO_TOKEN)).text);
}

async function operations(): Promise<readonly Operation[]> {
  return Object.values((await description()).paths).flatMap((methods) => Object.values(methods));
}

function schemaOf(body: Content | undefined): Schema {
  return body?.content['application/json']?.schema ?? { properties: {} };
}

/** Every object inside a JSON value, itself among them. */
function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [{ ...value }, ...inside];
}

test('the document is OpenAPI 3.1 with a title, a version and a scheme of security', async () => {
  const { paths, ...rest } = await description();
  expect(Object.keys(paths)).toHaveLength(16);
  expect(rest).toMatchInlineSnapshot(`
    {
      "components": {
        "schemas": {},
        "securitySchemes": {
          "token": {
            "description": "A token made by \`locmetrics token create\`.",
            "scheme": "bearer",
            "type": "http",
          },
        },
      },
      "info": {
        "description": "Location metrics on demand: datasets of places, areas and measures, their records and the distinct values of their fields. Every call carries \`Authorization: Bearer <token>\`.",
        "license": {
          "identifier": "Apache-2.0",
          "name": "Apache-2.0",
        },
        "title": "Locmetrics",
        "version": "0.0.0",
      },
      "openapi": "3.1.0",
      "security": [
        {
          "token": [],
        },
      ],
      "tags": [
        {
          "description": "Datasets, records and distinct values.",
          "name": "catalog",
        },
        {
          "description": "Time series of the values of a metric.",
          "name": "metrics",
        },
        {
          "description": "What was used, for bills and budgets.",
          "name": "usage",
        },
        {
          "description": "Organisations, tokens, grants, limits and the audit log, for tokens of the scope \`admin\`.",
          "name": "admin",
        },
      ],
    }
  `);
});

test('every operation has an id of its own and says its answer and its problem', async () => {
  const described = (await operations()).map(({ operationId, responses }) => [
    operationId,
    ...Object.entries(responses).map(
      ([status, { content }]) => `${status} ${Object.keys(content)}`,
    ),
  ]);
  expect(described).toMatchInlineSnapshot(`
    [
      [
        "listDataReferences",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "getDataReference",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "listRecords",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "searchFieldValues",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "searchMetricValues",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "searchMetricValuesByBody",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "readUsage",
        "200 application/json,text/csv",
        "default application/problem+json",
      ],
      [
        "readUsageOfAll",
        "200 application/json,text/csv",
        "default application/problem+json",
      ],
      [
        "listOrganisations",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "createOrganisation",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "listTokens",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "createToken",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "rotateToken",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "revokeToken",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "listGrants",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "addGrant",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "removeGrant",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "getLimits",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "setLimits",
        "200 application/json",
        "default application/problem+json",
      ],
      [
        "listAudit",
        "200 application/json",
        "default application/problem+json",
      ],
    ]
  `);
});

test('every reference in the document leads somewhere in it', async () => {
  const document = await description();
  const references = objectsIn(document).flatMap(({ $ref }) =>
    typeof $ref === 'string' ? [$ref] : [],
  );
  const lost = references.filter((reference) => {
    const keys = reference.split('/').slice(1);
    return keys.reduce<unknown>((at, key) => Object(at)[key], document) === undefined;
  });
  expect(lost).toEqual([]);
});

test('every schema is one of JSON Schema 2020-12', async () => {
  const schemas = (await operations()).flatMap(({ requestBody, responses, parameters = [] }) => [
    ...parameters.map(({ schema }) => schema),
    ...[...(requestBody === undefined ? [] : [requestBody]), ...Object.values(responses)].flatMap(
      ({ content }) => Object.values(content).map(({ schema }) => schema),
    ),
  ]);
  // The bodies, answers and problems of six operations, one of which has 15 parameters instead of a
  // body, and two parameters in the address of two; and of the twelve of the admin interface; of the two of
  // usage with 6 and 7 parameters, CSV too.
  expect(schemas).toHaveLength(5 + 6 + 6 + 15 + 4 + (6 + 12 + 12 + 11) + (2 + 2 + 2) + (6 + 7));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(schemas.map((schema) => ajv.validateSchema(schema))).toEqual(schemas.map(() => true));
});

test('the requests name every field of the wire', async () => {
  const fields = (await operations()).map(({ operationId, requestBody, parameters = [] }) => [
    operationId,
    [
      ...Object.keys(schemaOf(requestBody).properties),
      ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    ]
      .sort()
      .join(' '),
  ]);
  expect(Object.fromEntries(fields)).toEqual({
    listDataReferences: 'billingContext',
    getDataReference: 'billingContext dataReferenceName name',
    listRecords:
      'asOf billingContext countOnly dataReferenceName fields filters options pageSize pageToken trimToPeriodOfExistence typedValues',
    searchFieldValues:
      'asOf billingContext countOnly dataReferenceName field filters options pageSize pageToken term trimToPeriodOfExistence',
    searchMetricValues:
      'addressComponentFilter asOf bestEffortQueryWhenNotAllowed billingContext countOnly dimensionFilter featureFilter invertSortOrder observationPeriodFilter pageSize pageToken relatedAddressComponentFilter relatedFeatureFilter trackTotalHits valueFilter',
    readUsage: 'format from groupBy pageSize pageToken to',
    readUsageOfAll: 'format from groupBy organisationId pageSize pageToken to',
    searchMetricValuesByBody:
      'addressComponentFilter asOf bestEffortQueryWhenNotAllowed billingContext catalogId countOnly dimensionFilter featureFilter invertSortOrder metricId observationPeriodFilter pageSize pageToken relatedAddressComponentFilter relatedFeatureFilter requestTags trackTotalHitsBoolean trackTotalHitsInteger valueFilter',
    listOrganisations: '',
    createOrganisation: 'id name',
    listTokens: 'organisationId',
    createToken: 'expiresAfter name organisationId scopes',
    rotateToken: 'overlap',
    revokeToken: '',
    listGrants: 'organisationId',
    addGrant:
      'addressComponentFilter dimensionFilter featureFilter fields filters from liftsDefaultFilters observationPeriodFilter organisationId pattern relatedAddressComponentFilter relatedFeatureFilter showsSmallCells until',
    removeGrant: '',
    getLimits: '',
    setLimits: 'burst concurrentQueries requestsPerSecond rowsPerDay rowsPerMonth',
    listAudit: 'organisationId pageSize pageToken since',
  });
});

test('the options, filters and box inside them name every field of the wire', async () => {
  const names = new Set(
    (await operations()).flatMap(({ requestBody }) =>
      objectsIn(requestBody).flatMap(({ properties }) => Object.keys(Object(properties))),
    ),
  );
  expect(
    [
      'boundingBox',
      'orderBy',
      'minLng',
      'minLat',
      'maxLng',
      'maxLat',
      'fieldName',
      'direction',
      'operator',
      'value',
      'values',
      'name',
      'source',
    ].filter((name) => !names.has(name)),
  ).toEqual([]);
});

test.each([
  ['listDataReferences', {}],
  ['getDataReference', { name: 'shop.stores' }],
  ['listRecords', { dataReferenceName: 'shop.stores' }],
  ['listRecords', { dataReferenceName: 'shop.stores', typedValues: true }],
  ['searchFieldValues', { dataReferenceName: 'shop.stores', field: 'city' }],
  ['searchFieldValues', { dataReferenceName: 'shop.stores', field: 'city', countOnly: true }],
])('the answer of %s to %j is as described, with no other member', async (call, request) => {
  const operation = (await operations()).find(({ operationId }) => operationId === call);
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    schemaOf(operation?.responses['200'] ?? { content: {} }),
  );
  expect(validate(JSON.parse((await post(call, request)).text))).toBe(true);
  expect(validate({ other: 1 })).toBe(false);
});

test('a problem is as described', async () => {
  const [operation] = await operations();
  const validate = new Ajv2020({ strict: false }).compile(
    operation?.responses['default']?.content['application/problem+json']?.schema ?? false,
  );
  expect(validate(JSON.parse((await post('listRecords', {})).text))).toBe(true);
});

test('the page of the documentation and what it loads come from here, without a token', async () => {
  const page = await fetch(`${url()}/docs`);
  const html = await page.text();
  const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset = '']) => asset);
  const loaded = await Promise.all(assets.map((asset) => fetch(new URL(asset, page.url))));
  expect(assets.length).toBeGreaterThan(4);
  expect(loaded.map(({ status }) => status)).toEqual(assets.map(() => 200));
  expect(loaded.map((answer) => new URL(answer.url).origin)).toEqual(assets.map(() => url()));
  await Promise.all(loaded.map((answer) => answer.arrayBuffer()));
});

test('the page names no other host and may load from none', async () => {
  const page = await fetch(`${url()}/docs/`);
  const initializer = await fetch(`${url()}/docs/static/swagger-initializer.js`);
  expect(await page.text()).not.toMatch(/https?:\/\//);
  const script = await initializer.text();
  expect(script).toContain("url: resolveUrl('./json')");
  expect(script).toContain('validatorUrl: null');
  expect(page.headers.get('content-security-policy')).toMatch(/(^|;)\s*default-src '(self|none)'/);
  expect(page.headers.get('content-security-policy')).not.toMatch(/https?:|\*/);
});

test('the page reads the same document', async () => {
  expect(JSON.parse((await send('/docs/json', NO_TOKEN)).text)).toEqual(await description());
});
