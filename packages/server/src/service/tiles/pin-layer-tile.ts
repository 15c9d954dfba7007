import type { LayerVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { checkTile } from '@locmetrics/core/plan/plan-tile';
import { planTileValues, type TileValuesPlan } from '@locmetrics/core/plan/plan-tile-values';
import type { ReadLayerTileRequest } from '@locmetrics/core/requests/metric-request';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { catalogVersion, findLayer, findMetric } from '../find-in-catalog.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** A tile of a layer before its query. An edge may find that the caller already has it. */
export type PinnedLayerTile = {
  readonly request: ReadLayerTileRequest;
  readonly layer: LayerVersion;
  /** The metric whose values the features have; undefined: none. */
  readonly metric: MetricVersion | undefined;
  /** Values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
};

/** The version of a tile of a layer. Refused: a foreign billing context, an unknown catalog, layer or metric. */
export function pinLayerTile(
  { catalogFor }: ServiceContext,
  request: ReadLayerTileRequest,
  { caller }: Call,
): PinnedLayerTile {
  checkBillingContext(caller, request.billingContext);
  // The caller's part of the catalog.
  const snapshot = catalogFor(caller).snapshot();
  const layer = findLayer(snapshot, request);
  const metric = request.metricId === '' ? undefined : findMetric(snapshot, request, '/metric');
  // The values of metrics decide which features a caller sees.
  const version = catalogVersion(snapshot, request.catalogId);
  return { request, layer, metric, answerParts: [version, caller.rights.fingerprint, request] };
}

/** Refuses an invalid request as `readLayerTile` does, without its query. Returns the plan of the values, if it wants some. */
export function checkLayerTile({
  request,
  layer: { layer },
  metric,
}: PinnedLayerTile): TileValuesPlan | undefined {
  if (layer.outline === undefined) {
    throw ServiceError.atPointer(
      'OUTLINES_NOT_FOUND',
      '/layerId',
      `The features of the layer '${layer.id}' have no outlines, so there are no tiles of it.`,
      'Outlines are published with the dataset of the layer: outline, in the manifest. Features with points are in the tiles of their dataset.',
    );
  }
  checkTile(request.tile);
  if (metric !== undefined) return planTileValues(request, metric);
  const { start, end } = request.period;
  const isPeriod = start !== undefined || end !== undefined;
  if (!isPeriod && request.dimensionFilter.length === 0) return undefined;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    isPeriod ? '/period' : '/dimensionFilter',
    `The request has ${isPeriod ? 'a period' : 'a dimensionFilter'}, but no metric.`,
    'Name the metric whose values the features get, or leave the parameter out.',
  );
}
