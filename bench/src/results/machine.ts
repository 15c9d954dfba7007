import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';

/** The machine of the measurement, and its load before the start. */
export type Machine = {
  readonly cores: number;
  readonly cpuModel: string;
  readonly memoryBytes: number;
  readonly operatingSystem: string;
  /** The load average of the last minute: processes that ran or waited to run. */
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

/** A warning that a busy machine falsifies the numbers. Undefined if the machine is idle. */
export function warnOfLoad({ cores, loadBefore }: Machine): string | undefined {
  return loadBefore > cores * BUSY_FRACTION
    ? `This machine is busy: a load of ${loadBefore} on ${cores} cores. The numbers will say little.`
    : undefined;
}

const BUSY_FRACTION = 0.25;
