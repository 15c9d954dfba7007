import { Type } from 'typebox';

/* The parts of paths. */

const catalogId = Type.String({ description: 'The catalog.', examples: ['nps'] });

export const CATALOG_ADDRESS = Type.Object({ catalogId });

export const METRIC_ADDRESS = Type.Object({
  catalogId,
  metricId: Type.String({ description: 'The metric.', examples: ['foot_traffic_monthly'] }),
});

export const LAYER_ADDRESS = Type.Object({
  catalogId,
  layerId: Type.String({ description: 'The layer.', examples: ['nps_parks'] }),
});

export const COMPONENT_ADDRESS = Type.Object({
  catalogId,
  component: Type.String({ description: 'The component.', examples: ['us_state_2020'] }),
});

export const DIMENSION_ADDRESS = Type.Object({
  catalogId,
  // Without an example, because the sample has no dimension.
  dimensionId: Type.String({ description: 'The dimension.' }),
});

const dataReferenceName = Type.String({
  description: 'Name of the dataset, `<product>.<dataset>`.',
  examples: ['ml_visitation.neighborhoods'],
});

export const DATASET_ADDRESS = Type.Object({ dataReferenceName });

const tilePlace = {
  z: Type.String({ description: 'The zoom, from 0 to 16.', examples: ['4'] }),
  x: Type.String({ description: 'The column from the west, from 0.', examples: ['2'] }),
  y: Type.String({ description: 'The row from the north, from 0.', examples: ['6'] }),
} as const;

export const TILE_ADDRESS = Type.Object({ dataReferenceName, ...tilePlace });
export const LAYER_TILE_ADDRESS = Type.Object({ ...LAYER_ADDRESS.properties, ...tilePlace });
