import { Type } from 'typebox';

/* The ids in the paths under `/v1/catalogs`. */

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
  dimensionId: Type.String({ description: 'The dimension.', examples: ['age'] }),
});
