import type { Caller } from '@locmetrics/core/domain/caller';
import { type Grant, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import { DEFAULT_SCOPES } from '@locmetrics/core/domain/scope';
import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { defineTable, type SourceRow } from '../table.ts';
import { defineLayer } from './define-layer.ts';
import { defineMetric } from './define-metric.ts';

const PLACES: readonly SourceRow[] = [
  { id: '1', name: 'Zürich Hauptbahnhof', canton: 'ZH', canton_short: 'ZH', canton_name: 'Zürich' },
  { id: '2', name: 'Zürich', canton: 'ZH', canton_short: 'ZH', canton_name: 'Zürich' },
  { id: '3', name: 'Winterthur', canton: 'ZH', canton_short: 'ZH', canton_name: 'Zürich' },
  { id: '4', name: 'Sankt Gallen–Haggen', canton: 'SG', canton_short: 'SG', canton_name: null },
  { id: '5', name: 'Zurzach', canton: 'AG', canton_short: 'AG', canton_name: 'Aargau' },
  { id: '6', name: "L'Abbaye", canton: 'VD', canton_short: 'VD', canton_name: 'Vaud' },
  { id: '7', name: null, canton: 'VD', canton_short: 'VD', canton_name: 'Waadt' },
  { id: 'zurich', name: 'Hafen', canton: null, canton_short: null, canton_name: null },
];

const TABLE = defineTable({
  name: 'conformance.stations',
  fields: {
    id: 'string',
    name: 'string',
    canton: 'string',
    canton_short: 'string',
    canton_name: 'string',
    visits: 'integer',
  },
  rows: PLACES.map((place) => ({ ...place, visits: 1n })),
  layers: [
    defineLayer({
      id: 'stations',
      components: {
        canton: {
          fields: { value: 'canton', shortName: 'canton_short', displayName: 'canton_name' },
        },
      },
    }),
  ],
  metrics: [
    defineMetric({
      metricId: 'stations',
      layerId: 'stations',
      featureId: 'id',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-01-31' } },
      measures: { visits: 'count' },
    }),
  ],
});

describeOn(ENGINES)('features that are searched by words, $name engine', (engine) => {
  const service = useService(engine, TABLE);
  const ranked = async (query: string, question = {}) => {
    const pages = await service.featurePages({
      layerId: 'stations',
      query,
      pageSize: 3,
      ...question,
    });
    return pages
      .flatMap(({ features, queryScores }) =>
        features.map(({ featureId }, index) => [featureId, Number(queryScores[index]?.toFixed(2))]),
      )
      .filter(([, score]) => score !== 0);
  };
  const found = async (query: string) => (await ranked(query)).map(([id]) => id);

  test('a name or an id that equals the query comes first, then equal words, starts and parts of words', async () => {
    expect(await ranked('Zürich')).toEqual([
      ['2', 1],
      ['zurich', 0.83],
      ['1', 0.67],
      ['3', 0.67],
    ]);
    expect(await ranked('haupt')).toEqual([['1', 0.5]]);
    expect(await ranked('bahnhof')).toEqual([['1', 0.33]]);
    expect(await ranked('zh')).toEqual([
      ['1', 0.67],
      ['2', 0.67],
      ['3', 0.67],
    ]);
    expect(await ranked('vaud')).toEqual([['6', 0.67]]);
  });

  test('words are compared one by one, in any order, and between any signs', async () => {
    expect((await found('hauptbahnhof zuerich'))[0]).toBe('1');
    expect((await found('HB, zürich'))[0]).toBe('1');
    expect(await found('haggen')).toEqual(['4']);
    expect(await found('sankt–haggen')).toEqual(['4']);
    expect(await found('abbaye')).toEqual(['6']);
    expect(await found('winterthur aargau')).toEqual(['3', '5']);
    expect(await found(' -- ')).toEqual([]);
  });

  test('one wrong letter is forgiven in words of five to seven letters, after better matches', async () => {
    for (const word of ['zurixh', 'zurch', 'zuricch', 'zuirch', 'uzrich']) {
      expect(await found(word), word).toEqual(['1', '2', '3', 'zurich']);
    }
    for (const word of ['zurixx', 'zrh', 'yurixh']) {
      expect(await found(word), word).not.toContain('2');
    }
    // Both words of four letters are forgiven nothing.
    expect(await found('vaut')).toEqual([]);
    expect(await ranked('zurixh')).toContainEqual(['2', 0.17]);
  });

  test('two wrong letters are forgiven in words of eight letters or more', async () => {
    for (const word of ['wintertur', 'wintrethur', 'vinterthuhr', 'iwnterthru']) {
      expect(await found(word), word).toEqual(['3']);
    }
    for (const word of ['vintertuhrr', 'wnterthruxx']) {
      expect(await found(word), word).toEqual([]);
    }
    expect(await found('haupbahnhoff')).toEqual(['1']);
  });

  test('a hidden feature and a hidden component influence nothing', async () => {
    const caller = callerWith({ lens: { ...WHOLE_LENS, features: ALL_BUT_2 } });
    expect(await ranked('zürich', { caller })).toEqual([
      ['zurich', 0.83],
      ['1', 0.67],
      ['3', 0.67],
    ]);
    const withoutNames = callerWith({ fields: ['visits'] });
    expect(await ranked('zürich', { caller: withoutNames })).toEqual([
      ['2', 0.83],
      ['zurich', 0.83],
      ['1', 0.67],
    ]);
    expect(await ranked('zh', { caller: withoutNames })).toEqual([]);
  });
});

const ALL_BUT_2 = PLACES.map(({ id }) => String(id)).filter((id) => id !== '2');

/** A caller who sees a part of the layer, by the grant of its metric. */
function callerWith(part: Partial<Grant>): Caller {
  const rights = createRights({
    organisationId: 'acme',
    grants: [{ ...wholeGrant('stations', 'conformance/stations'), ...part }],
  });
  return { organisationId: 'acme', tokenId: 'token', scopes: DEFAULT_SCOPES, rights };
}
