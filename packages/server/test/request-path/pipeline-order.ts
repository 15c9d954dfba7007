/** The folders in the order in which a request first reaches them; the last ones serve all steps. */
const ORDER: readonly string[] = [
  'edge',
  'edge/listening',
  'edge/http/server',
  'edge/grpc',
  'edge/http/request',
  'auth',
  'metering',
  'edge/http/routes',
  'edge/grpc/calls',
  'service',
  'plan',
  'storage',
  'storage/embedded',
  'storage/sqlite/engine',
  'storage/sqlite',
  'storage/reference',
  'encoding',
  'edge/http/answer',
  'versions',
  'sqlite',
  'commands',
  'domain',
  'runtime',
  'observe',
];

export function byPipeline(left: string, right: string): number {
  return placeOf(left) - placeOf(right) || (left < right ? -1 : 1);
}

function placeOf(folder: string): number {
  const place = ORDER.indexOf(folder);
  return place === -1 ? ORDER.length : place;
}
