import { nameHint } from '../../domain/nearest-name.ts';
import type { RowStep, Unpivot } from '../../manifest/row-steps.ts';
import { quoteIdentifier, quoteLiteral } from '../../sql/quote-identifier.ts';
import { EngineError, shortageOf } from '../../storage/duckdb/publish/engine-error.ts';
import { numberOf } from '../../storage/duckdb/publish/result-row.ts';
import type { WatchedConnection } from '../../storage/duckdb/publish/watched-connection.ts';
import { checkExpression } from './check-expression.ts';
import { StepError } from './step-error.ts';
import { unpivotRows } from './unpivot-columns.ts';

/** The database of the rows, and its tables before and after the steps. */
export const ROWS_DATABASE = 'file_rows';
export const RAW_ROWS = `${ROWS_DATABASE}.main.raw_rows`;
export const STEPPED_ROWS = `${ROWS_DATABASE}.main.stepped_rows`;
/** Why a row of the files is invalid as a whole; such rows go through no step. */
export const ROW_REASON = 'row_reason';
/** The number of the row of the files that a row came from. */
export const SOURCE_ROW = 'source_row';

/** A column of the rows before or after the steps, by its index. */
export function textColumn(index: number): string {
  return `text_${index}`;
}

export type Stepped = {
  /** The names of the columns after the steps; those of the expressions follow them in the table. */
  readonly columns: readonly string[];
  /** Those that a step or an expression uses. */
  readonly usedColumns: readonly string[];
  /** Those that tell which column of the files a value came from. */
  readonly unpivotNames: readonly string[];
};

/** Rows as SQL over those of the files, the names of their columns, and the step that makes them. */
type Rows = {
  readonly sql: (raw: string) => string;
  readonly columns: readonly string[];
  readonly place: string;
};

/** The rows after a step, and the columns that it uses of those before. */
type Step = Rows & { readonly used: readonly string[] };

/**
 * Runs the steps over the rows of the files, and computes the expressions of fields. Each row keeps the number of the
 * row that it came from, so that messages name its line.
 */
