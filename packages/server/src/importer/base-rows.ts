import type { Dataset } from '../domain/dataset.ts';
import type { Period } from '../domain/period.ts';
import { periodText } from '../domain/period-text.ts';
import { attachReadOnlySql } from '../storage/duckdb/attach-database.ts';
import { countKept, findCutRecords, keptRecordsSql } from '../storage/duckdb/kept-records.ts';
import { type ImportConnection, JOINED_TABLE, STAGE_TABLE } from './import-connection.ts';
import { PublishError } from './publish-error.ts';
import { shownKey } from './record-words.ts';
import { columnsOf, type RowCheck } from './row-checks.ts';
import { isRefusedRow, valueColumn } from './stage-rows.ts';

/** The rows of a version of which the new one has all, or all but those of a period. */
export type BaseRows = {
  readonly version: string;
  readonly columnFile: string;
  readonly replaced: Period | undefined;
};

const BASE_DATABASE = 'base';

/** Makes the rows readable, and counts those that stay and those that are replaced. */
export async function attachBase(
  { run, list }: ImportConnection,
  dataset: Dataset,
  { version, columnFile, replaced }: BaseRows,
): Promise<{ readonly carriedOver: number; readonly replaced: number }> {
  await run(attachReadOnlySql(columnFile, BASE_DATABASE));
  const records = { list, database: BASE_DATABASE };
  if (replaced !== undefined) {
    // A record of which some days are replaced would be lost, or its other days counted twice.
    const wanted = [...new Set([...dataset.key, ...periodFields(dataset)])];
    const { count, example } = await findCutRecords(records, dataset, replaced, wanted);
    if (count > 0) {
      const lie = count === 1 ? '1 record' : `${count.toLocaleString('en-US')} records`;
      throw new PublishError(
        `${periodText(replaced)} cannot be replaced in ${dataset.name}: ${lie} of version ${version} would be cut in two, for example ${shownKey(wanted, example)}.`,
        'Replace a period that begins and ends where those of the records do.',
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

/**
 * Makes a table of the rows that stay and those of the files, with the columns of the stage.
 *
 * A sort that reads both by a union is not spilled to the disk: with 100 million rows it ended without
 * memory after some seconds, whatever the limit.
 */
export async function joinKeptRows(
  { run }: ImportConnection,
  dataset: Dataset,
  base: BaseRows,
  /** SQL of a table of those of the files. */
  table: string,
): Promise<string> {
  const columns = dataset.fields.map((_, index) => valueColumn(index)).join(', ');
  await run(`CREATE TABLE ${JOINED_TABLE} AS ${keptRowsSql(dataset, base)}`);
  await run(`INSERT INTO ${JOINED_TABLE} SELECT ${columns} FROM ${table}`);
  return JOINED_TABLE;
}

/** A query of the rows that stay, with the columns of the stage. */
function keptRowsSql(dataset: Dataset, { replaced }: BaseRows): string {
  return keptRecordsSql(dataset, { database: BASE_DATABASE, replaced, column: valueColumn });
}

/** The rows of the files that have the key of a row that stays, but for those that are left out. */
export function keptKeyCheck(dataset: Dataset, base: BaseRows, isLeftOut = 'false'): RowCheck {
  const values = dataset.key.map((name) => columnsOf(dataset, name).value);
  return {
    field: dataset.key.join(', '),
    from: `(SELECT staged.*, staged.rowid FROM ${STAGE_TABLE} AS staged
      SEMI JOIN (${keptRowsSql(dataset, base)}) USING (${values.join(', ')}))`,
    condition: `NOT ${isLeftOut}`,
    shown: `concat_ws(', ', ${values.map((value) => `${value}::VARCHAR`).join(', ')})`,
    reason: `'${KEPT_KEY_REASON} ${base.version}'`,
  };
}

/** How the reason begins for a key that stands in what stays of the current version. */
export const KEPT_KEY_REASON = 'is already in version';

/** The rows of the files that do not lie within the period that they replace; each is told once. */
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
