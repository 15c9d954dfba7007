import {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type OperatorDefinition,
} from '@locmetrics/core/domain/filter';
import fc from 'fast-check';

/** A request over one of the edges. Its pages are followed. */
export type Asked =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: object | string;
      /** Whether the token of the admin is sent. */
      readonly isAdmin?: boolean;
    }
  | { readonly kind: 'grpc'; readonly call: string; readonly request: object };

const few = <Item>(item: fc.Arbitrary<Item>, minLength = 0) =>
  fc.array(item, { minLength, maxLength: 3 });
/** None or one. */
const one = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 1 });
/** Each member in half of the cases. */
const some = <Shape extends object>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
  fc.record(shape, { requiredKeys: [] });
/** Nearly always right, sometimes not. */
const mostly = <Right, Wrong = Right>(right: fc.Arbitrary<Right>, wrong: fc.Arbitrary<Wrong>) =>
  fc.oneof<fc.MaybeWeightedArbitrary<Right | Wrong>[]>(
    { weight: 12, arbitrary: right },
    { weight: 1, arbitrary: wrong },
  );

const pageSize = mostly(
  fc.constantFrom<unknown>(1, 2, 3, 100, 0),
  fc.constantFrom<unknown>(-1, 20_000, '2', 1.5),
);
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'shop.stores': ['store_id', 'city', 'count', 'rating', 'is_open', 'opened', 'latitude'],
  'shop.codes': ['code', 'label'],
  'park.parks': ['id', 'name', 'state', 'is_obfuscated', 'opened', 'longitude'],
  'park.visits': ['month', 'park', 'age', 'visits', 'share', 'weather', 'is_estimate'],
  'park.trips': ['from', 'to', 'trips'],
};
const dataset = mostly(
  fc.constantFrom(...Object.keys(FIELDS)),
  fc.constantFrom('shop.store', 'stores', ''),
);
const fieldOf = (name: string) =>
  mostly(fc.constantFrom(...(FIELDS[name] ?? ['id'])), fc.constantFrom('citty', ''));
const operatorsThatTake = (takes: OperatorDefinition['takes']) =>
  FILTER_OPERATOR_NAMES.filter((name) => FILTER_OPERATORS[name].takes === takes);
/** Values that fit some type of field, so that most filters fit one. */
const value = fc.constantFrom<unknown>('zug', 'Zürich', 'old', '0', '4.5', 'true', '2024-01-01', 7);
const clauseOf = (field: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({
      fieldName: field,
      operator: mostly(
        fc.constantFrom<string>(...operatorsThatTake('one')),
        fc.constantFrom('like', 'equals'),
      ),
      value,
    }),
    fc.record({
      fieldName: field,
      operator: fc.constantFrom(...operatorsThatTake('list'), 'not in'),
      values: few(value, 1),
    }),
    fc.record({ fieldName: field, operator: fc.constantFrom(...operatorsThatTake('none')) }),
    fc.record({ fieldName: field, operator: fc.constantFrom(...operatorsThatTake('none')) }),
  );
const box = mostly<object>(
  fc.constantFrom(
    { minLng: 8, minLat: 46, maxLng: 9, maxLat: 48 },
    { minLng: 170, minLat: -90, maxLng: -60, maxLat: 90 },
  ),
  fc.constant({ minLng: 8, minLat: 46 }),
);
const optionsOf = (field: fc.Arbitrary<string>) =>
  some({
    orderBy: fc.record({
      fieldName: field,
      direction: fc.constantFrom<unknown>('ASC', 'DESC', 2),
    }),
    boundingBox: box,
    trimToPeriodOfExistence: mostly(fc.constantFrom<unknown>('TRIM', 'IGNORE', 0), fc.constant(7)),
  });
