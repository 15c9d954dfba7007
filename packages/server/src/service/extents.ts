import { setTimeout as sleep } from 'node:timers/promises';
import type { Field } from '@locmetrics/core/domain/field';
import { findCadence } from '@locmetrics/core/domain/find-cadence';
import { type Cadence, metricName } from '@locmetrics/core/domain/metric';
import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { Day } from '@locmetrics/core/domain/predicate';
import {
  type CountedVersion,
  type DatasetVersion,
  isCounted,
  type MetricVersion,
} from '@locmetrics/core/domain/version';
import { planExtent } from '@locmetrics/core/plan/plan-metric-values';
import { GROUPS_MAX } from '@locmetrics/core/plan/read-plan';
import { roleField } from '@locmetrics/core/plan/role-fields';
import { keepNewest } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { partsOf } from '@locmetrics/data-directory/versions/published-extents';

/** The row counts, day ranges and cadences of narrowed versions, each queried once and cached while it is in use. */
export type DatasetExtents = {
  /** The version with its count, if that was queried before. */
  readonly known: (version: DatasetVersion) => CountedVersion | undefined;
  /** Adds the number, the day range and the cadence of the records that the caller sees. */
  readonly add: (version: DatasetVersion, signal: StopSignal) => Promise<CountedVersion>;
};

export function openDatasetExtents(engine: Engine): DatasetExtents {
  const counted = new WeakMap<DatasetVersion, CountedVersion>();
  // A whole version was counted when it was published.
  const known = (version: DatasetVersion): CountedVersion | undefined =>
    isCounted(version) ? version : counted.get(version);
  return {
    known,
    add: async (version, signal) => {
      const before = known(version);
      if (before !== undefined) return before;
      const { period } = version.dataset;
      const dayOf = (name: string | undefined): Day =>
        name === undefined ? ANY_DAY : roleField(version.dataset, name);
      const [start, end] = [dayOf(period?.start), dayOf(period?.end)];
      const [{ firstDay, lastDay, count }, cadence] = await Promise.all([
        engine.run({ kind: 'extent', version, predicates: [], start, end }, signal),
        typeof start === 'string' ? undefined : readCadence(engine, version, start, signal),
      ]);
      const hasDays = period !== undefined;
      const described: CountedVersion = {
        ...version,
        rowCount: count,
        ...(hasDays && firstDay !== null ? { firstObservationDate: firstDay } : {}),
        ...(hasDays && lastDay !== null ? { lastObservationDate: lastDay } : {}),
        ...(cadence === undefined ? {} : { cadence }),
      };
      counted.set(version, described);
      return described;
    },
  };
}

/** How often a period starts, by the records that the caller sees, as a publish finds it by all. */
async function readCadence(
  engine: Engine,
  version: DatasetVersion,
  start: Field,
  signal: StopSignal,
): Promise<Cadence | undefined> {
  const { rows } = await engine.run(
    {
      kind: 'groups',
      version,
      predicates: [],
      groups: [{ name: start.name, field: start }],
      aggregates: [],
      conditions: [],
      order: [],
      after: 0,
      limit: GROUPS_MAX,
    },
    signal,
  );
  return findCadence(rows.flatMap(([day = null]) => (day === null ? [] : [String(day)])));
}

/** A placeholder for records without days. */
const ANY_DAY = '1970-01-01';

/**
 * The extents of the values of metrics that pass the default filters. A publish writes those of callers who see
 * everything. Versions are immutable, so each other one is queried once; a cache keeps the most recently used ones.
 */
export type MetricExtents = {
  /** The extent, if it was published or queried before. */
  readonly known: (version: MetricVersion) => MetricExtent | undefined;
  readonly read: (version: MetricVersion, signal: StopSignal) => Promise<MetricExtent>;
  /**
   * The extent, if it is known or is found at once. Otherwise its query goes on for later requests: over 240
   * million records it takes seconds.
   */
  readonly soon: (version: MetricVersion) => MetricExtent | Promise<MetricExtent | undefined>;
  /** Ends the queries that no request waits for. */
  readonly close: () => Promise<void>;
};

