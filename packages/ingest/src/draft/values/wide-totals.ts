import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { RAW_ROWS, textColumn } from '../../steps/staged-rows.ts';
import { unpivotedColumns } from '../../steps/unpivot-columns.ts';
import type { WideColumns } from './find-wide-columns.ts';

/**
 * Leaves out the columns that are the sums or the means of those that become rows, whatever their names are, and says if
 * a column that is called a total is none.
 */
export async function withWideTotals(
  connection: ImportConnection,
  wide: WideColumns,
  {
    columns,
    decimalMark,
  }: { readonly columns: readonly string[]; readonly decimalMark: '.' | ',' | undefined },
): Promise<WideColumns> {
  const others = columns.filter((column) => !wide.used.includes(column));
  const groups = wide.values.map((value) =>
    unpivotedColumns({ name: '', values: [value] }, columns),
  );
  const found: { readonly column: string; readonly kind: 'sum' | 'mean' }[] = [];
  const doubts: string[] = [];
  const numberAt = (column: string) => numberSql(textColumn(columns.indexOf(column)), decimalMark);
  for (const column of await numbersOf(connection, others, numberAt)) {
    const counted: Compared[] = [];
    for (const group of groups) {
      const parts = partsOf(group, column).map(numberAt);
      if (parts.length > 1) counted.push(await compare(connection, numberAt(column), parts));
    }
    const best = (name: 'sums' | 'means') =>
      counted.find((one) => one.rows > 0 && one[name] >= one.rows * MOST && one[name] > 0);
    const isNamed = wide.sums.includes(column);
    const [sum, mean] = [best('sums'), best('means')];
    const isEnough = (rows = 0) => isNamed || rows >= ROWS_MIN;
    if (sum !== undefined && isEnough(sum.rows)) found.push({ column, kind: 'sum' });
    else if (mean !== undefined && isEnough(mean.rows)) found.push({ column, kind: 'mean' });
    else if (isNamed) doubts.push(...otherTotal(column, counted));
  }
  const shown = found.map(({ column, kind }) => `${column} is the ${kind} of these columns`);
  const sums = others.filter(
    (column) => wide.sums.includes(column) || found.some((one) => one.column === column),
  );
  return {
    ...wide,
    sums,
    notes: [...(wide.notes ?? []), ...(shown.length === 0 ? [] : [`${shown.join('; ')}.`])],
    doubts: [...(wide.doubts ?? []), ...doubts],
  };
}

/** The columns of which most values are numbers: only these can be sums. */
async function numbersOf(
  connection: ImportConnection,
  columns: readonly string[],
  numberAt: (column: string) => string,
): Promise<readonly string[]> {
  if (columns.length === 0) return [];
  const counts = columns.map(
    (column, index) => `count(${numberAt(column)})::DOUBLE AS numbers_${index}`,
  );
  const [row] = await connection.list(
    `SELECT ${counts.join(', ')}, count(*)::DOUBLE AS rows FROM (SELECT * FROM ${RAW_ROWS} LIMIT ${SAMPLE})`,
  );
  return columns.filter(
    (_, index) =>
      row !== undefined && numberOf(row, `numbers_${index}`) * 2 >= numberOf(row, 'rows'),
  );
}

const SAMPLE = 1000;

/** Of columns for several years, those of the year in the name of a total. */
function partsOf(group: readonly string[], column: string): readonly string[] {
  const [year, ...others] = column.match(/(?<!\d)(19|20)\d\d(?!\d)/g) ?? [];
  const own = group.filter((one) => year !== undefined && one.includes(year));
  return others.length > 0 || own.length === 0 ? group : own;
}

function otherTotal(column: string, counted: readonly Compared[]): readonly string[] {
  const [first] = counted.toSorted((left, right) => right.sums - left.sums);
  if (first === undefined || first.rows === 0) return [];
  return [
    `${column} is left out, though it is the sum of these columns in only ${shownCount(first.sums)} of ${shownCount(first.rows)} rows. If it is something else, remove this step and declare it as a field.`,
  ];
}

type Compared = { readonly rows: number; readonly sums: number; readonly means: number };

async function compare(
  connection: ImportConnection,
  total: string,
  parts: readonly string[],
): Promise<Compared> {
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS rows,
        count(*) FILTER (abs(total - sum) <= ${ROUNDED} + abs(sum) * 1e-9)::DOUBLE AS sums,
        count(*) FILTER (abs(total - sum / filled) <= greatest(abs(sum / filled) * ${ROUNDED_MEAN}, ${HUNDREDTHS}))::DOUBLE AS means
      FROM (SELECT total, list_sum(parts) AS sum, list_count(parts) AS filled FROM
        (SELECT ${total} AS total, [${parts.join(', ')}] AS parts FROM ${RAW_ROWS}))
      WHERE total IS NOT NULL AND filled > 1 AND sum <> 0`,
  );
  if (row === undefined) return { rows: 0, sums: 0, means: 0 };
  return {
    rows: numberOf(row, 'rows'),
    sums: numberOf(row, 'sums'),
    means: numberOf(row, 'means'),
  };
}

/** The number of a text with separators, a sign or a unit. A letter before its digits makes a code of them. */
function numberSql(text: string, mark: '.' | ',' | undefined): string {
  const digits = `regexp_replace(${text}, '[^0-9.,-]', '', 'g')`;
  const plain =
    mark === ',' ? `replace(replace(${digits}, '.', ''), ',', '.')` : `replace(${digits}, ',', '')`;
  return `CASE WHEN NOT regexp_matches(${text}, '^[^0-9]*\\pL') THEN TRY_CAST(${plain} AS DOUBLE) END`;
}

function shownCount(count: number): string {
  return count.toLocaleString('en-US');
}

const MOST = 0.9;
/** Other numbers are equal in one row by chance. */
const ROWS_MIN = 2;
const ROUNDED = 0.51;
const ROUNDED_MEAN = 0.005;
const HUNDREDTHS = 0.051;
