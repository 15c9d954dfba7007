import { fileURLToPath } from 'node:url';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { SearchMetricValuesResponseSchema } from '@locmetrics/contract';
import { catalogV1, type mapsV1, metricV1 } from '@locmetrics/contract/grpc';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { grpcWords, problemWords } from './refusal-words.ts';
import { ORGANISATION_ID } from './test-data.ts';
import { useTestServer } from './test-server.ts';

/**
 * A request for metric values has the same answer in each form. Each request is sent as query parameters, as
 * a body and over gRPC. The answers are compared value by value; numbers are rounded to a float, as in gRPC.
 */
const MANIFEST = fileURLToPath(new URL('../fixtures/trips/locmetrics.yaml', import.meta.url));
const { ask, refusal, send } = useTestServer((to) => to.publishManifest(MANIFEST));
const { searchMetricValues } = catalogV1.QueryService.method;
const PATH = '/v1/catalogs/trips/metrics/trips_daily/values';

type Request = MessageInitShape<typeof catalogV1.SearchMetricValuesRequestSchema>;
type Asked = {
  /** The query parameters. */
  readonly query: string;
  /** The members of the body. Without `message`, they are also those of the message. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly message?: Request;
};

const isAsDescribed = new Ajv2020({ strict: false }).compile(SearchMetricValuesResponseSchema);

const day = (year: number, month: number, dayOfMonth: number) => ({ year, month, day: dayOfMonth });
const JANUARY_1 = { start: day(2024, 1, 1), end: day(2024, 1, 1) };

const ASKED: Readonly<Record<string, Asked>> = {
  'all values': { query: '', body: {} },
  'the values of a feature': {
    query: 'featureFilter=ZH',
    body: { featureFilter: ['ZH'] },
  },
  'the values of two features, one unknown': {
    query: 'feature_filter=ge&feature_filter=GE',
    body: { featureFilter: ['ge', 'GE'] },
  },
  'a period': {
    query: 'observationPeriodFilter=2024-01-01/2024-01-01',
    body: { observationPeriodFilter: JANUARY_1 },
  },
  'a period with an open side': {
    query: 'observationPeriodFilter=2024-01-02/',
    body: { observationPeriodFilter: { start: day(2024, 1, 2) } },
  },
  'a period as text': {
    query: 'observationPeriodFilter=../2023-12-31',
    body: { observationPeriodFilter: { end: '2023-12-31' } },
    message: { observationPeriodFilter: { end: day(2023, 12, 31) } },
  },
  'a component with two values': {
    query: 'addressComponentFilter=canton:ZH&addressComponentFilter=canton:GE',
    body: { addressComponentFilter: [{ component: 'canton', values: ['ZH', 'GE'] }] },
  },
  'an empty component': {
    query: 'addressComponentFilter=canton:',
    body: { addressComponentFilter: [{ component: 'canton', values: [''] }] },
  },
  'a default beside a filter of the request': {
    query: 'addressComponentFilter=is_obfuscated:true',
    body: { addressComponentFilter: [{ component: 'is_obfuscated', values: ['true'] }] },
  },
  'a related component': {
    query: 'relatedAddressComponentFilter=canton:GE',
    body: { relatedAddressComponentFilter: [{ component: 'canton', values: ['GE'] }] },
  },
  'related features': {
    query: 'relatedFeatureFilter=BE&relatedFeatureFilter=ge',
    body: { relatedFeatureFilter: ['BE', 'ge'] },
  },
  'a dimension': {
    query: 'dimensionFilter=purpose:leisure',
    body: { dimensionFilter: [{ dimensionId: 'purpose', values: ['leisure'] }] },
  },
  'a count that is not less': {
    query: 'valueFilter=trip_count%3E%3D5',
    body: {
      valueFilter: [
        { valueName: 'trip_count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 5 },
      ],
    },
    message: {
      valueFilter: [{ valueName: 'trip_count', operator: 1, numericValue: 5 }],
    },
  },
  'a decimal that no float holds exactly': {
    query: 'valueFilter=median_minutes%3E%3D8.331',
    body: { valueFilter: [{ valueName: 'median_minutes', operator: 1, numericValue: 8.331 }] },
  },
  'the order reversed': {
    query: 'invertSortOrder=true&pageSize=3',
    body: { invertSortOrder: true, pageSize: 3 },
  },
  'one component of the features, without points': {
    query: 'addressComponentWhitelist=canton&skipGeo=true',
    body: { addressComponentWhitelist: ['canton'], skipGeo: true },
  },
  'no component of the features': {
    query: 'addressComponentWhitelist=',
    body: { addressComponentWhitelist: [''] },
  },
  'only the count': { query: 'countOnly=true', body: { countOnly: true } },
  'a count up to a number': {
    query: 'trackTotalHits=2',
    body: { trackTotalHitsInteger: 2 },
    message: { trackTotalHits: { case: 'trackTotalHitsInteger', value: 2n } },
  },
  'no count': {
    query: 'trackTotalHits=false',
    body: { trackTotalHitsBoolean: false },
    message: { trackTotalHits: { case: 'trackTotalHitsBoolean', value: false } },
  },
  'what was current on a day to come': {
    query: 'asOf=9999-12-31',
    body: { asOf: '9999-12-31' },
  },
  'the best that may be seen': {
    query: 'bestEffortQueryWhenNotAllowed=true',
    body: { bestEffortQueryWhenNotAllowed: true },
  },
};

test.each(Object.keys(ASKED))(
  '%s: the same as query parameters, as a body and over gRPC',
  async (name) => {
    const { query, body, message } = ASKED[name] ?? { query: '', body: {} };
    const billingContext = ORGANISATION_ID;
    const ids = { catalogId: 'trips', metricId: 'trips_daily', billingContext };
    const byAddress = await send(`${PATH}?billingContext=${billingContext}&${query}`);
    const byBody = await post({ ...body, billingContext });
    const byGrpc = await ask(searchMetricValues, { ...(message ?? body), ...ids });
    expect(byAddress.status).toBe(200);
    expect(isAsDescribed(JSON.parse(byAddress.text))).toBe(true);
    expect(byBody.text).toBe(byAddress.text);
    expect(toJson(byGrpc.message)).toEqual(rounded(JSON.parse(byAddress.text, exactCounts)));
  },
);

const REFUSED: Readonly<Record<string, Asked>> = {
  'an unknown component': {
    query: 'addressComponentFilter=kanton:ZH',
    body: { addressComponentFilter: [{ component: 'kanton', values: ['ZH'] }] },
  },
  'an unknown dimension': {
    query: 'dimensionFilter=purpos:work',
    body: { dimensionFilter: [{ dimensionId: 'purpos', values: ['work'] }] },
  },
  'an unknown measure': {
    query: 'valueFilter=trips%3E%3D1',
    body: { valueFilter: [{ valueName: 'trips', operator: 1, numericValue: 1 }] },
  },
  'a category that is compared': {
    query: 'valueFilter=main_mode%3E%3D1',
    body: { valueFilter: [{ valueName: 'main_mode', operator: 1, numericValue: 1 }] },
  },
  'a day that does not exist': {
    query: 'observationPeriodFilter=2023-02-29/2023-03-01',
    body: { observationPeriodFilter: { start: day(2023, 2, 29), end: day(2023, 3, 1) } },
  },
  'a period the wrong way round': {
    query: 'observationPeriodFilter=2024-01-02/2024-01-01',
    body: { observationPeriodFilter: { start: day(2024, 1, 2), end: day(2024, 1, 1) } },
  },
  'a blank feature': { query: 'featureFilter=', body: { featureFilter: [''] } },
  'a negative page size': { query: 'pageSize=-1', body: { pageSize: -1 } },
  'a forged page token': { query: 'pageToken=abc', body: { pageToken: 'abc' } },
  'another organisation': {
    query: 'billingContext=other',
    body: { billingContext: 'other' },
  },
  'no organisation': { query: 'billingContext=', body: { billingContext: '' } },
};

test.each(Object.keys(REFUSED))(
  '%s is refused in the same way as query parameters, as a body and over gRPC',
  async (name) => {
    const { query, body } = REFUSED[name] ?? { query: '', body: {} };
    const isAboutContext = 'billingContext' in body;
    const context = isAboutContext ? {} : { billingContext: ORGANISATION_ID };
    const inAddress = isAboutContext ? '' : `billingContext=${ORGANISATION_ID}&`;
    const byAddress = await send(`${PATH}?${inAddress}${query}`);
    const byBody = await post({ ...context, ...body });
    const byGrpc = await refusal(searchMetricValues, {
      ...context,
      ...body,
      catalogId: 'trips',
      metricId: 'trips_daily',
    });
    expect(problemWords(byBody.body)).toEqual(grpcWords(byGrpc));
    expect(problemWords(byAddress.body)).toEqual(grpcWords(byGrpc));
  },
);

test.each([
  ['/v1/catalogs/trips/metrics/trip_daily/values', { catalogId: 'trips', metricId: 'trip_daily' }],
  ['/v1/catalogs/trip/metrics/trips_daily/values', { catalogId: 'trip', metricId: 'trips_daily' }],
])('%s is not found over gRPC either', async (path, ids) => {
  const billingContext = ORGANISATION_ID;
  const { status, body } = await send(`${path}?billingContext=${billingContext}`);
  expect(status).toBe(404);
  const byGrpc = await refusal(searchMetricValues, { ...ids, billingContext });
  expect(problemWords(body)).toEqual(grpcWords(byGrpc));
  expect(byGrpc.code).toBe('NOT_FOUND');
});

test('a page token of one edge works on the other', async () => {
  const billingContext = ORGANISATION_ID;
  const ids = { catalogId: 'trips', metricId: 'trips_daily', billingContext, pageSize: 2 };
  const first = await send(`${PATH}?billingContext=${billingContext}&pageSize=2`);
  const second = await ask(searchMetricValues, { ...ids, pageToken: first.body.nextPageToken });
  const third = await post({
    billingContext,
    pageSize: 2,
    pageToken: second.message.nextPageToken,
  });
  const whole = await ask(searchMetricValues, { ...ids, pageSize: 100 });
  const origins = [
    ...featuresOf(first.text),
    ...second.message.values.map(({ mapFeatureV2 }) => mapFeatureV2?.featureId),
    ...featuresOf(third.text),
  ];
  expect(origins).toEqual(
    whole.message.values.slice(0, 6).map(({ mapFeatureV2 }) => mapFeatureV2?.featureId),
  );
});

test('values of one filter may be grouped differently between pages', async () => {
  const context = { billingContext: ORGANISATION_ID, pageSize: 1 };
  const values = (...groups: readonly (readonly string[])[]) => ({
    addressComponentFilter: groups.map((group) => ({ component: 'canton', values: [...group] })),
    dimensionFilter: groups.map(() => ({ dimensionId: 'purpose', values: ['work'] })),
  });
  const first = await post({ ...context, ...values(['ZH', 'GE']) });
  const { nextPageToken: pageToken } = first.body;
  const address =
    'addressComponentFilter=canton:GE&addressComponentFilter=canton:ZH&dimensionFilter=purpose:work';
  const byAddress = await send(
    `${PATH}?billingContext=${ORGANISATION_ID}&pageSize=1&${address}&pageToken=${pageToken}`,
  );
  const byGrpc = await ask(searchMetricValues, {
    ...context,
    ...values(['GE'], ['ZH', 'ZH']),
    catalogId: 'trips',
    metricId: 'trips_daily',
    pageToken,
  });
  expect(byAddress.status).toBe(200);
  expect(byGrpc.message.values).toHaveLength(1);
  expect(featuresOf(byAddress.text)).toEqual([byGrpc.message.values[0]?.mapFeatureV2?.featureId]);
});

function featuresOf(text: string): readonly string[] {
  return JSON.parse(text).valuesList.map(
    (value: { readonly mapFeatureV2: { readonly featureId: string } }) =>
      value.mapFeatureV2.featureId,
  );
}

function post(body: Readonly<Record<string, unknown>>) {
  return send(`${PATH}:search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A JSON number loses digits beyond 2^53, so counts are compared as text. */
function exactCounts(
  key: string,
  value: unknown,
  context: { readonly source?: string } = {},
): unknown {
  return key === 'count' && value !== null ? BigInt(context.source ?? '') : value;
}

/** The numbers of the JSON, rounded to a float. */
function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      (name === 'number' || name === 'numericValue') && typeof member === 'number'
        ? [name, Math.fround(member)]
        : [name, rounded(member)],
    ),
  );
}