const asOf = mostly(fc.constant('2099-01-01'), fc.constantFrom('2001-01-01', 'yesterday'));
const rowsOf = (field: fc.Arbitrary<string>) => ({
  filters: fc.array(clauseOf(field), { maxLength: 1 }),
  options: optionsOf(field),
  pageSize,
  countOnly: fc.boolean(),
  asOf,
  billingContext: mostly(fc.constantFrom('', 'OWN'), fc.constant('nobody')),
});
/** Each of the two spellings in some requests, both in a few. */
const spelled = (body: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(body, fc.constantFrom('camel', 'camel', 'snake', 'mixed')).map(([given, spelling]) => {
    if (spelling === 'camel') return given;
    let changed = 0;
    return JSON.parse(JSON.stringify(given), function reviver(_, inner: unknown) {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      return Object.fromEntries(
        Object.entries(inner).map(([name, one]) => {
          changed += 1;
          const isSnake = spelling === 'snake' || changed % 2 === 0;
          return [isSnake ? name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`) : name, one];
        }),
      );
    });
  });

const records = dataset.chain((dataReferenceName) => {
  const field = fieldOf(dataReferenceName);
  return some({
    ...rowsOf(field),
    fields: few(fc.record({ name: field })),
    typedValues: fc.boolean(),
  }).map((given) => ({ dataReferenceName, ...given }));
});
const distinct = dataset.chain((dataReferenceName) => {
  const field = fieldOf(dataReferenceName);
  return fc
    .tuple(
      fc.record({ name: field }),
      some({ ...rowsOf(field), term: fc.constantFrom('', 'z', 'a') }),
    )
    .map(([one, given]) => ({ dataReferenceName, field: one, ...given }));
});
const metric = mostly(
  fc.constantFrom(
    { catalogId: 'park', metricId: 'visits' },
    { catalogId: 'park', metricId: 'trips' },
    { catalogId: 'shop', metricId: 'customers' },
  ),
  fc.constantFrom(
    { catalogId: 'shop', metricId: 'customer' },
    { catalogId: 'none', metricId: 'visits' },
  ),
);
const component = mostly(
  fc.constantFrom('state', 'is_obfuscated'),
  fc.constantFrom('city', 'is_open', 'note', 'stat'),
);
const componentFilter = one(
  fc.record({ component, values: few(fc.constantFrom('23', 'true', 'false', 'zug', ''), 1) }),
);
const feature = fc.constantFrom('ACAD', 'zürich', 'hidden', 'S1', 'S2', 'none');
const measures = {
  featureFilter: few(feature),
  addressComponentFilter: componentFilter,
  observationPeriodFilter: mostly<object>(
    fc.constantFrom(
      { start: { year: 2024, month: 1, day: 1 }, end: { year: 2024, month: 1, day: 31 } },
      {},
    ),
    fc.constant({ start: { year: 2024, month: 2, day: 30 } }),
  ),
  dimensionFilter: one(
    fc.record({
      dimensionId: mostly(fc.constant('age'), fc.constantFrom('open', 'ages')),
      values: few(fc.constantFrom('old', 'young', 'true'), 1),
    }),
  ),
  relatedFeatureFilter: mostly(fc.constant([]), few(feature)),
  relatedAddressComponentFilter: mostly(fc.constant([]), componentFilter),
  valueFilter: one(
    fc.record({
      valueName: mostly(fc.constantFrom('visits', 'share'), fc.constantFrom('customers', 'visit')),
      operator: mostly(fc.constant(1), fc.constant(0)),
      numericValue: fc.constantFrom(0, 2.5),
    }),
  ),
  invertSortOrder: fc.boolean(),
  pageSize,
  asOf,
  countOnly: fc.boolean(),
  bestEffortQueryWhenNotAllowed: fc.boolean(),
};
/** `OWN` is replaced by the organisation of the caller. */
const billingContext = mostly(fc.constant('OWN'), fc.constantFrom('', 'nobody'));
const values = fc
  .tuple(metric, some(measures), billingContext)
  .map(([name, given, context]) => ({ ...name, ...given, billingContext: context }));
const parameters = few(
  mostly(
    fc.constantFrom(
      'featureFilter=ACAD',
      'featureFilter=none',
      'addressComponentFilter=state:23',
      'address_component_filter=is_obfuscated:true',
      'dimensionFilter=age:old',
      'observationPeriodFilter=2024-01-01/2024-01-31',
      'valueFilter=visits%3E%3D1',
      'invertSortOrder=true',
      'trackTotalHits=false',
      'trackTotalHits=1',
      'pageSize=1',
      'countOnly=true',
      'bestEffortQueryWhenNotAllowed=true',
    ),
    fc.constantFrom(
      'addressComponentFilter=state',
      'observationPeriodFilter=2024-02-30/',
      'valueFilter=visits%3C1',
      'pageSize=-1',
      'asOf=2001-01-01',
      'pagesize=1',
    ),
  ),
);

const headers = mostly<Record<string, string>>(
  fc.constant({}),
  fc.constantFrom<Record<string, string>>(
    { authorization: '' },
    { authorization: 'Bearer nothing' },
    { 'content-type': 'text/plain' },
    { accept: 'text/html' },
    { 'accept-encoding': 'gzip' },
    { 'if-none-match': '*' },
    { origin: 'https://maps.example' },
  ),
);
const http = (
  method: string,
  path: fc.Arbitrary<string>,
  body: fc.Arbitrary<object | string> | undefined = undefined,
): fc.Arbitrary<Asked> =>
  fc.tuple(path, headers, body ?? fc.constant(undefined)).map(([given, sent, content]) => ({
    kind: 'http',
    method,
    path: given,
    headers: sent,
    ...(content === undefined ? {} : { body: content }),
  }));
const post = (operation: string, body: fc.Arbitrary<object>): fc.Arbitrary<Asked> =>
  http(
    'POST',
    fc.constant(`/v3/catalog/${operation}`),
    mostly<object | string>(
      spelled(body),
      fc.constantFrom('{', 'null', '[]', '{"pagesize": 1}', ''),
    ),
  );
const admin = (path: string): fc.Arbitrary<Asked> =>
  fc.constant({
    kind: 'http',
    method: 'GET',
    path: `/v1/admin/${path}`,
    headers: {},
    isAdmin: true,
  });
const grpc = (call: string, request: fc.Arbitrary<object>): fc.Arbitrary<Asked> =>
  request.map((given) => ({ kind: 'grpc', call, request: given }));
const NUMBERS: Readonly<Record<string, number>> = { ASC: 1, DESC: 2, TRIM: 1, IGNORE: 2 };
/** Messages have numbers where JSON has names, and no number where a text is expected. */
const toMessage = (body: object): object =>
  JSON.parse(
    JSON.stringify(body, (_, inner: unknown) =>
      typeof inner === 'string' ? (NUMBERS[inner] ?? inner) : inner,
    ),
    (name, inner: unknown) => {
      if (name === 'pageSize') return Number.isInteger(inner) ? inner : undefined;
      if (name === 'value' || /^[0-9]+$/.test(name)) {
        return typeof inner === 'number' ? String(inner) : inner;
      }
      return inner;
    },
  );

const layer = mostly(
  fc.constantFrom(
    { catalogId: 'park', layerId: 'parks' },
    { catalogId: 'shop', layerId: 'stores' },
  ),
  fc.constantFrom(
    { catalogId: 'park', layerId: 'stores' },
    { catalogId: 'none', layerId: 'parks' },
  ),
);
const catalogId = mostly(fc.constantFrom('park', 'shop'), fc.constantFrom('none', ''));
const query = fc.constantFrom('', 'z', 'A', 'ACAD', 'Maine', 'zug');
const paging = { pageSize: fc.constantFrom(1, 2, 100), asOf };

/** A request of any operation over one of the edges; many are wrong in some way. */
export const randomRequest: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 4, arbitrary: post('listRecords', records) },
  { weight: 3, arbitrary: post('searchFieldValues', distinct) },
  post('getDataReference', some({ name: dataset, dataReferenceName: dataset, asOf })),
  post('listDataReferences', some({ pageSize, asOf })),
  {
    weight: 4,
    arbitrary: http(
      'GET',
      fc
        .tuple(metric, parameters, billingContext)
        .map(
          ([{ catalogId, metricId }, given, context]) =>
            `/v1/catalogs/${catalogId}/metrics/${metricId}/values?${[`billingContext=${context}`, ...given].join('&')}`,
        ),
    ),
  },
  {
    weight: 3,
    arbitrary: values.chain(({ catalogId, metricId, ...body }) =>
      http(
        'POST',
        fc.constant(`/v1/catalogs/${catalogId}/metrics/${metricId}/values:search`),
        spelled(fc.constant(body)),
      ),
    ),
  },
  http(
    'GET',
    fc.constantFrom('/livez', '/nothing', '/v1/usage?from=yesterday', '/v3/catalog/listRecords'),
  ),
  http('DELETE', fc.constantFrom('/v3/catalog/listRecords', '/v1/admin/grants/none')),
  admin('organisations'),
  admin('organisations/granted-1/limits'),
  admin('grants?organisationId=granted-2'),
  admin('tokens?organisationId=nobody'),
  { weight: 2, arbitrary: grpc('v3.listRecords', records.map(toMessage)) },
  { weight: 2, arbitrary: grpc('v3.searchFieldValues', distinct.map(toMessage)) },
  grpc('v3.getDataReference', fc.record({ dataReferenceName: dataset })),
  grpc('v3.listDataReferences', fc.constant({})),
  { weight: 4, arbitrary: grpc('searchMetricValues', values.map(toMessage)) },
  {
    weight: 3,
    arbitrary: grpc(
      'searchLayerFeatures',
      fc
        .tuple(
          layer,
          some({
            featureFilter: few(feature),
            addressComponentFilter: componentFilter,
            query,
            ...paging,
          }),
        )
        .map(([named, given]) => ({ ...named, ...given })),
    ),
  },
  {
    weight: 2,
    arbitrary: grpc(
      'searchAddressComponentValues',
      fc.record(
        { catalogId, component, query, ...paging },
        { requiredKeys: ['catalogId', 'component'] },
      ),
    ),
  },
  grpc(
    'searchDimensionValues',
    fc.record(
      { catalogId, dimensionId: fc.constantFrom('age', 'open'), ...paging },
      { requiredKeys: ['catalogId', 'dimensionId'] },
    ),
  ),
  grpc(
    'searchMetricReport',
    fc
      .tuple(metric, billingContext)
      .map(([name, context]) => ({ ...name, billingContext: context })),
  ),
  grpc('listCatalogs', some(paging)),
  grpc('listMetrics', fc.record({ catalogId, ...paging }, { requiredKeys: ['catalogId'] })),
  grpc('getMetric', metric),
  grpc('getLayer', layer),
  grpc(
    'queryLayer',
    fc
      .tuple(layer, componentFilter)
      .map(([named, filter]) => ({ ...named, addressComponentFilter: filter })),
  ),
  grpc('listAddressComponents', some({ pageSize: fc.constantFrom(1, 100) })),
);
