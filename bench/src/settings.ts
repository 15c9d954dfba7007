import type { World } from './dataset/world.ts';
import type { LoadEnd } from './driver/load-order.ts';

/** The settings of a run. */
export type Settings = {
  readonly world: World;
  /** Ids of workloads. */
  readonly only: readonly string[];
  readonly withPeers: boolean;
  /** Whether the service over ClickHouse is measured too. */
  readonly withClickhouse: boolean;
  /** Whether the run only checks the benchmark. */
  readonly isTiny: boolean;
  readonly rounds: number;
  /** The length of a round, and of the warm-up, which is not counted. */
  readonly roundEnd: LoadEnd;
  readonly warmUpEnd: LoadEnd;
  readonly inFlight: number;
  /** The sizes of W0. The requests are those of each question, in all rounds. */
  readonly fixedCost: {
    readonly places: number;
    readonly months: number;
    readonly longPlaces: number;
    readonly names: number;
    readonly organisations: number;
    readonly tokensOfEach: number;
    readonly requests: number;
  };
  /** The time that the mixed load runs before and after the publish. */
  readonly calmMs: number;
  /** The number of processes of a floor. */
  readonly floorWorkers: number;
  /** Flags that are added to the serve command. */
  readonly serverFlags: readonly string[];
  /** The folder of the dataset and the peers' copies of it. Undefined means a temporary folder. */
  readonly dataFolder: string | undefined;
  readonly fresh: boolean;
  /** The file of results. Undefined means that none is written. */
  readonly out: string | undefined;
};
