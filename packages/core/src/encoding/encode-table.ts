import type { TableFormat } from '@locmetrics/contract/table-formats';
import { encodeCsv } from './csv.ts';

type Cells = readonly (string | number)[];

/** A table with a header in a format beside JSON. */
export function encodeTable(
  format: TableFormat,
  columns: readonly string[],
  rows: readonly Cells[],
): string {
  return ENCODERS[format](columns, rows);
}

type EncodeTable = (columns: readonly string[], rows: readonly Cells[]) => string;

const ENCODERS: Readonly<Record<TableFormat, EncodeTable>> = { csv: encodeCsv };
