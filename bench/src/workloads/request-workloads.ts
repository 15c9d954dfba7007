import { BOX } from './box.ts';
import { BUSIEST } from './busiest.ts';
import { COMPRESSED_SERIES } from './compressed-series.ts';
import { DEEP_PAGE } from './deep-page.ts';
import { LONG_SERIES } from './long-series.ts';
import { overClickhouseToo } from './over-clickhouse.ts';
import { PARTNER_SERIES } from './partner-series.ts';
import { SERIES, SERIES_IN_FLIGHT } from './series.ts';
import { SERIES_OVER_GRPC } from './series-over-grpc.ts';
import { TILES } from './tiles.ts';
import { TYPEAHEAD } from './typeahead.ts';
import type { RequestWorkload } from './workload.ts';

/** The workloads of independent requests, by id. */
export const REQUEST_WORKLOADS: ReadonlyMap<string, RequestWorkload> = new Map(
  [
    overClickhouseToo(SERIES),
    ...SERIES_IN_FLIGHT,
    LONG_SERIES,
    COMPRESSED_SERIES,
    PARTNER_SERIES,
    ...SERIES_OVER_GRPC,
    ...[BOX, TYPEAHEAD, DEEP_PAGE, BUSIEST].map(overClickhouseToo),
    ...TILES,
  ].map((workload) => [workload.id, workload]),
);
