import { AggregatorRegistry, type MetricObject } from 'prom-client';
import { withinTime } from '../domain/within-time.ts';
import type { MetricSnapshot } from './metric-registry.ts';
import type { Observe } from './observation.ts';

/** Adds up the metrics of workers, so that no count ever goes back. */
export type MetricTotals = {
  /** Asks all workers at once, and gives the text of a scrape. */
  readonly collect: (ask: {
    /** The metrics of this process, which stand beside those of its workers. */
    readonly own: () => Promise<MetricSnapshot>;
    /** By ids that no other worker ever has, as process ids are not. */
    readonly workers: ReadonlyMap<number, WorkerToAsk>;
  }) => Promise<string>;
  /** Keeps what a worker counted, for example the last that it said before it ended. */
  readonly keep: (id: number, snapshot: MetricSnapshot) => void;
  /** A worker has ended: what it counted stays, and what it was is gone. */
  readonly end: (id: number) => void;
};

export type WorkerToAsk = {
  /** The number by which it is told, which a worker that takes its place has too. */
  readonly worker: number;
  readonly ask: () => Promise<MetricSnapshot>;
};

/** A scrape waits for no worker any longer. */
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
    // An answer can arrive after its worker has ended and was counted.
    if (!ended.has(id)) kept.set(id, snapshot);
  };
  /** Whether the worker answered in time. */
  const askOne = async (id: number, { worker, ask }: WorkerToAsk): Promise<boolean> => {
    const answer = await withinTime(ask(), {
      timeoutMs,
      message: 'The worker did not answer in time.',
    }).catch(() => undefined);
    if (answer !== undefined) keep(id, answer);
    // One that ended meanwhile has nothing to answer for.
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
      // Both are read in one step: a worker that ends is in the one or in the other.
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

/** The sum of snapshots as Prometheus reads it. */
export function writeMetrics(snapshots: readonly MetricSnapshot[]): Promise<string> {
  return merge(snapshots).metrics();
}

async function sumOf(snapshots: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  // The library types what it gives as metrics without their values.
  return (await merge(snapshots).getMetricsAsJSON()) as unknown as MetricSnapshot;
}

function merge(snapshots: readonly MetricSnapshot[]) {
  // The library types snapshots as objects of any kind, which it does not change.
  return AggregatorRegistry.aggregate(snapshots as unknown as MetricObject[]);
}

/** Without the gauges: they say what is, and not what has been. */
function countsOf(snapshot: MetricSnapshot): MetricSnapshot {
  return snapshot.filter(({ type }) => type !== 'gauge');
}
