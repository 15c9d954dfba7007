import { attachReadOnlySql } from '@locmetrics/column-store/attach-database';
import {
  type ImportConnection,
  SORTED_TABLE,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import {
  countKept,
  findCutRecords,
  keptRecordsSql,
} from '@locmetrics/column-store/publish/kept-records';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { keyColumns, sortedColumn } from '@locmetrics/column-store/publish/sort-records';
import type { BaseRecords } from '@locmetrics/column-store/publish/version-writer';
import { recordTable } from '@locmetrics/column-store/record-table';
import type { Period } from '@locmetrics/core/dates/period';
import { periodText } from '@locmetrics/core/dates/period-text';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { PublishError } from '../problems/publish-error.ts';
import { shownKey } from '../problems/record-words.ts';
import { columnsOf, type RowCheck } from './row-checks.ts';
import { isRefusedRow, valueColumn } from './stage-rows.ts';

/** A version whose rows are kept in the new one: all of them, or all outside a replaced period. */
export type BaseRows = {
  readonly version: string;
  /** The folder of the version. */
  readonly folder: string;
  /** The files that its rows were made of. */
  readonly sources: readonly { readonly sha256: string }[];
  /** The names of its derived files that are known to be whole. */
  readonly wholeFiles: readonly string[];
  /** Whether the dataset is declared exactly as in it. */
  readonly isDeclaredAlike: boolean;
  readonly replaced: Period | undefined;
};

const BASE_DATABASE = 'base';
const BASE_TABLE = recordTable(BASE_DATABASE);

/** Attaches the rows, and counts the kept and the replaced ones. */
export async function attachBase(
  connection: ImportConnection,
  dataset: Dataset,
  { version, folder, replaced }: BaseRows,
): Promise<{ readonly carriedOver: number; readonly replaced: number }> {
  await connection.run(attachReadOnlySql(folder, BASE_DATABASE));
  const records = { connection, table: BASE_TABLE };
  if (replaced !== undefined) {
    // If only some days of a record are replaced, it would be lost, or its other days counted twice.
    const wanted = [...new Set([...dataset.key, ...periodFields(dataset)])];
    const { count, example } = await findCutRecords(records, dataset, replaced, wanted);
    if (count > 0) {
      const lie = count === 1 ? '1 record' : `${count.toLocaleString('en-US')} records`;
      throw new PublishError(
        `${periodText(replaced)} cannot be replaced in ${dataset.name}: ${lie} of version ${version} would be cut in two, for example ${shownKey(wanted, example)}.`,
        'Replace a period that starts and ends with periods of the records.',
      );
    }
  }
  const counted = await countKept(records, dataset, replaced);
  return { carriedOver: counted.kept, replaced: counted.replaced };
}

function periodFields({ name, period }: Dataset): readonly [string, string] {
  if (period === undefined) throw new Error(`${name} has no period.`);
  return [period.start, period.end];
}

/** The attached rows, as the writers of the new version take them. */
export function baseRecordsOf(
  { folder, wholeFiles, isDeclaredAlike, replaced }: BaseRows,
  options: {
    /** Whether the new version has other rows, or lacks some of these. */
    readonly isChanged: boolean;
    readonly memoryLimitBytes: number;
  },
): BaseRecords {
  return {
    table: BASE_TABLE,
    folder,
    wholeFiles,
    replaced,
    isSame: isDeclaredAlike && !options.isChanged,
    partBytes: options.memoryLimitBytes * PART_SHARE,
  };
}

/** A part is twice as large, with the new rows, and is copied while it is sorted. */
const PART_SHARE = 1 / 16;

/** The number of sorted rows whose key a kept row has. */
export async function countKeptKeys(
  { list }: ImportConnection,
  dataset: Dataset,
  { replaced }: BaseRows,
): Promise<number> {
  const kept = keptRecordsSql(dataset, { table: BASE_TABLE, replaced, column: sortedColumn });
  const [row] = await list(
    `SELECT count(*)::DOUBLE AS count
      FROM ${SORTED_TABLE} SEMI JOIN (${kept}) USING (${keyColumns(dataset).join(', ')})`,
  );
  return row === undefined ? 0 : numberOf(row, 'count');
}

/** SQL of the rows of a table without those that a kept row equals in all fields. */
export function withoutKeptRows(dataset: Dataset, { replaced }: BaseRows, table: string): string {
  const kept = keptRecordsSql(dataset, { table: BASE_TABLE, replaced, column: valueColumn });
  return `(SELECT staged.* FROM ${table} AS staged ANTI JOIN (${kept}) AS kept ON ${isSameRow(dataset)})`;
}

function isSameRow({ fields }: Dataset): string {
  const equal = fields.map(
    (_, index) => `staged.${valueColumn(index)} IS NOT DISTINCT FROM kept.${valueColumn(index)}`,
  );
  return equal.join(' AND ');
}

/**
 * Finds rows of the files whose key a kept row has, with `mayBeSame` only those that differ from it. Rows that are left
 * out do not count.
 */
export function keptKeyCheck(
  dataset: Dataset,
  base: BaseRows,
  {
    isLeftOut = 'false',
    mayBeSame,
  }: { readonly isLeftOut?: string | undefined; readonly mayBeSame: boolean },
): RowCheck {
  const values = dataset.key.map((name) => columnsOf(dataset, name).value);
  const { replaced, version } = base;
  const kept = keptRecordsSql(dataset, { table: BASE_TABLE, replaced, column: valueColumn });
  const isSameKey = values.map((value) => `staged.${value} = kept.${value}`);
  const isFound = [...isSameKey, ...(mayBeSame ? [`NOT (${isSameRow(dataset)})`] : [])];
  return {
    field: dataset.key.join(', '),
    from: `(SELECT staged.*, staged.rowid FROM ${STAGE_TABLE} AS staged
      SEMI JOIN (${kept}) AS kept ON ${isFound.join(' AND ')})`,
    condition: `NOT ${isLeftOut}`,
    shown: `concat_ws(', ', ${values.map((value) => `${value}::VARCHAR`).join(', ')})`,
    reason: `'${KEPT_KEY_REASON} ${version}${mayBeSame ? ', with other values' : ''}'`,
  };
}

/** The start of the reason for a key that already exists in the kept rows. */
export const KEPT_KEY_REASON = 'is already in version';

/** Finds rows of the files outside the replaced period. Each is reported once. */
export function replacedPeriodChecks(dataset: Dataset, replaced: Period): readonly RowCheck[] {
  const [start, end] = periodFields(dataset);
  const shown = periodText(replaced);
  const within = `BETWEEN DATE '${replaced.start}' AND DATE '${replaced.end}'`;
  const check = (field: string, condition = 'true'): RowCheck => {
    const { value, isFieldRefused } = columnsOf(dataset, field);
    const isAbsent = `${value} IS NULL AND NOT ${isFieldRefused} AND NOT ${isRefusedRow(dataset)}`;
    return {
      field,
      condition: `(${condition} AND (${value} NOT ${within} OR (${isAbsent})))`,
      shown: `${value}::VARCHAR`,
      reason: `CASE WHEN ${value} IS NULL THEN 'the day is absent, but ${shown} is replaced'
        ELSE 'is not within ${shown}, which is replaced' END`,
    };
  };
  if (start === end) return [check(start)];
  return [check(start), check(end, `${columnsOf(dataset, start).value} ${within}`)];
}
