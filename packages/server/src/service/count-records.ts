import type { RecordsPlan } from '../plan/read-plan.ts';
import type { StopSignal } from '../runtime/stop.ts';
import type { Engine } from '../storage/engine.ts';

/** The number of records that match. A whole version was counted when it was published. */
export function countRecords(
  engine: Engine,
  { version, predicates }: RecordsPlan,
  signal: StopSignal,
): Promise<number> | number {
  return predicates.length === 0 && version.rowCount !== undefined
    ? version.rowCount
    : engine.run({ kind: 'count', version, predicates }, signal);
}
