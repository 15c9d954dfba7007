import type { Bench } from './bench.ts';
import { measureFixedCost } from './fixed-cost/measure-fixed-cost.ts';
import { measureMix } from './measure-mix.ts';
import { measurePublish } from './measure-publish.ts';
import { measureRequests } from './measure-requests.ts';
import { measureScan } from './measure-scan.ts';
import { measureStreams } from './measure-streams.ts';
import type { Measurement } from './results/measurement.ts';
import { REQUEST_WORKLOADS } from './workloads/request-workloads.ts';

export type Workload = {
  readonly title: string;
  /** Measures each running system. The keys are their names in the results. */
  readonly measure: (bench: Bench) => Promise<Readonly<Record<string, Measurement>>>;
};

/** Every workload by id, in the order of the run. Workloads that publish come last. */
export const WORKLOADS: ReadonlyMap<string, Workload> = new Map<string, Workload>([
  ['W0', { title: 'requests that need no data: CPU time', measure: measureFixedCost }],
  ...[...REQUEST_WORKLOADS].map(([id, workload]): [string, Workload] => [
    id,
    { title: workload.title, measure: (bench) => measureRequests(bench, workload) },
  ]),
  ['W6', { title: 'all metric values, paged to the end', measure: measureScan }],
  ['W10', { title: 'all visits in one answer', measure: measureStreams }],
  ['W7', { title: 'publish, against a sorted copy by DuckDB', measure: measurePublish }],
  ['W8', { title: 'W1 to W5 mixed, with a publish in the middle', measure: measureMix }],
]);
