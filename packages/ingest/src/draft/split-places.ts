import type { DraftDataset } from './draft-dataset.ts';
import type { DraftField } from './draft-fields.ts';

/** Two datasets of the same files, the places and their values by period, so that they can be a layer and a metric. */
export function splitPlaces(dataset: DraftDataset): readonly DraftDataset[] {
  const { places, wide, rowCount, key, files } = dataset;
  const isConverted = files.some(({ format }) => format === 'parquet');
  if (places === undefined || isConverted) return [dataset];
  const isPlace = ({ name }: DraftField) => name === places.id || places.fields.includes(name);
  const names = new Set(wide?.used).size / (wide?.values.length ?? 1);
  const isOnce = wide !== undefined && rowCount / names === places.count;
  const ids = dataset.keyValues.get(places.id);
  return [
    {
      ...dataset,
      name: `${dataset.name}_places`,
      wide: undefined,
      combined: {
        duplicates: isOnce ? undefined : 'same',
        reason: undefined,
        choices: undefined,
        isByDesign: true,
      },
      key: {
        ...key,
        fields: [places.id],
        repeatedCount: isOnce ? 0 : rowCount - places.count,
        conflictCount: 0,
      },
      period: undefined,
      fields: dataset.fields.filter(isPlace),
      rowCount: places.count,
      alternatives: new Map(places.unique.map((name) => [name, new Set<string>()])),
      keyValues: new Map(ids === undefined ? [] : [[places.id, ids]]),
    },
    {
      ...dataset,
      point: undefined,
      region: undefined,
      pointDoubt: undefined,
      fields: dataset.fields.filter((field) => !isPlace(field) || field.name === places.id),
      emptyColumns: [],
      unreadColumns: [],
    },
  ];
}
