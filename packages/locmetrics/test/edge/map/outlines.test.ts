import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { describe, expect, test } from 'vitest';
import { ORGANISATION_ID } from '../test-data.ts';
import { useTestServer } from '../test-server.ts';
import { DISTRICT_FILES, square } from './districts.ts';

const tokens = { biel: '', ids: '' };
const { data, send, post, ask } = useTestServer(async (to) => {
  await to.publishFiles(DISTRICT_FILES, '2024-03-01T10:00:00.000Z');
  to.store.createOrganisation({ id: 'biel', name: 'Biel' });
  to.store.addGrant('biel', {
    ...wholeGrant('', 'city/visits'),
    lens: {
      ...wholeGrant('', 'city/visits').lens,
      addressComponents: [{ component: 'city', values: ['Biel'] }],
    },
  });
  tokens.biel = to.store.createToken({ organisationId: 'biel', name: 'biel' }).tokenText;
  to.store.createOrganisation({ id: 'ids', name: 'Ids' });
  to.store.addGrant('ids', { ...wholeGrant('', 'city.districts'), fields: ['id', 'name'] });
  tokens.ids = to.store.createToken({ organisationId: 'ids', name: 'ids' }).tokenText;
});

type Answered = {
  readonly featuresList: readonly { readonly featureId: string; readonly polygon: string }[];
  readonly nextPageToken: string;
  readonly totalSize: number;
};
const polygonsOf = ({ featuresList }: Answered) =>
  featuresList.map(({ featureId, polygon }) => [
    featureId,
    polygon === '' ? '' : JSON.parse(polygon),
  ]);
