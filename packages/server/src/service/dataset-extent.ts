import type { Day } from '../domain/predicate.ts';
import type { StopSignal } from '../domain/stop.ts';
import { type CountedVersion, type DatasetVersion, isCounted } from '../domain/version.ts';
import { roleField } from '../plan/role-fields.ts';
import type { Engine } from '../storage/engine.ts';

/** The row counts and day ranges of narrowed versions, each queried once and cached while it is in use. */
export type DatasetExtents = {
  /** The version with its count, if that was queried before. */
  readonly known: (version: DatasetVersion) => CountedVersion | undefined;
  /** Adds the number and the day range of the records that the caller sees. */
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
      const { firstDay, lastDay, count } = await engine.run(
        { kind: 'extent', version, predicates: [], start, end },
        signal,
      );
      const hasDays = period !== undefined;
      const described: CountedVersion = {
        ...version,
        rowCount: count,
        ...(hasDays && firstDay !== null ? { firstObservationDate: firstDay } : {}),
        ...(hasDays && lastDay !== null ? { lastObservationDate: lastDay } : {}),
      };
      counted.set(version, described);
      return described;
    },
  };
}

/** A placeholder for records without days. */
const ANY_DAY = '1970-01-01';
