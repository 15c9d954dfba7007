import { listAuditRoute } from './admin/audit.ts';
import { explainRoutes } from './admin/explain.ts';
import { grantRoutes } from './admin/grants.ts';
import { limitRoutes } from './admin/limits.ts';
import { organisationRoutes } from './admin/organisations.ts';
import { previewRoutes } from './admin/preview.ts';
import { tokenRoutes } from './admin/tokens.ts';
import { versionRoutes } from './admin/versions.ts';
import { callerRoutes } from './caller.ts';
import { datasetRoutes } from './datasets.ts';
import { exportRoutes } from './exports.ts';
import { layerTileRoutes } from './layer-tiles.ts';
import { layerRoutes } from './layers.ts';
import { metricRoutes } from './metrics.ts';
import type { Route } from './route.ts';
import { streamRoutes } from './streams.ts';
import { tileRoutes } from './tiles.ts';
import { usageRoutes } from './usage.ts';

/** The routes of the interface, in the order of the OpenAPI document. */
export const ALL_ROUTES: readonly Route[] = [
  ...callerRoutes,
  ...datasetRoutes,
  ...streamRoutes,
  ...exportRoutes,
  ...tileRoutes,
  ...metricRoutes,
  ...layerRoutes,
  ...layerTileRoutes,
  ...usageRoutes,
  ...organisationRoutes,
  ...tokenRoutes,
  ...grantRoutes,
  ...limitRoutes,
  listAuditRoute,
  ...versionRoutes,
  ...explainRoutes,
  ...previewRoutes,
];
