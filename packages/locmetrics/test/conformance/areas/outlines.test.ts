import { expect, test } from 'vitest';
import { square } from '../../edge/map/districts.ts';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { defineLayer } from '../metrics/define-layer.ts';
import { defineMetric } from '../metrics/define-metric.ts';
import { defineTable } from '../table.ts';

const SHAPES = ['a', 'b', 'c', 'd'].map((id, index) => ({
  id,
  name: `Area ${id}`,
  size: index,
  // One has none.
  shape: id === 'c' ? null : JSON.stringify(square(index, 0, 1)),
}));

const AREAS = defineTable({
  name: 'map.areas',
  fields: {
    id: 'string',
    name: { type: 'string', searchable: true },
    size: { type: 'integer', sorted: true },
    shape: { type: 'string', outline: true, includedByDefault: false },
  },
  rows: SHAPES,
  layers: [{ ...defineLayer({ id: 'areas' }), outline: 'shape' }],
  metrics: [
    defineMetric({
      metricId: 'sizes',
      layerId: 'areas',
      featureId: 'id',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-12-31' } },
      measures: { size: 'count' },
    }),
  ],
});

/** The row store has no outlines of records, so plans that read some are never sent to it. */
const READING = ENGINES.filter(({ name }) => name !== 'rows');

describeOn(READING)('outlines, $name engine', (engine) => {
  const service = useService(engine, AREAS);
  const polygonsOf = async (asked: object) => {
    const { features } = await service.searchLayerFeatures({ layerId: 'areas', ...asked });
    return features.map(({ featureId, polygon }) => [featureId, polygon ?? null]);
  };

  test('are returned with features, as they are', async () => {
    expect(await polygonsOf({})).toEqual(SHAPES.map(({ id, shape }) => [id, shape]));
    expect(await polygonsOf({ query: 'area d', pageSize: 1 })).toEqual([['d', SHAPES[3]?.shape]]);
    expect(await polygonsOf({ skipPolygon: true })).toEqual(SHAPES.map(({ id }) => [id, null]));
  });

  test('are returned with records that name them, in every order', async () => {
    const fields = ['id', 'shape'];
    const all = SHAPES.map(({ id, shape }) => [id, shape]);
    expect((await service.listRecords({ fields })).rows).toEqual(all);
    const orderBy = { fieldName: 'size', descending: true };
    const sorted = await service.listRecords({ fields, orderBy });
    expect(sorted.rows).toEqual(all.toReversed());
    expect((await service.listRecords()).rows[0]).toEqual(['a', 'Area a', 0n]);
  });
});
