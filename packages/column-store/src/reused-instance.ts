import type { DuckDBInstance } from '@duckdb/node-api';
import { type InstanceOptions, openInstance } from './open-instance.ts';

/**
 * An instance that the steps of a publish use one after the other: opening and closing one takes longer than a small
 * step. It has no attached file while no step uses it.
 */
export type ReusedInstance = {
  /** The instance of the step before, or a new one if there is none. The step owns it. */
  readonly take: () => Promise<DuckDBInstance>;
  /** Keeps it for the next step. The caller has used it without an error, and has left nothing in it. */
  readonly giveBack: (instance: DuckDBInstance) => void;
  readonly close: () => void;
};

export function openReusedInstance(options: InstanceOptions): ReusedInstance {
  let idle: DuckDBInstance | undefined;
  const close = (): void => {
    idle?.closeSync();
    idle = undefined;
  };
  return {
    take: async () => {
      const taken = idle ?? (await openInstance(options));
      if (taken === idle) idle = undefined;
      return taken;
    },
    giveBack: (instance) => {
      close();
      idle = instance;
    },
    close,
  };
}
