import type { DatasetReader } from './dataset/dataset-reader.ts';
import type { Target } from './driver/load-order.ts';
import type { Driver } from './driver/start-driver.ts';
import type { Settings } from './settings.ts';
import type { Locmetrics, Served } from './systems/locmetrics.ts';
import type { Context, System } from './workloads/workload.ts';

/** Everything that runs and is ready to be measured. */
export type Bench = {
  readonly settings: Settings;
  readonly context: Context;
  readonly dataset: DatasetReader;
  readonly manifest: string;
  readonly driver: Driver;
  /** A folder that is deleted at the end of the run. */
  readonly work: string;
  /** The commands on the served data directory. */
  readonly locmetrics: Locmetrics;
  readonly ours: Pick<Served, 'http' | 'grpc' | 'grpcTls' | 'tls'>;
  /** The other systems over HTTP. Undefined means that it does not run. */
  readonly others: Readonly<Record<Exclude<System, 'ours'>, Target | undefined>>;
  /** Prints a line about the progress of the run. */
  readonly messages: (line: string) => void;
  /** Aborts the run. */
  readonly signal: AbortSignal;
};
