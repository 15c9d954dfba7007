import { AGGREGATES } from './aggregates.ts';
import { BOX } from './box.ts';
import { BUSIEST } from './busiest.ts';
import { COMPRESSED_SERIES } from './compressed-series.ts';
import { COUNTY_TILES } from './county-tiles.ts';
import { DEEP_PAGE } from './deep-page.ts';
import { LONG_SERIES } from './long-series.ts';
import { PARTNER_SERIES } from './partner-series.ts';
import { POLYGON } from './polygon.ts';
import { SERIES, SERIES_IN_FLIGHT } from './series.ts';
import { SERIES_OVER_GRPC } from './series-over-grpc.ts';
import { SLIM_SERIES } from './slim-series.ts';
import { TILES } from './tiles.ts';
import { TYPEAHEAD } from './typeahead.ts';
import type { RequestWorkload, Shape } from './workload.ts';

/** The systems that are the service over ClickHouse; they have the same names in the results. */
const SYSTEMS = ['oursClickhouse', 'oursClickhouseWithRows', 'oursCluster'] as const;

/** The workloads of independent requests, by id. */
export const REQUEST_WORKLOADS: ReadonlyMap<string, RequestWorkload> = new Map(
  [
    overClickhouseToo(SERIES),
    ...SERIES_IN_FLIGHT,
    LONG_SERIES,
    COMPRESSED_SERIES,
    SLIM_SERIES,
    PARTNER_SERIES,
    ...SERIES_OVER_GRPC,
    ...[BOX, TYPEAHEAD, DEEP_PAGE, BUSIEST].map(overClickhouseToo),
    ...TILES,
    ...AGGREGATES,
    POLYGON,
    ...COUNTY_TILES,
  ].map((workload) => [workload.id, workload]),
);

/** The workload, of which the service over ClickHouse is asked the same as the embedded one. */
function overClickhouseToo(workload: RequestWorkload): RequestWorkload {
  const { shapes } = workload;
  const ask = shapes.get('ours')?.ask;
  if (ask === undefined) throw new Error(`${workload.id} does not ask ours.`);
  const more = SYSTEMS.map((system): [string, Shape] => [system, { system, ask }]);
  return { ...workload, shapes: new Map([...shapes, ...more]) };
}