export async function runSteps(
  connection: Pick<WatchedConnection, 'run' | 'list'>,
  {
    steps,
    expressions,
    columns,
  }: {
    readonly steps: readonly RowStep[];
    readonly expressions: readonly { readonly field: string; readonly sql: string }[];
    /** The columns of the files. */
    readonly columns: readonly string[];
  },
): Promise<Stepped> {
  const stages: Rows[] = [rawRows(columns)];
  const used: string[] = [];
  for (const step of steps) {
    const before = stages.at(-1);
    if (before === undefined) throw new Error('There are no rows.');
    const next = await compileStep(connection, step, before);
    used.push(...next.used);
    stages.push(next);
    await explain(connection, next, []);
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('There are no rows.');
  const computed: string[] = [];
  for (const { field, sql } of expressions) {
    const place = `fields.${field}.expression`;
    used.push(...(await checkExpression(connection.list, sql, place)));
    const column = `CAST((${sql}\n) AS VARCHAR)`;
    await explain(connection, { ...last, place }, [column]);
    computed.push(column);
  }
  try {
    await connection.run(createSql(last, computed));
    const names = new Set(used.map((name) => name.toLowerCase()));
    const usedColumns = last.columns.filter((name) => names.has(name.toLowerCase()));
    const unpivots = steps.flatMap((step) => (step.kind === 'unpivot' ? step.name : []));
    return { columns: last.columns, usedColumns, unpivotNames: unpivots };
  } catch (error) {
    throw await findFailure(connection, error, stages, expressions);
  }
}

function rawRows(columns: readonly string[]): Rows {
  const named = columns.map((name, index) => `${textColumn(index)} AS ${quoteIdentifier(name)}`);
  return {
    sql: (raw) =>
      `SELECT rowid AS ${HIDDEN_ROW}, ${named.join(', ')} FROM ${raw} WHERE ${ROW_REASON} IS NULL`,
    columns,
    place: 'rows',
  };
}

/** A name that no column of a file has, because of the control character. */
const HIDDEN_ROW = quoteIdentifier('\u0001row');
const HIDDEN_ITEM = quoteIdentifier('\u0001item');

function createSql({ sql, columns }: Rows, computed: readonly string[]): string {
  const texts = [...columns.map(quoteIdentifier), ...computed].map(
    (column, index) => `${column} AS ${textColumn(index)}`,
  );
  return `CREATE TABLE ${STEPPED_ROWS} AS
    SELECT ${[`${HIDDEN_ROW} AS ${SOURCE_ROW}`, ...texts].join(', ')} FROM (${sql(RAW_ROWS)})`;
}

async function compileStep(
  { list }: Pick<WatchedConnection, 'list'>,
  step: RowStep,
  before: Rows,
): Promise<Step> {
  const place = `rows[${step.number}].${step.kind}`;
  switch (step.kind) {
    case 'where':
      return {
        ...before,
        used: await checkExpression(list, step.condition, place),
        sql: (raw) => `SELECT * FROM (${before.sql(raw)}) WHERE (${step.condition}\n)`,
        place,
      };
    case 'unpivot':
      return compileUnpivot(step, before, place);
  }
}

function compileUnpivot(unpivot: Unpivot, before: Rows, place: string): Step {
  const rows = unpivotRows(unpivot, before.columns, place);
  const used = new Set(rows.flatMap(({ columns }) => columns));
  const kept = before.columns.filter((column) => !used.has(column));
  const added = [unpivot.name, ...unpivot.values.map(({ name }) => name)];
  const columns = [...kept, ...added];
  const repeated = added.find(
    (name) => columns.filter((one) => one.toLowerCase() === name.toLowerCase()).length > 1,
  );
  if (repeated !== undefined) {
    throw new StepError(place, {
      reason: `there is already a column '${repeated}'`,
      hint: 'Give the new column another name.',
    });
  }
  const items = rows.map(({ name, columns: texts }) => {
    const members = texts.map(
      (text, index) =>
        `value_${index}: ${text === undefined ? 'NULL::VARCHAR' : quoteIdentifier(text)}`,
    );
    return `{name: ${quoteLiteral(name)}, ${members.join(', ')}}`;
  });
  const values = unpivot.values.map(
    ({ name }, index) => `${HIDDEN_ITEM}.value_${index} AS ${quoteIdentifier(name)}`,
  );
  const keptColumns = [HIDDEN_ROW, ...kept.map(quoteIdentifier)].join(', ');
  return {
    sql: (
      raw,
    ) => `SELECT ${keptColumns}, ${HIDDEN_ITEM}.name AS ${quoteIdentifier(unpivot.name)}, ${values.join(', ')}
      FROM (SELECT ${keptColumns}, unnest([${items.join(', ')}]) AS ${HIDDEN_ITEM} FROM (${before.sql(raw)}))`,
    columns,
    place,
    used: [],
  };
}

/** Binds the names and types of a step without running it. */
async function explain(
  { list }: Pick<WatchedConnection, 'list'>,
  { sql, columns, place }: Rows,
  computed: readonly string[],
): Promise<void> {
  try {
    await list(`EXPLAIN SELECT ${[HIDDEN_ROW, ...computed].join(', ')} FROM (${sql(RAW_ROWS)})`);
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    const [, unknown] = /^Referenced column "(.*?)" not found/.exec(error.reason) ?? [];
    throw new StepError(place, {
      reason:
        unknown === undefined
          ? `cannot be run (${error.reason})`
          : `there is no column '${unknown}'`,
      hint:
        unknown === undefined
          ? 'The columns are texts: cast them, such as TRY_CAST("Count" AS BIGINT).'
          : `${nameHint(unknown, columns)} Put a name into double quotes, and a text into single ones.`,
      cause: error,
    });
  }
}

/** Finds the step and the row that an error of the engine is about. Any other error is returned unchanged. */
async function findFailure(
  connection: Pick<WatchedConnection, 'list'>,
  error: unknown,
  stages: readonly Rows[],
  expressions: readonly { readonly field: string; readonly sql: string }[],
): Promise<unknown> {
  if (!(error instanceof EngineError) || shortageOf(error) !== undefined) return error;
  const last = stages.at(-1);
  const candidates = [
    ...stages.map((rows) => ({ ...rows, computed: HIDDEN_ROW })),
    ...expressions.flatMap(({ field, sql }) =>
      last === undefined
        ? []
        : [{ ...last, place: `fields.${field}.expression`, computed: `(${sql}\n)` }],
    ),
  ];
  const [row] = await connection.list(`SELECT count(*)::DOUBLE AS count FROM ${RAW_ROWS}`);
  const rowCount = row === undefined ? 0 : numberOf(row, 'count');
  for (const { sql, place, computed } of candidates) {
    const failureWithin = async (from: number, to: number): Promise<EngineError | undefined> => {
      // The rows are limited first, so that no other row is looked at.
      const limited = sql(
        `(SELECT *, rowid FROM ${RAW_ROWS} WHERE rowid >= ${from} AND rowid < ${to})`,
      );
      try {
        await connection.list(`SELECT count(${computed})::DOUBLE AS count FROM (${limited})`);
        return undefined;
      } catch (failure) {
        if (failure instanceof EngineError && shortageOf(failure) === undefined) return failure;
        throw failure;
      }
    };
    let failure = await failureWithin(0, rowCount);
    if (failure === undefined) continue;
    let from = 0;
    let to = rowCount;
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      const left = await failureWithin(from, middle);
      if (left === undefined) from = middle;
      else {
        to = middle;
        failure = left;
      }
    }
    return new StepError(place, {
      reason: `cannot be computed (${failure.reason})`,
      hint: 'TRY_CAST makes an absent value of a text that cannot be cast; TRY(…) does so for any expression.',
      row: from,
      cause: error,
    });
  }
  return error;
}