/** The message in the shape of the JSON over HTTP. */
function toJson(message: catalogV1.SearchMetricValuesResponse) {
  const { appliedFilters: filters } = message;
  const componentFilters = (given: readonly mapsV1.AddressComponentFilter[] = []) =>
    given.map(({ component, values }) => ({ component, valuesList: values }));
  return {
    valuesList: message.values.map((value) => {
      // The first of the values is the main value.
      expect(value.values).toEqual([value.value, ...value.supportingValues]);
      return {
        metricId: value.metricId,
        value: toMeasure(value.value),
        observationPeriod: toPeriod(value.observationPeriod),
        dimensionsList: value.dimensions.map(({ dimensionId, value: text, displayName }) => ({
          dimensionId,
          value: text,
          displayName,
        })),
        supportingValuesList: value.supportingValues.map(toMeasure),
        flagsList: value.flags,
        mapFeatureV2: toFeature(value.mapFeatureV2),
        relatedMapFeature: toFeature(value.relatedMapFeature),
      };
    }),
    appliedFilters: {
      periodFiltersList: (filters?.periodFilters ?? []).map(toPeriod),
      dimensionFiltersList: (filters?.dimensionFilters ?? []).map(({ dimensionId, values }) => ({
        dimensionId,
        valuesList: values,
      })),
      addressComponentFiltersList: componentFilters(filters?.addressComponentFilters),
      featureFiltersList: filters?.featureFilters,
      relatedFeatureFiltersList: filters?.relatedFeatureFilters,
      valueFiltersList: (filters?.valueFilters ?? []).map(
        ({ valueName, operator, numericValue }) => ({
          valueName,
          operator: metricV1.ValueFilterOperator[operator],
          numericValue,
        }),
      ),
      relatedAddressComponentFiltersList: componentFilters(filters?.relatedAddressComponentFilters),
    },
    totalSize: message.totalSize,
    nextPageToken: message.nextPageToken,
    version: message.version,
    ...(message.costRows === undefined ? {} : { costRows: Number(message.costRows) }),
  };
}

