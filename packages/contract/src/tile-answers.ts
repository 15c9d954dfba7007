import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

const VectorLayerSchema = closed(
  {
    id: Type.String({ examples: ['records'] }),
    description: Type.String(),
    fields: Type.Record(Type.String(), Type.String(), {
      description: 'The names of the values, each with its type: String, Number or Boolean.',
    }),
  },
  { title: 'VectorLayer' },
);

/** The answer of `GET /v3/catalog/{dataReferenceName}/tiles.json`: TileJSON 3.0.0, with the names of that format. */
export const TileJsonSchema = closed(
  {
    tilejson: Type.String({ description: 'The release of the format, 3.0.0.' }),
    name: Type.String({ description: 'The display name of the dataset or the layer.' }),
    description: Type.String({ description: 'The description of the dataset or the layer.' }),
    attribution: Type.Optional(
      Type.String({ description: 'The attribution of the layer, if it has one.' }),
    ),
    tiles: Type.Array(Type.String(), {
      description: 'The URL of the tiles, with `{z}`, `{x}` and `{y}`.',
    }),
    minzoom: Type.Integer(),
    maxzoom: Type.Integer(),
    bounds: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 4,
        maxItems: 4,
        description:
          'West, south, east and north of the records or outlines that the caller sees, in degrees. Absent if none is on the map.',
      }),
    ),
    cellsUntilZoom: Type.Optional(
      Type.Integer({
        description:
          'The last zoom at which a tile of this request has more than 2,000 records, for a map that asks with cells=true up to this zoom and with cells=false beyond. Absent if no tile has so many.',
      }),
    ),
    vector_layers: Type.Array(VectorLayerSchema),
  },
  { title: 'TileJson' },
);
export type TileJson = Static<typeof TileJsonSchema>;
