import type { DatasetReader } from './dataset/dataset-reader.ts';
import type { Target } from './driver/load-order.ts';
import type { Driver } from './driver/start-driver.ts';
import type { Settings } from './settings.ts';
import type { Locmetrics } from './systems/locmetrics.ts';
import type { Context } from './workloads/workload.ts';

/** Everything that is up and ready to be measured. */
export type Bench = {
  readonly settings: Settings;
  readonly context: Context;
  readonly dataset: DatasetReader;
  readonly manifest: string;
  readonly driver: Driver;
  /** A folder that ends with the run. */
  readonly work: string;
  /** The commands on the data directory that is served. */
  readonly locmetrics: Locmetrics;
  readonly ours: { readonly http: Target; readonly grpc: Target };
  readonly postgrest: Target | undefined;
  /** Takes a line about how far the run is. */
  readonly messages: (line: string) => void;
  /** When the run is to end before its end. */
  readonly signal: AbortSignal;
};
