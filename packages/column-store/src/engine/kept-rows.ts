import type { Value } from '@locmetrics/core/domain/value';
import type { SqlStatement } from '@locmetrics/core/sql/sql-dialect';

type Rows = readonly (readonly Value[])[];

/**
 * The rows of statements that read many records for few rows, such as groups and their names. A published version
 * never changes, and a statement says all that decides its rows: the versions, what the caller may see of them, and
 * the filters. So a chart that many people open is computed once.
 */
export type KeptRows = {
  /** The kept rows of a statement, or those that `run` returns, which are kept if they are few. */
  readonly rowsOf: (statement: SqlStatement, run: () => Promise<Rows>) => Promise<Rows>;
  readonly clear: () => void;
};

const BYTES_MAX = 16 * 2 ** 20;
/** Larger results take longer to encode than to compute, and few people read them. */
const BYTES_OF_ONE_MAX = 2 ** 20;

export function openKeptRows({
  bytesMax = BYTES_MAX,
  bytesOfOneMax = BYTES_OF_ONE_MAX,
}: {
  readonly bytesMax?: number;
  readonly bytesOfOneMax?: number;
} = {}): KeptRows {
  /** The least recently used ones first. */
  const kept = new Map<string, { readonly rows: Rows; readonly bytes: number }>();
  let bytes = 0;
  const remove = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  const add = (key: string, rows: Rows): void => {
    remove(key);
    const added = { rows, bytes: sizeOf(key) + sizeOfRows(rows) };
    if (added.bytes > bytesOfOneMax) return;
    kept.set(key, added);
    bytes += added.bytes;
    for (const oldest of kept.keys()) {
      if (bytes <= bytesMax) return;
      remove(oldest);
    }
  };
  return {
    rowsOf: async (statement, run) => {
      const key = keyOf(statement);
      const found = kept.get(key);
      if (found === undefined) {
        const rows = await run();
        add(key, rows);
        return rows;
      }
      kept.delete(key);
      kept.set(key, found);
      return found.rows;
    },
    clear: () => {
      kept.clear();
      bytes = 0;
    },
  };
}

function keyOf({ text, parameters }: SqlStatement): string {
  const values = JSON.stringify(parameters, (_name, value: unknown) =>
    typeof value === 'bigint' ? [`${value}`] : value,
  );
  return `${text}\n${values}`;
}

/** About the bytes in memory. */
function sizeOfRows(rows: Rows): number {
  let bytes = 0;
  for (const row of rows) {
    bytes += BYTES_OF_ARRAY;
    for (const value of row) bytes += typeof value === 'string' ? sizeOf(value) : BYTES_OF_VALUE;
  }
  return bytes;
}

function sizeOf(text: string): number {
  return BYTES_OF_VALUE + text.length;
}

const BYTES_OF_ARRAY = 32;
/** With the pointer to it. */
const BYTES_OF_VALUE = 24;
