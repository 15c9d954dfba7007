import { openWatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import type { Value } from '@locmetrics/core/domain/value';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';

/** The rows of a Parquet file, which ClickHouse 18.16 cannot read, as lines of `JSONCompactEachRow` with exact numbers. */
export async function readLines(path: string, columns: readonly string[]): Promise<string> {
  const connection = await openWatchedConnection({
    temporaryDirectory: '',
    memoryLimitBytes: 2 ** 28,
    threads: 1,
    signal: undefined,
  });
  try {
    const names = columns.map(quoteIdentifier).join(', ');
    let lines = '';
    for await (const chunk of connection.read(
      `SELECT ${names} FROM read_parquet(${quoteLiteral(path)})`,
    )) {
      const values = columns.map((_, index) => chunk.column(index));
      for (let row = 0; row < chunk.count; row += 1) {
        lines += `[${values.map((read) => jsonText(read(row))).join(',')}]\n`;
      }
    }
    return lines;
  } finally {
    await connection.close();
  }
}

function jsonText(value: Value): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