const search = async (query = '', token = data().token) => {
  const { body } = await send(`/v1/catalogs/city/layers/districts/features?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return body as unknown as Answered;
};
const ALL = [
  ['d1', square(7, 46, 1)],
  ['d2', square(8, 46, 1)],
  ['d3', square(7, 47, 1)],
  ['d4', square(8, 47, 1)],
  ['d5', ''],
];

describe('features have their outlines', () => {
  test('as they were published, unless the request skips them', async () => {
    expect(polygonsOf(await search())).toEqual(ALL);
    const none = ALL.map(([id]) => [id, '']);
    expect(polygonsOf(await search('skipPolygon=true'))).toEqual(none);
    expect(polygonsOf(await search('skip_polygon=true'))).toEqual(none);
  });

  test('on every page, and in the order of a query', async () => {
    const first = await search('pageSize=2&query=castle');
    expect(polygonsOf(first)).toEqual([ALL[2], ALL[0]]);
    const rest = await search(
      `pageSize=5&query=castle&pageToken=${encodeURIComponent(first.nextPageToken)}`,
    );
    expect(polygonsOf(rest)).toEqual([ALL[1], ALL[3], ALL[4]]);
    expect(rest.totalSize).toBe(5);
  });

  test('for a search with a body', async () => {
    const path = '/v1/catalogs/city/layers/districts/features:search';
    const bodyOf = async (skipPolygon: boolean) => {
      const { body } = await send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ featureFilter: ['d4'], skipPolygon }),
      });
      return polygonsOf(body as unknown as Answered);
    };
    expect(await bodyOf(false)).toEqual([ALL[3]]);
    expect(await bodyOf(true)).toEqual([['d4', '']]);
  });

  test('over gRPC, in both calls', async () => {
    const { searchLayerFeatures } = catalogV1.QueryService.method;
    const of = { catalogId: 'city', layerId: 'districts' };
    const outlinesOf = (features: readonly { readonly polygon: string }[]) =>
      features.map(({ polygon }) => (polygon === '' ? '' : JSON.parse(polygon)));
    const whole = await ask(searchLayerFeatures, of);
    expect(outlinesOf(whole.message.features)).toEqual(ALL.map(([, outline]) => outline));
    const skipped = await ask(searchLayerFeatures, { ...of, skipPolygon: true });
    expect(outlinesOf(skipped.message.features)).toEqual(ALL.map(() => ''));
    const { message } = await ask(catalogV1.CatalogService.method.queryLayer, of);
    expect(outlinesOf(message.features)).toEqual(ALL.map(([, outline]) => outline));
  });

  test('only of those that the caller sees', async () => {
    expect(polygonsOf(await search('', tokens.biel))).toEqual([ALL[2], ALL[3]]);
  });

  test('except beside values of a metric', async () => {
    const { body } = await send(
      `/v1/catalogs/city/metrics/visits/values?billingContext=${ORGANISATION_ID}`,
    );
    const values = (body as unknown as { readonly valuesList: readonly Valued[] }).valuesList;
    expect(new Set(values.map(({ mapFeatureV2 }) => mapFeatureV2.polygon))).toEqual(new Set(['']));
  });
});

type Valued = { readonly mapFeatureV2: { readonly polygon: string } };

describe('records have outlines', () => {
  const list = (asked: object) =>
    post('listRecords', { dataReferenceName: 'city.districts', ...asked });

  test('if a request names them', async () => {
    const { body } = await list({ fields: [{ name: 'id' }, { name: 'outline' }], pageSize: 1 });
    expect(JSON.parse(String(body.records[0]?.fields['outline']))).toEqual(square(7, 46, 1));
    const plain = await list({ pageSize: 1 });
    expect(Object.keys(plain.body.records[0]?.fields ?? {})).toEqual([
      'id',
      'name',
      'city',
      'latitude',
      'longitude',
    ]);
  });

  test('without an operator, an aggregation, or a place in any index', async () => {
    const { body } = await post('getDataReference', { name: 'city.districts' });
    const { dataReference } = body as unknown as {
      readonly dataReference: { readonly fields: readonly { readonly name: string }[] };
    };
    expect(dataReference.fields.find(({ name }) => name === 'outline')).toMatchInlineSnapshot(`
      {
        "aggregations": [],
        "description": "",
        "exampleValue": "",
        "filters": {
          "supportedOperators": [],
        },
        "includedByDefault": false,
        "name": "outline",
        "sourceColumn": "feature.outline.value",
        "type": "COLUMN_TYPE_STRING",
      }
    `);
  });

  const field = { name: 'outline' };
  test.each([
    ['a filter', { filters: [{ fieldName: 'outline', operator: 'contains', value: '7' }] }],
    ['an order', { options: { orderBy: { fieldName: 'outline' } } }],
    [
      'a further key of an order',
      { options: { orderBy: { fieldName: 'id' }, thenBy: [{ fieldName: 'outline' }] } },
    ],
    ['a group', { groupBy: [{ fieldName: 'outline' }] }],
    ['an aggregation', { fields: [{ ...field, aggregation: 'COUNT' }] }],
  ])('%s of them is refused', async (_, asked) => {
    const { status, body } = await list(asked);
    expect([status, body]).toMatchSnapshot();
  });

  test('a search for them is refused', async () => {
    const { body } = await post('searchFieldValues', {
      dataReferenceName: 'city.districts',
      field,
    });
    expect(body).toMatchObject({
      errors: [
        {
          pointer: '/field/name',
          detail: "The field 'outline' holds outlines, which cannot be searched.",
        },
      ],
    });
  });

  test('a field of outlines that is not granted is unknown', async () => {
    const answer = await send('/v3/catalog/listRecords', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.ids}`, 'content-type': 'application/json' },
      body: JSON.stringify({ dataReferenceName: 'city.districts', fields: [field] }),
    });
    expect(answer.body).toMatchObject({ reason: 'UNKNOWN_FIELD' });
    expect(answer.text).not.toContain('outlines');
  });

  test('over gRPC', async () => {
    const { message } = await ask(catalogV3.CatalogQuery.method.listRecords, {
      dataReferenceName: 'city.districts',
      fields: [field],
      pageSize: 1,
    });
    expect(JSON.parse(message.records[0]?.fields['outline'] ?? '')).toEqual(square(7, 46, 1));
  });
});
