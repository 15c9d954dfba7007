import { numberOf, textOf } from '@locmetrics/column-store/publish/result-row';
import type {
  ListRows,
  WatchedConnection,
} from '@locmetrics/column-store/publish/watched-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { Aggregate, AggregateValue } from '../manifest/row-steps.ts';
import { checkExpression } from './check-expression.ts';
import { explainRows } from './explain-rows.ts';
import { type NumberText, readNumberText } from './number-text.ts';
import {
  type ComputedRows,
  HIDDEN_ROW,
  hiddenColumn,
  type Rows,
  rowsTable,
  SOURCE_ROW,
  storedRows,
  textColumn,
} from './staged-rows.ts';
import { StepError } from './step-error.ts';

/** An aggregation that is checked but not run. */
export type Aggregation = {
  /** The columns of the rows before that it uses. */
  readonly used: readonly string[];
  /** The rows with the columns of `by`, to find the one for which an expression fails. */
  readonly keyed: readonly ComputedRows[];
  /** Makes one row of each group. It has the number of the first row of the group. */
  readonly run: () => Promise<Rows>;
};

export async function aggregateRows(
  { run, list }: Pick<WatchedConnection, 'run' | 'list'>,
  step: Aggregate & { readonly number: number },
  before: Rows,
): Promise<Aggregation> {
  const { by, values, totals, number } = step;
  const keys = ['rows', String(number), 'aggregate'];
  const used: string[] = [];
  const keyed: ComputedRows[] = [];
  const bySql: string[] = [];
  for (const { name, expression } of by) {
    const place = [...keys, 'by', name];
    if (expression === undefined) {
      used.push(expectColumn(name, before, [...keys, 'by']));
      bySql.push(quoteIdentifier(name));
      continue;
    }
    used.push(...(await checkExpression(list, expression, place)));
    const sql = `CAST((${expression}\n) AS VARCHAR)`;
    const computed = { ...before, keys: place, computed: sql };
    await explainRows(list, computed);
    keyed.push(computed);
    bySql.push(sql);
  }
  for (const { name, function: one, column } of values) {
    if (one === 'count' && column === ALL_ROWS) continue;
    used.push(expectColumn(column, before, [...keys, 'values', name, one]));
  }
  const rows = `(SELECT *, ${bySql.map((sql, index) => `${sql} AS ${hiddenColumn('by', index)}`).join(', ')}
    FROM (${before.sql(before.base)}))`;
  const columns = [...by, ...values].map(({ name }) => name);
  return {
    used,
    keyed,
    run: async () => {
      await refuseLabels(list, rows, step, keys);
      const numbers = await measureNumbers(list, rows, values, keys);
      const table = rowsTable(number);
      await run(createSql({ table, rows, by, totals, results: values.map(toResult(numbers)) }));
      return storedRows({ base: table, columns, keys });
    },
  };
}

/** The name by which a count counts the rows. */
const ALL_ROWS = '*';

function expectColumn(name: string, { columns }: Rows, keys: readonly string[]): string {
  if (columns.includes(name)) return name;
  throw new StepError(keys, {
    reason: `there is no column '${name}'`,
    hint: nameHint(name, columns),
  });
}

/** The total over a column could not be distinguished from a value of it. */
async function refuseLabels(
  list: ListRows,
  rows: string,
  { by, totals }: Aggregate,
  keys: readonly string[],
): Promise<void> {
  for (const { name, label } of totals) {
    const column = hiddenColumn(
      'by',
      by.findIndex((one) => one.name === name),
    );
    const [found] = await list(
      `SELECT min(${HIDDEN_ROW})::DOUBLE AS row, count(*)::DOUBLE AS count FROM ${rows}
        WHERE ${column} = ${quoteLiteral(label)}`,
    );
    const count = found === undefined ? 0 : numberOf(found, 'count');
    if (found === undefined || count === 0) continue;
    throw new StepError([...keys, 'totals', name], {
      reason: `is already a value of '${name}'`,
      hint: 'Leave these rows out first with a where step, or give the total another text.',
      rows: [{ row: numberOf(found, 'row'), value: label }],
      count,
    });
  }
}

