import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { MetricRegistry, SetGauge } from './metric-registry.ts';

/** The metrics of the process itself. */
export type ProcessMetrics = {
  readonly countInto: (count: MetricRegistry['count']) => void;
  readonly giveGauges: (set: SetGauge) => void;
  readonly close: () => void;
};

/** The sampling interval of the event loop delay; the measured delay includes it. */
const SAMPLE_EVERY_MS = 10;

export function openProcessMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  delay.enable();
  let countedCpuSeconds = 0;
  return {
    countInto: (count) => {
      const { user, system } = process.cpuUsage();
      const cpuSeconds = (user + system) / 1e6;
      count('process_cpu_seconds_total', {}, cpuSeconds - countedCpuSeconds);
      countedCpuSeconds = cpuSeconds;
    },
    giveGauges: (set) => {
      const residentBytes = readResidentBytes();
      if (residentBytes !== undefined) set('process_resident_memory_bytes', {}, residentBytes);
      set('nodejs_heap_size_used_bytes', {}, getHeapStatistics().used_heap_size);
      set('process_start_time_seconds', {}, Math.round(Date.now() / 1000 - process.uptime()));
      const openFiles = countOpenFiles();
      if (openFiles !== undefined) set('process_open_fds', {}, openFiles);
      if (delay.count > 0) {
        set('nodejs_eventloop_delay_mean_seconds', {}, toLateSeconds(delay.mean));
        set('nodejs_eventloop_delay_p99_seconds', {}, toLateSeconds(delay.percentile(99)));
        set('nodejs_eventloop_delay_max_seconds', {}, toLateSeconds(delay.max));
      }
      delay.reset();
    },
    close: () => delay.disable(),
  };
}

function toLateSeconds(measuredNs: number): number {
  return Math.max(0, measuredNs / 1e9 - SAMPLE_EVERY_MS / 1000);
}

/** Linux reports it in a file; opening it can fail if no descriptor is left. */
function readResidentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

/** Only Linux has a folder with the open files. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
