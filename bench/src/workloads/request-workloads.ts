import { BOX } from './box.ts';
import { BUSIEST } from './busiest.ts';
import { DEEP_PAGE } from './deep-page.ts';
import { SERIES } from './series.ts';
import { SERIES_OVER_GRPC } from './series-over-grpc.ts';
import { TYPEAHEAD } from './typeahead.ts';
import type { RequestWorkload } from './workload.ts';

/** The workloads of independent requests, by id. */
export const REQUEST_WORKLOADS: ReadonlyMap<string, RequestWorkload> = new Map(
  [SERIES, ...SERIES_OVER_GRPC, BOX, TYPEAHEAD, DEEP_PAGE, BUSIEST].map((workload) => [
    workload.id,
    workload,
  ]),
);
