import { strict as assert } from 'node:assert';
import { decodePageToken, encodePageToken } from '@locmetrics/core/requests/page-token';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { defineLayer } from './metrics/define-layer.ts';
import { defineMetric } from './metrics/define-metric.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const NAMES = ['Zürich', 'zurich', 'Zürichberg', 'Zurich West', 'Köln', 'KOLN', 'Alt-Köln'];

function towns(name: string, searchRule: 1 | 2) {
  return defineTable({
    name: `conformance.${name}`,
    fields: { id: 'string', town: { type: 'string', searchable: true }, visits: 'integer' },
    rows: NAMES.map((town, id) => ({ id: `${id}`, town, visits: 1n })),
    layers: [
      defineLayer({
        id: name,
        name: 'town',
        components: { [`${name}_town`]: { fields: { value: 'town' } }, town: {} },
      }),
    ],
    metrics: [
      defineMetric({
        metricId: name,
        layerId: name,
        featureId: 'id',
        period: { start: { day: '2024-01-01' }, end: { day: '2024-01-31' } },
        measures: { visits: 'count' },
      }),
    ],
    searchRule,
  });
}

describeOn(ENGINES)('search rules, $name engine', (engine) => {
  const service = useService(engine, towns('new', 2), towns('old', 1));
  const values = (dataset: string, term: string, pageSize = 2) =>
    service.values('town', { dataset: `conformance.${dataset}`, term, pageSize });
  const components = async (component: string, query: string) => {
    const pages = await service.componentValuePages({ component, query, pageSize: 2 });
    return pages.flatMap((page) => page.values.map(({ value }) => value));
  };
  const features = async (layerId: string, query: string) => {
    const { features: found, queryScores } = await service.searchLayerFeatures({ layerId, query });
    return found
      .map(({ featureId }, index) => [NAMES[Number(featureId)], queryScores[index]])
      .filter(([, score]) => Number(score) > 0);
  };

  test('a version that was published by an earlier release ignores the case alone', async () => {
    expect(await values('old', 'ZÜRICH')).toEqual(['Zürich', 'Zürichberg']);
    expect(await values('old', 'zurich')).toEqual(['Zurich West', 'zurich']);
    expect(await values('old', 'köln')).toEqual(['Köln', 'Alt-Köln']);
    expect(await components('old_town', 'zurich')).toEqual(['zurich', 'Zurich West']);
    expect(await features('old', 'zurich')).toEqual([
      ['zurich', 1],
      ['Zurich West', expect.closeTo(2 / 3)],
    ]);
  });

  test('a version of this release ignores diacritics too, and has equal values first', async () => {
    const all = ['zurich', 'Zürich', 'Zurich West', 'Zürichberg'];
    expect(await values('new', 'zurich')).toEqual(all);
    for (const term of ['Zürich', 'ZU\u0308RICH']) {
      expect(await values('new', term)).toEqual(['Zürich', 'zurich', ...all.slice(2)]);
    }
    expect(await values('new', 'koln')).toEqual(['KOLN', 'Köln', 'Alt-Köln']);
    expect(await components('new_town', 'koln')).toEqual(['KOLN', 'Köln', 'Alt-Köln']);
  });

  test('a search in several versions is one by the oldest rule of them', async () => {
    expect(await components('town', 'zurich')).toEqual(['zurich', 'Zurich West']);
  });

  test('the token of a search by another rule has expired', async () => {
    const question = { field: 'town', dataset: 'conformance.new', term: 'zurich', pageSize: 2 };
    const { nextPageToken } = await service.searchFieldValues(question);
    const next = { ...question, pageToken: nextPageToken };
    expect((await service.searchFieldValues(next)).values).toHaveLength(2);
    for (const searchRule of [1, 3, undefined]) {
      const pageToken = withRule(nextPageToken, searchRule);
      expect(await refusalOf(service.searchFieldValues({ ...question, pageToken }))).toBe(
        'PAGE_TOKEN_EXPIRED\nThe page token has expired: its pages were ranked by another search rule.\nSend the request without a page token to start again on the current data.',
      );
    }
    const component = { component: 'new_town', query: 'koln', pageSize: 1 };
    const page = await service.searchAddressComponentValues(component);
    const pageToken = withRule(page.nextPageToken, 1);
    expect(
      await refusalOf(service.searchAddressComponentValues({ ...component, pageToken })),
    ).toContain('PAGE_TOKEN_EXPIRED');
    const layer = { layerId: 'new', query: 'koln', pageSize: 1 };
    const first = await service.searchLayerFeatures(layer);
    const token = withRule(first.nextPageToken, 1);
    expect(await refusalOf(service.searchLayerFeatures({ ...layer, pageToken: token }))).toContain(
      'PAGE_TOKEN_EXPIRED',
    );
  });

  test('the token of a list without a term has no rule', async () => {
    const question = { field: 'town', dataset: 'conformance.new', pageSize: 2 };
    const { nextPageToken } = await service.searchFieldValues(question);
    const pageToken = withRule(nextPageToken, undefined);
    expect(pageToken).toBe(nextPageToken);
    expect((await service.searchFieldValues({ ...question, pageToken })).values).toHaveLength(2);
  });

  function withRule(text: string, searchRule: number | undefined): string {
    const key = service.context().pageTokenKey();
    const token = decodePageToken(text, key);
    assert(token);
    return encodePageToken({ ...token, searchRule }, key);
  }
});
