import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';

/**
 * The number of records that match. A whole version was counted when it was published.
 *
 * The total is counted once, with the first page, and travels in the page token: the version is immutable. No query
 * counts what is known: the rows of a first page that is also the last, all records of a version, and records that a
 * plan finds one by one anyway.
 */
export function countRecords(
  engine: Engine,
  { version, predicates }: RecordsPlan,
  signal: StopSignal,
): Promise<number> | number {
  return predicates.length === 0 && version.rowCount !== undefined
    ? version.rowCount
    : engine.run({ kind: 'count', version, predicates }, signal);
}
