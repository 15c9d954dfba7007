import type { TileJson } from '@locmetrics/contract';
import type { Dataset } from '../domain/dataset.ts';
import type { Field, FieldType } from '../domain/field.ts';
import type { Layer } from '../domain/layer.ts';
import type { Measure } from '../domain/metric.ts';
import { TILE_ZOOM_MAX } from '../geometry/tile.ts';
import { type Aggregate, aggregateName } from '../requests/aggregate-name.ts';

/** The description of the tiles of a dataset, as TileJSON 3.0.0. */
export function encodeTileJson({
  dataset,
  fields,
  aggregates,
  address,
  bounds,
  cellsUntilZoom,
}: {
  readonly dataset: Dataset;
  /** The fields of points. */
  readonly fields: readonly Field[];
  /** The aggregates of cells. */
  readonly aggregates: readonly Aggregate[];
  /** Of the tiles, with `{z}`, `{x}` and `{y}`. */
  readonly address: string;
  /** West, south, east and north, in degrees. */
  readonly bounds?: readonly number[];
  /** The last zoom at which a tile has many records. */
  readonly cellsUntilZoom?: number;
}): Buffer {
  const answer: TileJson = {
    tilejson: '3.0.0',
    name: dataset.displayName,
    description: dataset.description,
    tiles: [address],
    minzoom: 0,
    maxzoom: TILE_ZOOM_MAX,
    ...(bounds === undefined ? {} : { bounds: [...bounds] }),
    ...(cellsUntilZoom === undefined ? {} : { cellsUntilZoom }),
    vector_layers: [
      {
        id: 'records',
        description: 'The records of a tile with few of them, as points.',
        fields: Object.fromEntries(fields.map(({ name, type }) => [name, TYPE_OF[type]])),
      },
      {
        id: 'cells',
        description: 'The cells of a tile with many records, as squares.',
        fields: Object.fromEntries([
          ['count', 'Number'],
          ...aggregates.map((aggregate) => [aggregateName(aggregate), 'Number']),
        ]),
      },
    ],
  };
  return Buffer.from(JSON.stringify(answer));
}

/** The same of the tiles of a layer. */
export function encodeLayerTileJson({
  layer,
  measure,
  address,
  bounds,
}: {
  readonly layer: Layer;
  readonly measure?: Measure | undefined;
  readonly address: string;
  readonly bounds?: readonly number[];
}): Buffer {
  const { displayName, description, attribution } = layer;
  const answer: TileJson = {
    tilejson: '3.0.0',
    name: displayName,
    description,
    ...(attribution === '' ? {} : { attribution }),
    tiles: [address],
    minzoom: 0,
    maxzoom: TILE_ZOOM_MAX,
    ...(bounds === undefined ? {} : { bounds: [...bounds] }),
    vector_layers: [
      {
        id: 'features',
        description: 'The outlines of the features.',
        fields: {
          id: 'String',
          name: 'String',
          ...(measure && { value: measure.kind === 'category' ? 'String' : 'Number' }),
        },
      },
    ],
  };
  return Buffer.from(JSON.stringify(answer));
}

/** The types that readers of the format know. */
const TYPE_OF: Readonly<Record<FieldType, string>> = {
  string: 'String',
  integer: 'Number',
  float: 'Number',
  boolean: 'Boolean',
  date: 'String',
};
