/** The folders in the order in which a request first reaches them; the last ones serve all steps. */
const ORDER: readonly string[] = [
  'server/edge',
  'server/edge/listening',
  'server/edge/http/server',
  'server/edge/grpc',
  'server/edge/http/request',
  'server/auth',
  'server/metering',
  'server/edge/http/routes',
  'server/edge/grpc/calls',
  'server/service/queries',
  'server/service/rights',
  'server/service',
  'server/service/features',
  'server/service/metrics',
  'core/plan',
  'core/storage',
  'row-store/routing',
  'row-store/engine',
  'row-store',
  'core/storage/reference',
  'core/encoding',
  'server/edge/http/answer',
  'data-directory/versions',
  'data-directory/files',
  'data-directory/sqlite',
  'locmetrics/commands',
  'core/requests',
  'core/domain',
  'core/text',
  'core/dates',
  'core/geometry',
  'core/errors',
  'core/runtime',
  'server/observe',
];

export function byPipeline(left: string, right: string): number {
  return placeOf(left) - placeOf(right) || (left < right ? -1 : 1);
}

function placeOf(folder: string): number {
  const place = ORDER.indexOf(folder);
  return place === -1 ? ORDER.length : place;
}
