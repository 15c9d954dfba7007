import { withinTime } from '@locmetrics/core/runtime/within-time';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import type { MetricSnapshot } from './metric-registry.ts';
import type { Observe } from './observation.ts';

/**
 * Sums the metrics of workers, so that counters never decrease.
 *
 * Workers send snapshots of plain data. The counts of a worker that ended or does not answer stay in the sum:
 * Prometheus would take a decrease for a restart and count everything again.
 */
export type MetricTotals = {
  /** Asks all workers in parallel, and returns the text of a scrape. */
  readonly collect: (ask: {
    /** The metrics of this process, which are added to those of its workers. */
    readonly own: () => Promise<MetricSnapshot>;
    /** By ids that are never reused, unlike process ids. */
    readonly workers: ReadonlyMap<number, WorkerToAsk>;
  }) => Promise<string>;
  /** Keeps the counts of a worker, for example its last report before it ended. */
  readonly keep: (id: number, snapshot: MetricSnapshot) => void;
  /** After the end of a worker its counters are kept and its gauges are dropped. */
  readonly end: (id: number) => void;
};

export type WorkerToAsk = {
  /** The number of the worker in logs; its replacement has the same number. */
  readonly worker: number;
  readonly ask: () => Promise<MetricSnapshot>;
};

/** The longest time that a scrape waits for a worker. */
const ANSWER_TIMEOUT_MS = 1000;

export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function openMetricTotals({
  observe,
  timeoutMs = ANSWER_TIMEOUT_MS,
}: {
  readonly observe: Observe;
  readonly timeoutMs?: number;
}): MetricTotals {
  const kept = new Map<number, MetricSnapshot>();
  const ended = new Set<number>();
  let counted: Promise<MetricSnapshot> = Promise.resolve([]);

  const keep = (id: number, snapshot: MetricSnapshot): void => {
    // An answer can arrive after its worker has ended and its counters were added.
    if (!ended.has(id)) kept.set(id, snapshot);
  };
  /** Whether the worker answered in time. */
  const askOne = async (id: number, { worker, ask }: WorkerToAsk): Promise<boolean> => {
    const answer = await withinTime(ask(), {
      timeoutMs,
      message: 'The worker did not answer in time.',
    }).catch(() => undefined);
    if (answer !== undefined) keep(id, answer);
    // A worker that has ended in the meantime is not reported.
    else if (!ended.has(id)) observe({ kind: 'worker_unanswered', worker });
    return answer !== undefined;
  };

  return {
    collect: async ({ own, workers }) => {
      const answers = await Promise.all(
        [...workers].map(async ([id, worker]) => [id, await askOne(id, worker)] as const),
      );
      const answered = new Map(answers);
      const ownSnapshot = await own();
      // Both are read in the same step, so that an ending worker is in exactly one of them.
      const live = [...kept].map(([id, snapshot]) =>
        answered.get(id) === true ? snapshot : countsOf(snapshot),
      );
      return writeMetrics([ownSnapshot, await counted, ...live]);
    },
    keep,
    end: (id) => {
      const last = kept.get(id);
      kept.delete(id);
      ended.add(id);
      if (last === undefined) return;
      counted = counted.then((before) => sumOf([before, countsOf(last)]));
    },
  };
}

/** The sum of snapshots in the text format of Prometheus. */
export function writeMetrics(snapshots: readonly MetricSnapshot[]): Promise<string> {
  return merge(snapshots).metrics();
}

async function sumOf(snapshots: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  // The library types its result as metrics without their values.
  return (await merge(snapshots).getMetricsAsJSON()) as unknown as MetricSnapshot;
}

function merge(snapshots: readonly MetricSnapshot[]) {
  // The library types snapshots as arbitrary objects, and does not change them.
  return AggregatorRegistry.aggregate(snapshots as unknown as MetricObject[]);
}

/** The snapshot without gauges, which only describe the present. */
function countsOf(snapshot: MetricSnapshot): MetricSnapshot {
  return snapshot.filter(({ type }) => type !== 'gauge');
}