const KEPT_MAX = 10_000;
/** A small version is queried in so much time; a request of a large one waits no longer. */
const SOON_MS = 50;

/**
 * - `published`: finds the extent that a publish wrote. Default: none did.
 * - `soonMs`: how long `soon` waits.
 */
export function openMetricExtents(
  engine: Engine,
  {
    published = () => undefined,
    soonMs = SOON_MS,
  }: {
    readonly published?: ((version: MetricVersion) => MetricExtent | undefined) | undefined;
    readonly soonMs?: number | undefined;
  } = {},
): MetricExtents {
  const kept = new Map<string, MetricExtent>();
  /** Queries that others wait for, too: with a new version all requests need its extent at once. */
  const running = new Map<string, Promise<void>>();
  const ofObject = new WeakMap<MetricVersion, MetricExtent>();
  const closing = new AbortController();
  const keep = (key: string, value: MetricExtent): void =>
    keepNewest(kept, { key, value }, KEPT_MAX);
  const find = (version: MetricVersion): MetricExtent | undefined => {
    const key = keyOf(version);
    const known = kept.get(key) ?? (isUnnarrowed(version) ? published(version) : undefined);
    if (known !== undefined) keep(key, known);
    return known;
  };
  const read = async (version: MetricVersion, signal: StopSignal): Promise<MetricExtent> => {
    const known = find(version);
    if (known !== undefined) return known;
    const key = keyOf(version);
    const other = running.get(key);
    if (other !== undefined) {
      await orAborted(other, signal);
      return read(version, signal);
    }
    const ended = Promise.withResolvers<void>();
    running.set(key, ended.promise);
    try {
      const made = await queryExtent(engine, version, signal);
      keep(key, made);
      return made;
    } finally {
      running.delete(key);
      ended.resolve();
    }
  };
  const readOnce: MetricExtents['read'] = async (version, signal) => {
    const known = ofObject.get(version) ?? (await read(version, signal));
    ofObject.set(version, known);
    return known;
  };
  return {
    known: (version) => ofObject.get(version) ?? find(version),
    read: readOnce,
    soon: (version) => {
      const known = ofObject.get(version);
      if (known !== undefined) return known;
      // If it fails, so does the request's own query, which says why.
      const found = readOnce(version, closing.signal).catch(() => undefined);
      const late = new AbortController();
      const tooLate = sleep(soonMs, undefined, { signal: late.signal }).catch(() => undefined);
      return Promise.race([found, tooLate]).finally(() => late.abort());
    },
    close: async () => {
      closing.abort();
      await Promise.all(running.values());
    },
  };
}

/** Queries the extent of what a caller sees of a metric. */
export async function queryExtent(
  engine: Engine,
  version: MetricVersion,
  signal: StopSignal,
): Promise<MetricExtent> {
  const plan = planExtent(version);
  const extent = await engine.run(plan, signal);
  const rowCount =
    version.values.rowCount ?? (await engine.run({ ...plan, predicates: [] }, signal)).count;
  return { ...extent, isWhole: extent.count === rowCount };
}

/** Whether the caller sees all records, with all their values: then default filters are not hidden either. */
function isUnnarrowed(version: MetricVersion): boolean {
  return partsOf(version).every(({ narrowing }) => narrowing === undefined);
}

function keyOf(version: MetricVersion): string {
  return JSON.stringify([metricName(version.metric), version.version, rightsOf(version)]);
}

/** The part of the rights that decides which values are visible. */
function rightsOf({ grant, values, layer, relatedLayer }: MetricVersion): unknown {
  if (grant === undefined) return [];
  const withheld = [values, layer.features, relatedLayer?.features].map((part) =>
    (part?.narrowing?.suppressed ?? []).map(({ name, suppressBelow }) => [name, suppressBelow]),
  );
  return [grant.filters, grant.lens, grant.fields ?? 'all', withheld];
}

/** Resolves when the promise does, or throws the reason of the signal before. */
async function orAborted(promise: Promise<void>, signal: StopSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
