import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Engine } from '@locmetrics/core/storage/engine';
import { compareOrderValues } from '@locmetrics/core/storage/reference/compare-order-values';
import type { MemoryRecord } from '@locmetrics/core/storage/reference/match-predicate';
import { runOnRecords } from '@locmetrics/core/storage/reference/run-on-records';

/**
 * The plain reference: every record of a version is a candidate. `records` returns them in any order.
 */
export function openMemoryEngine(
  records: (version: ReadableVersion) => readonly MemoryRecord[] | undefined,
): Engine {
  return {
    run: runOnRecords((version) => {
      const found = records(version);
      if (found === undefined) {
        throw new ServiceError('VERSION_NOT_FOUND', `The version ${version.version} is not kept.`);
      }
      return [...found]
        .sort((left, right) => compareByKey(left, right, version.dataset.key))
        .map((record, row) => ({ record, row }));
    }),
    close: async () => {},
  };
}

function compareByKey(left: MemoryRecord, right: MemoryRecord, key: readonly string[]): number {
  for (const name of key) {
    const order = compareOrderValues(left[name] ?? null, right[name] ?? null, {
      descending: false,
      absentFirst: false,
    });
    if (order !== 0) return order;
  }
  return 0;
}
