import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { ORGANISATION_ID } from '../test-data.ts';
import { useTestServer } from '../test-server.ts';

/** Two shops whose texts differ by a leading U+FEFF only; a third one begins the file below its header. */
const MARK = '\ufeff';
const TEXTS = ['A', 'B', `${MARK}A`];
const rows = TEXTS.map(
  (text) => `${text},${text},1,,true,2020-01-01,,2023-01-01,2023-01-31,47.37,8.54`,
);
const [header = ''] = SHOPS['stores.csv'].split('\n');

const { ask, post, send } = useTestServer((to) =>
  to.publishFiles({
    ...SHOPS,
    'stores.csv': `${MARK}${header}\n${rows.toReversed().join('\n')}\n`,
    'codes.csv': `code,label\n${MARK}01,one\n01,${MARK}one\n`,
  }),
);

const DATASET = { dataReferenceName: 'shop.stores' };
const COUNT = (fieldName: string, value: string) => ({
  ...DATASET,
  filters: [{ fieldName, operator: '==', value }],
  fields: [{ name: 'store_id' }, { name: 'city' }],
});

test('records, values and features have it over both edges, and a filter finds it', async () => {
  const { listRecords, searchFieldValues } = catalogV3.CatalogQuery.method;
  for (const name of ['store_id', 'city']) {
    const search = { ...DATASET, field: { name } };
    expect((await post('searchFieldValues', search)).body.values).toEqual(TEXTS);
    expect((await ask(searchFieldValues, search)).message.values).toEqual(TEXTS);
    for (const text of TEXTS) {
      const shown = [{ fields: { store_id: text, city: text } }];
      const { body } = await post('listRecords', COUNT(name, text));
      expect(body.records).toEqual(shown);
      const { message } = await ask(listRecords, COUNT(name, text));
      expect(message.records.map(({ fields }) => ({ fields }))).toEqual(shown);
    }
  }
});

test('pages of one record pass over it', async () => {
  const found: unknown[] = [];
  let pageToken = '';
  do {
    const page = { ...DATASET, pageSize: 1, pageToken, fields: [{ name: 'store_id' }] };
    const { body } = await post('listRecords', page);
    found.push(...body.records.map(({ fields }) => fields['store_id']));
    pageToken = body.nextPageToken;
  } while (pageToken !== '');
  expect(found).toEqual(TEXTS);
});

test('metric values, their features and components have it in every form', async () => {
  const { searchMetricValues } = catalogV1.QueryService.method;
  const path = '/v1/catalogs/shop/metrics/customers/values';
  for (const text of TEXTS) {
    const query = new URLSearchParams({
      billingContext: ORGANISATION_ID,
      featureFilter: text,
      addressComponentFilter: `city:${text}`,
    });
    const answer = await send(`${path}?${query}`);
    expect(answer.body).toMatchObject({
      valuesList: [
        {
          mapFeatureV2: {
            featureId: text,
            name: text,
            addressComponentsList: [
              { component: 'note', value: text },
              { component: 'city', value: text, shortName: text, displayName: text },
              { component: 'is_open', value: 'true' },
            ],
          },
        },
      ],
      totalSize: 1,
    });
    const { message } = await ask(searchMetricValues, {
      catalogId: 'shop',
      metricId: 'customers',
      billingContext: ORGANISATION_ID,
      featureFilter: [text],
      addressComponentFilter: [{ component: 'city', values: [text] }],
    });
    expect(message.values.map(({ mapFeatureV2 }) => mapFeatureV2?.featureId)).toEqual([text]);
    expect(message.values[0]?.mapFeatureV2?.addressComponents.map(({ value }) => value)).toEqual([
      text,
      text,
      'true',
    ]);
  }
});

test('two keys that differ only by it are two records', async () => {
  const { body } = await post('listRecords', { dataReferenceName: 'shop.codes' });
  expect(body.records.map(({ fields }) => fields)).toEqual([
    { code: '01', label: `${MARK}one` },
    { code: `${MARK}01`, label: 'one' },
  ]);
});
