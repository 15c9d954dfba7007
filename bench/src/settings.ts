import type { World } from './dataset/world.ts';
import type { LoadEnd } from './driver/load-order.ts';

/** What a run is told to do. */
export type Settings = {
  readonly world: World;
  /** Ids of workloads. */
  readonly only: readonly string[];
  readonly withPeers: boolean;
  /** Whether the run only checks the benchmark. */
  readonly isTiny: boolean;
  readonly rounds: number;
  /** How long a round lasts, and the load before the first that is not counted. */
  readonly roundEnd: LoadEnd;
  readonly warmUpEnd: LoadEnd;
  readonly inFlight: number;
  /** How long the mixed load runs before and after the publish. */
  readonly calmMs: number;
  /** Processes of a floor. */
  readonly floorWorkers: number;
  /** Added to the command that serves. */
  readonly serverFlags: readonly string[];
  /** Where the dataset and the peers' copies of it stay; a temporary folder when undefined. */
  readonly dataFolder: string | undefined;
  readonly fresh: boolean;
  /** The file of results; none is written when undefined. */
  readonly out: string | undefined;
};