/** Numbers of a column, and how they are added up. */
type Numbers = NumberText & {
  /** The digits of the fraction if all sums are exact; absent: they are floats. */
  readonly scale: number | undefined;
  readonly digits: number;
};

/** Refuses texts that are no numbers, and finds out whether the others can be added up exactly. */
async function measureNumbers(
  list: ListRows,
  rows: string,
  values: readonly AggregateValue[],
  keys: readonly string[],
): Promise<ReadonlyMap<AggregateValue, Numbers>> {
  const measured = new Map<AggregateValue, Numbers>();
  for (const value of values) {
    if (value.function === 'count') continue;
    const text = quoteIdentifier(value.column);
    const number = readNumberText(text, value.format);
    const isWrong = `NOT ${number.isAbsent} AND NOT ${number.isNumber}`;
    const [row] = await list(
      `SELECT count(*)::DOUBLE AS row_count, count(*) FILTER (${isWrong})::DOUBLE AS wrong,
        count(*) FILTER (contains(lower(plain), 'e'))::DOUBLE AS exponents,
        coalesce(max(length(ltrim(split_part(ltrim(plain, '+-'), '.', 1), '0'))), 0)::DOUBLE AS whole,
        coalesce(max(length(rtrim(split_part(plain, '.', 2), '0'))), 0)::DOUBLE AS fraction
      FROM (SELECT *, CASE WHEN ${number.isNumber} THEN ${number.plain} END AS plain FROM ${rows})`,
    );
    if (row === undefined) throw new Error('An aggregate has a row.');
    const place = [...keys, 'values', value.name, value.function];
    if (numberOf(row, 'wrong') > 0) {
      const examples = await list(
        `SELECT ${HIDDEN_ROW}::DOUBLE AS row, ${text} AS value FROM ${rows}
          WHERE ${isWrong} ORDER BY row LIMIT ${EXAMPLES_MAX}`,
      );
      throw new StepError(place, {
        reason: number.refused,
        hint: NUMBER_HINT,
        rows: examples.map((one) => ({ row: numberOf(one, 'row'), value: textOf(one, 'value') })),
        count: numberOf(row, 'wrong'),
      });
    }
    const scale = numberOf(row, 'fraction');
    const digits = numberOf(row, 'whole') + scale;
    // A sum has more digits than its numbers, and the half of one has more in the fraction.
    const room =
      Math.ceil(Math.log10(numberOf(row, 'row_count') + 1)) + (value.function === 'median' ? 2 : 0);
    const isExact = numberOf(row, 'exponents') === 0 && digits + room <= DIGITS_MAX;
    measured.set(value, { ...number, digits, scale: isExact ? scale : undefined });
  }
  return measured;
}

const EXAMPLES_MAX = 20;
/** The digits of the widest number that the engine adds up exactly. */
const DIGITS_MAX = 38;
/** The digits up to which it does so fast. */
const FAST_DIGITS_MAX = 18;
const NUMBER_HINT =
  'If the files write numbers in another way, declare how they write 1234.5: { sum: Visits, format: "1,234.5" }. To make other texts absent, declare read: { nulls: [...] }. To leave their rows out, add a where step first.';

/** SQL of the text of a result. */
function toResult(
  numbers: ReadonlyMap<AggregateValue, Numbers>,
): (value: AggregateValue) => string {
  return (value) => {
    if (value.function === 'count') {
      if (value.column === ALL_ROWS) return 'count(*)::VARCHAR';
      const { isAbsent } = readNumberText(quoteIdentifier(value.column), undefined);
      return `(count(*) FILTER (NOT ${isAbsent}))::VARCHAR`;
    }
    const number = numbers.get(value);
    if (number === undefined) throw new Error(`The numbers of ${value.name} are not measured.`);
    const { isNumber, plain, scale, digits } = number;
    const cast = (type: string) => `CASE WHEN ${isNumber} THEN CAST(${plain} AS ${type}) END`;
    if (scale === undefined) {
      const float = floatResult(value.function, cast('DOUBLE'));
      return `regexp_replace((${float})::VARCHAR, '[.]0$', '')`;
    }
    const width = digits <= FAST_DIGITS_MAX ? FAST_DIGITS_MAX : DIGITS_MAX;
    return exactResult(value.function, cast(`DECIMAL(${width}, ${scale})`), scale);
  };
}

