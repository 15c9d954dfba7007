import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';

/** The statement that writes the rows of a query to a Parquet file. */
export function copyToParquetSql(copy: {
  /** The names of its columns are those of the file. */
  readonly query: string;
  readonly path: string;
  /** The key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly rowGroupRows: number;
}): string {
  const { query, path, metadata, rowGroupRows } = copy;
  const entries = Object.entries(metadata).map(
    ([name, value]) => `${quoteLiteral(name)}: ${quoteLiteral(value)}`,
  );
  const options = [
    'FORMAT parquet',
    `ROW_GROUP_SIZE ${rowGroupRows}`,
    // The file is complete once the statement has ended, so it needs no other name until then.
    'USE_TMP_FILE false',
    ...(entries.length === 0 ? [] : [`KV_METADATA {${entries.join(', ')}}`]),
  ];
  return `COPY (${query}) TO ${quoteLiteral(path)} (${options.join(', ')})`;
}

/** The engine holds a row group in memory. Rows with long texts get smaller ones. */
export function rowGroupRows(table: {
  readonly columns: number;
  readonly rows: number;
  readonly textBytes: number;
}): number {
  const { columns, rows, textBytes } = table;
  const rowBytes = columns * VALUE_BYTES + textBytes / Math.max(1, rows);
  return Math.max(ROWS_MIN, Math.min(ROWS_MAX, Math.floor(ROW_GROUP_BYTES / rowBytes)));
}

const VALUE_BYTES = 8;
const ROW_GROUP_BYTES = 32 * 2 ** 20;
const ROWS_MIN = 2048;
/** The default of the engine. */
const ROWS_MAX = 122_880;