/** An absent value is null in the member of its kind. The kind follows from the name of the measure. */
function toMeasure(measure: metricV1.MetricValue_Value | undefined) {
  const { name, unit, value } = measure ?? { name: '', unit: '', value: { case: undefined } };
  const kind = KINDS[name] ?? 'number';
  return {
    name,
    unit,
    number: 0,
    count: 0n,
    category: '',
    [kind]: value.case === undefined ? null : value.value,
  };
}

const KINDS: Readonly<Record<string, 'number' | 'count' | 'category'>> = {
  trip_count: 'count',
  median_minutes: 'number',
  main_mode: 'category',
};

function toPeriod(period: metricV1.Period | undefined) {
  const toDate = (date: metricV1.Period['start']) =>
    date === undefined ? undefined : day(date.year, date.month, date.day);
  return { start: toDate(period?.start), end: toDate(period?.end) };
}

function toFeature(feature: mapsV1.Feature | undefined) {
  return {
    layerId: feature?.layerId,
    featureId: feature?.featureId,
    name: feature?.name,
    geo: feature?.geo,
    addressComponentsList: feature?.addressComponents.map(
      ({ component, value, shortName, displayName }) => ({
        component,
        value,
        shortName,
        displayName,
      }),
    ),
    point: feature?.point,
    polygon: feature?.polygon,
    cameIntoExistence: feature?.cameIntoExistence,
    ceasedToExist: feature?.ceasedToExist,
  };
}
