import {
  type ImportConnection,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { isRefused, isRefusedRow, refusedRow, refusedValue, valueColumn } from './stage-rows.ts';

/** A check of the staged rows: SQL over a row, and the message for the rows that it finds. */
export type RowCheck = {
  /** The field, or the fields of a composite key; absent for a problem of the whole row. */
  readonly field?: string;
  readonly condition: string;
  /** SQL of the shown text (NULL for none) and of the reason. */
  readonly shown: string;
  readonly reason: string;
  /** SQL of a number among the staged rows: the row that this one repeats. */
  readonly earlierRow?: string;
  /** SQL of the value that the shown one is compared with; the reason ends with it. */
  readonly otherValue?: string;
  /** SQL of the table of the rows, if it is not the stage itself. */
  readonly from?: string;
};

/** All checks except the one for unique keys. */
export function rowChecks(dataset: Dataset): readonly RowCheck[] {
  return [
    {
      condition: isRefusedRow(dataset),
      shown: `${refusedRow(dataset)}.shown`,
      reason: `${refusedRow(dataset)}.reason`,
    },
    ...dataset.fields.map((field, index) => ({
      field: field.name,
      condition: isRefused(index),
      shown: `${refusedValue(index)}.shown`,
      reason: `${refusedValue(index)}.reason`,
    })),
    ...dataset.key.map((name) => {
      const { value, isFieldRefused } = columnsOf(dataset, name);
      return {
        field: name,
        condition: `${value} IS NULL AND NOT ${isFieldRefused} AND NOT ${isRefusedRow(dataset)}`,
        shown: 'NULL',
        reason: `'the key is absent'`,
      };
    }),
    ...pointChecks(dataset),
    ...orderChecks(dataset, dataset.period),
    ...orderChecks(dataset, dataset.existence),
  ];
}

/** The staged value of a field, and whether the original was refused. */
export function columnsOf(
  dataset: Dataset,
  name: string,
): { readonly value: string; readonly isFieldRefused: string } {
  const index = dataset.fields.findIndex((field) => field.name === name);
  return { value: valueColumn(index), isFieldRefused: isRefused(index) };
}

function pointChecks(dataset: Dataset): readonly RowCheck[] {
  const { point } = dataset;
  if (point === undefined) return [];
  return [
    [point.latitude, point.longitude],
    [point.longitude, point.latitude],
  ].flatMap(([absent, present]) => {
    if (absent === undefined || present === undefined) return [];
    const { value, isFieldRefused } = columnsOf(dataset, absent);
    return {
      field: absent,
      condition: `${value} IS NULL AND NOT ${isFieldRefused}
        AND ${columnsOf(dataset, present).value} IS NOT NULL`,
      shown: 'NULL',
      reason: `'the value is absent, but that of ${present} is not'`,
    };
  });
}

function orderChecks(
  dataset: Dataset,
  span: { readonly start?: string; readonly end?: string } | undefined,
): readonly RowCheck[] {
  if (span?.start === undefined || span.end === undefined) return [];
  const start = columnsOf(dataset, span.start).value;
  const end = columnsOf(dataset, span.end).value;
  return [
    {
      field: span.end,
      condition: `${end} < ${start}`,
      shown: `${end}::VARCHAR`,
      reason: `'is before ${span.start}'`,
      otherValue: start,
    },
  ];
}

/** The number of rows that each check finds, in one pass over the staged rows. */
export async function countFoundRows(
  connection: ImportConnection,
  checks: readonly RowCheck[],
): Promise<readonly number[]> {
  const counts = checks.map(
    ({ condition }, index) => `count(*) FILTER (${condition})::DOUBLE AS count_${index}`,
  );
  const [row] = await connection.list(`SELECT ${counts.join(', ')} FROM ${STAGE_TABLE}`);
  return row === undefined ? [] : checks.map((_, index) => numberOf(row, `count_${index}`));
}

/**
 * The check for rows whose key an earlier row has. It collects the keys of all rows, so it only runs if a
 * problem is known; otherwise equal keys are found by the sort. Rows for which `isLeftOut`, SQL over their
 * `rowid`, is true do not count.
 */
export function repeatedKeyCheck(dataset: Dataset, isLeftOut = 'false'): RowCheck {
  const values = dataset.key.map((name) => columnsOf(dataset, name).value);
  const isPresent = values.map((value) => `${value} IS NOT NULL`).join(' AND ');
  const names = values.join(', ');
  return {
    field: dataset.key.join(', '),
    from: `(SELECT staged.*, staged.rowid, earlier_row FROM ${STAGE_TABLE} AS staged
      JOIN (SELECT ${names}, min(rowid) AS earlier_row FROM ${STAGE_TABLE}
        WHERE ${isPresent} AND NOT ${isLeftOut} GROUP BY ${names} HAVING count(*) > 1) USING (${names}))`,
    condition: `rowid <> earlier_row AND NOT ${isLeftOut}`,
    shown: `concat_ws(', ', ${values.map((value) => `${value}::VARCHAR`).join(', ')})`,
    reason: `'${REPEATED_KEY_REASON}'`,
    earlierRow: 'earlier_row',
  };
}

export const REPEATED_KEY_REASON = 'is already in another row';
