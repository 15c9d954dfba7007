import { strict as assert } from 'node:assert';
import type { Dataset } from '../domain/dataset.ts';
import type { Period } from '../domain/period.ts';
import { periodText } from '../domain/period-text.ts';
import { quoteIdentifier, quoteLiteral } from '../sql/quote-identifier.ts';
import { attachReadOnlySql } from '../storage/duckdb/attach-database.ts';
import { RECORD_TABLE, ROW_COLUMN } from '../storage/duckdb/record-table.ts';
import { type ImportConnection, STAGE_TABLE } from './import-connection.ts';
import { PublishError } from './publish-error.ts';
import { shownKey } from './record-words.ts';
import { numberOf } from './result-row.ts';
import { columnsOf, type RowCheck } from './row-checks.ts';
import { isRefusedRow, valueColumn } from './stage-rows.ts';

/** The rows of a version of which the new one has all, or all but those of a period. */
export type BaseRows = {
  readonly version: string;
  readonly columnFile: string;
  readonly replaced: Period | undefined;
};

const BASE_DATABASE = 'base';
const BASE_TABLE = `${BASE_DATABASE}.${RECORD_TABLE}`;

/** Makes the rows readable, and counts those that stay and those that are replaced. */
export async function attachBase(
  connection: ImportConnection,
  dataset: Dataset,
  base: BaseRows,
): Promise<{ readonly carriedOver: number; readonly replaced: number }> {
  await connection.run(attachReadOnlySql(base.columnFile, BASE_DATABASE));
  await refuseCutPeriods(connection, dataset, base);
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS total, count(*) FILTER (${isKept(dataset, base)})::DOUBLE AS kept
      FROM ${BASE_TABLE}`,
  );
  assert(row !== undefined);
  const carriedOver = numberOf(row, 'kept');
  return { carriedOver, replaced: numberOf(row, 'total') - carriedOver };
}

/** A record of which only some days would be replaced would be left out whole, or counted twice. */
async function refuseCutPeriods(
  connection: ImportConnection,
  dataset: Dataset,
  { version, replaced }: BaseRows,
): Promise<void> {
  if (replaced === undefined) return;
  const { start, end, first, last } = periodSql(dataset, replaced);
  const wanted = [...new Set([...dataset.key, ...periodFields(dataset)])];
  const columns = wanted.map(
    (name, index) => `${quoteIdentifier(name)}::VARCHAR AS value_${index}`,
  );
  const [row] = await connection.list(
    `SELECT ${columns.join(', ')}, count(*) OVER ()::DOUBLE AS count FROM ${BASE_TABLE}
      WHERE ${start} <= ${last} AND ${end} >= ${first} AND (${start} < ${first} OR ${end} > ${last})
      ORDER BY ${ROW_COLUMN} LIMIT 1`,
  );
  if (row === undefined) return;
  const count = numberOf(row, 'count');
  const values = wanted.map((_, index) => String(row[`value_${index}`] ?? ''));
  throw new PublishError(
    `${periodText(replaced)} cannot be replaced in ${dataset.name}: ${count === 1 ? '1 record' : `${count.toLocaleString('en-US')} records`} of version ${version} ${count === 1 ? 'lies' : 'lie'} only partly in it, for example ${shownKey(wanted, values)}.`,
    'Replace a period that begins and ends where those of the records do.',
  );
}

/** A query of the rows that stay, with the columns of the stage. */
export function keptRowsSql(dataset: Dataset, base: BaseRows): string {
  const columns = dataset.fields.map(
    ({ name }, index) => `${quoteIdentifier(name)} AS ${valueColumn(index)}`,
  );
  return `SELECT ${columns.join(', ')} FROM ${BASE_TABLE} WHERE ${isKept(dataset, base)}`;
}

/** A record without one of its days lies in no period. */
function isKept(dataset: Dataset, { replaced }: BaseRows): string {
  if (replaced === undefined) return 'true';
  const { start, end, first, last } = periodSql(dataset, replaced);
  return `(${start} >= ${first} AND ${end} <= ${last}) IS NOT true`;
}

function periodSql(dataset: Dataset, { start: first, end: last }: Period) {
  const [start, end] = periodFields(dataset);
  return {
    start: quoteIdentifier(start),
    end: quoteIdentifier(end),
    first: `DATE ${quoteLiteral(first)}`,
    last: `DATE ${quoteLiteral(last)}`,
  };
}

function periodFields({ name, period }: Dataset): readonly [string, string] {
  if (period === undefined) throw new Error(`${name} has no period.`);
  return [period.start, period.end];
}

/** The rows of the files that have the key of a row that stays, but for those that are left out. */
export function keptKeyCheck(dataset: Dataset, base: BaseRows, isLeftOut = 'false'): RowCheck {
  const values = dataset.key.map((name) => columnsOf(dataset, name).value);
  const names = values.join(', ');
  return {
    field: dataset.key.join(', '),
    from: `(SELECT staged.*, staged.rowid FROM ${STAGE_TABLE} AS staged
      SEMI JOIN (${keptRowsSql(dataset, base)}) USING (${names}))`,
    condition: `NOT ${isLeftOut}`,
    shown: `concat_ws(', ', ${values.map((value) => `${value}::VARCHAR`).join(', ')})`,
    reason: quoteLiteral(`${KEPT_KEY_REASON} ${base.version}`),
  };
}

/** How the reason begins for a key that stands in what stays of the current version. */
export const KEPT_KEY_REASON = 'stands already in version';

/** The rows of the files that do not lie within the period that they replace; each is told once. */
export function replacedPeriodChecks(dataset: Dataset, replaced: Period): readonly RowCheck[] {
  const [start, end] = periodFields(dataset);
  const days = `BETWEEN DATE ${quoteLiteral(replaced.start)} AND DATE ${quoteLiteral(replaced.end)}`;
  const [first, last] = [columnsOf(dataset, start), columnsOf(dataset, end)];
  const reason = quoteLiteral(`is not within ${periodText(replaced)}, which is replaced`);
  const absent = quoteLiteral(`the day is absent, but ${periodText(replaced)} is replaced`);
  const isAbsent = ({ value, isFieldRefused }: typeof first) =>
    `(${value} IS NULL AND NOT ${isFieldRefused} AND NOT ${isRefusedRow(dataset)})`;
  const check = (field: string, { value }: typeof first, condition: string): RowCheck => ({
    field,
    condition,
    shown: `${value}::VARCHAR`,
    reason: `CASE WHEN ${value} IS NULL THEN ${absent} ELSE ${reason} END`,
  });
  return [
    check(start, first, `(${first.value} NOT ${days} OR ${isAbsent(first)})`),
    ...(start === end
      ? []
      : [
          check(
            end,
            last,
            `(${first.value} ${days} AND (${last.value} NOT ${days} OR ${isAbsent(last)}))`,
          ),
        ]),
  ];
}
