import type { Value } from '@locmetrics/core/domain/value';
import type { MemoryRecord } from '@locmetrics/core/storage/reference/match-predicate';
import type { SourceRow } from '../table.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { openMemoryEngine } from './open-memory-engine.ts';

/** The plain reference. The rows are normalised here as an import would do it. */
export const memoryEngine: EngineUnderTest = {
  name: 'memory',
  open: async () => {
    const records = new Map<string, readonly MemoryRecord[]>();
    const keyOf = (version: {
      readonly dataset: { readonly name: string };
      readonly version: string;
    }): string => `${version.dataset.name}/${version.version}`;
    const engine = openMemoryEngine((version) => records.get(keyOf(version)));
    return {
      engine,
      load: async ({ version, rows }) => {
        records.set(keyOf(version), rows.map(toRecord));
      },
      remove: async (version) => {
        records.delete(keyOf(version));
      },
      close: () => engine.close(),
    };
  },
};

function toRecord(row: SourceRow): MemoryRecord {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toStored(value)]));
}

/** A blank text is absent. Adding 0 converts -0 to 0. */
function toStored(value: Value): Value {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' ? value + 0 : value;
}
