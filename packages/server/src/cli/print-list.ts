import type { Output } from './output.ts';
import { formatTable } from './table.ts';

/** Prints a list as JSON or as a table; without rows, a message says what to do. */
export function printList(
  output: Output,
  list: {
    readonly json: boolean | undefined;
    /** The list as JSON. */
    readonly answer: object;
    readonly none: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  },
): void {
  if (list.json) output.data(jsonLine(list.answer));
  else if (list.rows.length === 0) output.messages(`${list.none}\n`);
  else output.data(formatTable(list.columns, list.rows));
}

export function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
