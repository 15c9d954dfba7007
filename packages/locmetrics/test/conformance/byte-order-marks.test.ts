import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { defineLayer } from './metrics/define-layer.ts';
import { defineMetric } from './metrics/define-metric.ts';
import { defineTable } from './table.ts';

/** At the start of a file U+FEFF is the mark of its encoding; in a value it is a character like others. */
const MARK = '\ufeff';
const TEXTS = [
  'a',
  `${MARK}a`,
  `${MARK}${MARK}a`,
  `${MARK}a ${MARK}`,
  `a longer text than twelve bytes`,
]
  .flatMap((text) => [text, `${MARK}${text} that is not stored in place`])
  .toSorted((first, second) => Buffer.compare(Buffer.from(first), Buffer.from(second)));

const PLACES = defineTable({
  name: 'conformance.marks',
  fields: {
    id: 'string',
    name: 'string',
    state: 'string',
    state_name: 'string',
    age: 'string',
    day: 'date',
    visits: 'integer',
  },
  key: ['id'],
  rows: TEXTS.map((text, index) => ({
    id: text,
    name: text,
    state: text,
    state_name: text,
    age: text,
    day: '2024-01-01',
    visits: BigInt(index),
  })),
  layers: [
    defineLayer({
      id: 'places',
      components: {
        state: { kind: 'taxonomy', fields: { value: 'state', displayName: 'state_name' } },
      },
    }),
  ],
  metrics: [
    defineMetric({
      metricId: 'visits',
      layerId: 'places',
      featureId: 'id',
      dimensions: { age: {} },
    }),
  ],
});

describeOn(ENGINES)('U+FEFF at the start of a text is part of it, $name engine', (engine) => {
  const service = useService(engine, PLACES);

  test('keys that differ only by it are two records, whose values are returned as they are', async () => {
    expect(await service.column('id')).toEqual(TEXTS);
    expect(
      await service.column('name', { orderBy: { fieldName: 'name', descending: false } }),
    ).toEqual(TEXTS);
    expect(await service.values('name')).toEqual(TEXTS);
  });

  test('pages that end on it go on with the next record', async () => {
    for (const pageSize of [1, 2, 3]) {
      expect(await service.column('id', { pageSize })).toEqual(TEXTS);
      expect(await service.values('name', { pageSize })).toEqual(TEXTS);
    }
  });

  test.each(['id', 'name'])(
    'a filter on a shown value of %s finds its record alone',
    async (field) => {
      for (const text of TEXTS) {
        expect(await service.column(field, { filters: [where(field, '==', text)] })).toEqual([
          text,
        ]);
        expect(await service.column(field, { filters: [whereIn(field, 'in', [text])] })).toEqual([
          text,
        ]);
        const others = TEXTS.filter((other) => other !== text);
        expect(await service.column(field, { filters: [where(field, '!=', text)] })).toEqual(
          others,
        );
      }
      const marked = TEXTS.filter((text) => text.startsWith(MARK));
      const found = (operator: string) =>
        service.column(field, { filters: [where(field, operator, `${MARK}A`)] });
      expect(await found('starts_with')).toEqual(marked.filter((text) => text[1] === 'a'));
      expect(await found('contains')).toEqual(marked);
    },
  );

  test('a term finds the values that have it', async () => {
    const marked = TEXTS.filter((text) => text.startsWith(MARK));
    expect((await service.values('name', { term: `${MARK}a` })).toSorted(byBytes)).toEqual(marked);
  });

  test('features, components, dimensions and metric values have it', async () => {
    const { features } = await service.searchLayerFeatures();
    expect(features.map(({ featureId, name }) => [featureId, name])).toEqual(
      TEXTS.map((text) => [text, text]),
    );
    const components = await service.searchAddressComponentValues({ component: 'state' });
    expect(components.values).toEqual(
      TEXTS.map((value) => ({ component: 'state', value, shortName: '', displayName: value })),
    );
    const ages = await service.searchDimensionValues({ dimensionId: 'age' });
    expect(ages.values.map(({ value }) => value)).toEqual(TEXTS);
    for (const text of TEXTS) {
      for (const question of [
        { featureFilter: [text] },
        { addressComponentFilter: [{ component: 'state', values: [text] }] },
        { dimensionFilter: [{ dimensionId: 'age', values: [text] }] },
      ]) {
        const { values } = await service.searchMetricValues(question);
        expect(values).toEqual([
          expect.objectContaining({
            feature: expect.objectContaining({ featureId: text, name: text }),
          }),
        ]);
      }
    }
  });
});

function byBytes(first: string, second: string): number {
  return Buffer.compare(Buffer.from(first), Buffer.from(second));
}
