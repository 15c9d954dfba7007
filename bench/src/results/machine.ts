import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';

/** The machine that the numbers are of, and how busy it is already. */
export type Machine = {
  readonly cores: number;
  readonly cpuModel: string;
  readonly memoryBytes: number;
  readonly operatingSystem: string;
  /** Processes that ran or waited to, on average of the minute before. */
  readonly loadBefore: number;
};

export function describeMachine(): Machine {
  return {
    cores: cpus().length,
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    memoryBytes: totalmem(),
    operatingSystem: `${type()} ${release()} ${arch()}`,
    loadBefore: Number(loadavg()[0]?.toFixed(2)),
  };
}

/** What to know of a machine before one believes its numbers; undefined when it is idle. */
export function warnOfLoad({ cores, loadBefore }: Machine): string | undefined {
  return loadBefore > cores * BUSY_FRACTION
    ? `This machine is busy: a load of ${loadBefore} on ${cores} cores. The numbers will say little.`
    : undefined;
}

const BUSY_FRACTION = 0.25;