/** Floats are added up in the order of the rows, so that the same rows give the same result. */
function floatResult(one: Exclude<AggregateValue['function'], 'count'>, value: string): string {
  switch (one) {
    case 'sum':
      return `sum(${value} ORDER BY ${HIDDEN_ROW})`;
    case 'mean':
      return `avg(${value} ORDER BY ${HIDDEN_ROW})`;
    case 'median':
    case 'min':
    case 'max':
      return `${one}(${value})`;
  }
}

function exactResult(
  one: Exclude<AggregateValue['function'], 'count'>,
  value: string,
  scale: number,
): string {
  switch (one) {
    case 'sum':
    case 'min':
    case 'max':
      return withoutZeros(`${one}(${value})`);
    case 'mean':
      // The sum is exact, and its text is the nearest float: only the division rounds.
      return `regexp_replace((CAST((sum(${value}))::VARCHAR AS DOUBLE) / count(${value}))::VARCHAR, '[.]0$', '')`;
    case 'median': {
      // The engine's own median rounds: of 1 and 2 as whole numbers it makes 2.
      const type = `DECIMAL(${DIGITS_MAX}, ${scale})`;
      const lower = `quantile_disc(${value}, 0.5)::${type}`;
      const upper = `(-quantile_disc(-(${value}), 0.5))::${type}`;
      return withoutZeros(`(${lower} + ${upper}) * 0.5::DECIMAL(2, 1)`);
    }
  }
}

/** The text of a decimal without the zeros at the end of its fraction. */
function withoutZeros(decimal: string): string {
  const text = `(${decimal})::VARCHAR`;
  return `CASE WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
}

function createSql({
  table,
  rows,
  by,
  totals,
  results,
}: Pick<Aggregate, 'by' | 'totals'> & {
  readonly table: string;
  readonly rows: string;
  readonly results: readonly string[];
}): string {
  const labels = new Map(totals.map(({ name, label }) => [name, label]));
  const names = by.map((_, index) => hiddenColumn('by', index));
  const groups = by.map(({ name }, index) => {
    const column = names[index] ?? '';
    const label = labels.get(name);
    return label === undefined
      ? column
      : `CASE WHEN grouping(${column}) = 1 THEN ${quoteLiteral(label)} ELSE ${column} END`;
  });
  const summed = names.filter((_, index) => labels.has(by[index]?.name ?? ''));
  const sets = subsets(summed).map((left) => names.filter((name) => !left.includes(name)));
  const level = summed.length === 0 ? '0' : `grouping(${summed.join(', ')})`;
  const texts = [...groups, ...results].map((sql, index) => `${sql} AS ${textColumn(index)}`);
  const columns = texts.map((_, index) => textColumn(index));
  return `CREATE TABLE ${table} AS SELECT ${[SOURCE_ROW, ...columns].join(', ')} FROM (
    SELECT ${[`min(${HIDDEN_ROW}) AS ${SOURCE_ROW}`, `${level} AS level`, ...texts].join(', ')}
    FROM ${rows} GROUP BY GROUPING SETS (${sets.map((set) => `(${set.join(', ')})`).join(', ')}))
    ORDER BY ${SOURCE_ROW}, level`;
}

/** All choices of some of the names, first none. */
function subsets(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** names.length }, (_, choice) =>
    names.filter((_name, index) => (choice & (1 << index)) !== 0),
  );
}
