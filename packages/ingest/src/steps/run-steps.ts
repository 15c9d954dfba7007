import { EngineError } from '@locmetrics/column-store/publish/engine-error';
import type { WatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import { sizeText } from '@locmetrics/core/errors/size-text';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { RowStep, Unpivot } from '../manifest/row-steps.ts';
import { aggregateRows } from './aggregate-rows.ts';
import { checkExpression } from './check-expression.ts';
import { explainRows, findFailure } from './explain-rows.ts';
import { fillDown } from './fill-down.ts';
import { joinRows, type Lookup } from './join-rows.ts';
import { selectRows } from './select-rows.ts';
import {
  type ComputedRows,
  HIDDEN_ITEM,
  HIDDEN_ROW,
  RAW_ROWS,
  ROW_REASON,
  type Rows,
  SOURCE_ROW,
  STEPPED_ROWS,
  storedRows,
  textColumn,
} from './staged-rows.ts';
import { placeText, StepError } from './step-error.ts';
import { explainStop, tryFirstRows } from './stopped-step.ts';
import { unnestRows } from './unnest-rows.ts';
import { unpivotRows } from './unpivot-columns.ts';

export type Stepped = {
  /** The names of the columns after the steps; those of the expressions follow them in the table. */
  readonly columns: readonly string[];
  /** Those that a step or an expression uses. */
  readonly usedColumns: readonly string[];
  /** Those that tell the rows with one source apart: of an unpivot, or by which rows were aggregated. */
  readonly notedColumns: readonly string[];
  /** The step whose SQL made the rows, so that none of the files is the source of one. */
  readonly origin: string | undefined;
  readonly notices: readonly string[];
};

type Connection = Pick<WatchedConnection, 'run' | 'list'>;

/** The steps that were run or prepared so far. */
type Progress = {
  /** The rows after each step since those of a table. */
  readonly stages: readonly [Rows, ...Rows[]];
  readonly used: readonly string[];
  readonly noted: readonly string[];
  readonly origin: string | undefined;
  readonly notices: readonly string[];
};

/**
 * Runs the steps over the rows of the files, and computes the expressions of fields. Each row keeps the number of the
 * row that it came from, so that messages name its line.
 *
 * A step that sees one row at a time is SQL over the rows before it. A step that sees all rows writes a table.
 */
export async function runSteps(
  connection: Connection,
  {
    steps,
    expressions,
    columns,
    nulls = [],
    lookups,
    fileStarts = [],
  }: {
    readonly steps: readonly RowStep[];
    readonly expressions: readonly { readonly field: string; readonly sql: string }[];
    /** The columns of the files. */
    readonly columns: readonly string[];
    /** The texts that mean an absent value, for lists. */
    readonly nulls?: readonly string[];
    readonly lookups: readonly Lookup[];
    /** The numbers of the first rows of the files. */
    readonly fileStarts?: readonly number[];
  },
): Promise<Stepped> {
  const raw = storedRows({
    base: RAW_ROWS,
    baseRow: 'rowid',
    columns,
    keys: ['rows'],
    condition: `${ROW_REASON} IS NULL`,
  });
  let progress: Progress = { stages: [raw], used: [], noted: [], origin: undefined, notices: [] };
  for (const step of steps) {
    const { origin } = progress;
    progress = await runStep(connection, step, { progress, nulls, lookups, fileStarts }).catch(
      (error: unknown) => {
        const place = ['rows', String(step.number), step.kind === 'unnest' ? 'unpivot' : step.kind];
        throw withOrigin(explainStop(error, [place]), origin);
      },
    );
  }
  const { origin, noted, notices } = progress;
  try {
    const { used, columns: left } = await writeRows(connection, progress, expressions);
    const names = new Set(used.map((name) => name.toLowerCase()));
    const usedColumns = left.filter((name) => names.has(name.toLowerCase()));
    return { columns: left, usedColumns, notedColumns: noted, origin, notices };
  } catch (error) {
    throw withOrigin(error, origin);
  }
}

/** After a step with SQL, rows are those of its result. */
function withOrigin(error: unknown, origin: string | undefined): unknown {
  if (!(error instanceof StepError) || origin === undefined) return error;
  const rows = error.rows.map((row) => (row.table === undefined ? { ...row, origin } : row));
  return new StepError(error.keys, { ...error, rows, cause: error.cause });
}

async function runStep(
  connection: Connection,
  step: RowStep,
  {
    progress,
    nulls,
    lookups,
    fileStarts,
  }: {
    readonly progress: Progress;
    readonly nulls: readonly string[];
    readonly lookups: readonly Lookup[];
    readonly fileStarts: readonly number[];
  },
): Promise<Progress> {
  const { stages, used } = progress;
  const before = stages.at(-1) ?? stages[0];
  const own = lookups.filter((lookup) => lookup.step === step.number);
  /** Runs a step that sees all rows. */
  const run = async <Result>(
    start: () => Promise<Result>,
    computed: readonly ComputedRows[] = [],
  ): Promise<Result> =>
    start().catch(async (error: unknown) => {
      const cause = error instanceof StepError ? (error.cause ?? error) : error;
      const found = await findFailure(connection.list, cause, [...stages, ...computed]);
      throw found === cause ? error : found;
    });
  switch (step.kind) {
    case 'where': {
      const keys = ['rows', String(step.number), 'where'];
      const names = await checkExpression(connection.list, step.condition, keys);
      const rows: Rows = {
        ...before,
        sql: (base) => `SELECT * FROM (${before.sql(base)}) WHERE (${step.condition}\n)`,
        keys,
      };
      await explainRows(connection.list, rows);
      await tryFirstRows(connection.list, rows);
      return { ...progress, stages: [...stages, rows], used: [...used, ...names] };
    }
    case 'fill_down': {
      // After SQL, rows are no longer those of files.
      const starts = progress.origin === undefined ? fileStarts : [];
      const filling = fillDown(connection, step, { before, fileStarts: starts });
      const { rows, notices } = await run(filling.run);
      return {
        ...progress,
        stages: [rows],
        used: [...used, ...step.columns],
        notices: [...progress.notices, ...notices],
      };
    }
    case 'unpivot': {
      const rows = compileUnpivot(step, before, ['rows', String(step.number), 'unpivot']);
      await explainRows(connection.list, rows);
      const noted = [...progress.noted, step.name];
      return { ...progress, stages: [...stages, rows], noted };
    }
    case 'unnest': {
      const unnested = await unnestRows(connection.list, step, { before, nulls });
      const { notices } = await run(unnested.check, unnested.computed);
      return {
        ...progress,
        stages: [...stages, unnested.rows],
        used: [...used, ...unnested.used],
        noted: [...progress.noted, step.name],
        notices: [...progress.notices, ...notices],
      };
    }
    case 'aggregate': {
      const aggregation = await aggregateRows(connection, step, before);
      const rows = await run(aggregation.run, aggregation.keyed);
      const noted = step.by.map(({ name }) => name);
      return { ...progress, stages: [rows], used: [...used, ...aggregation.used], noted };
    }
    case 'join': {
      const [lookup] = own;
      if (lookup === undefined) throw new Error(`The file of the step ${step.number} is missing.`);
      const plan = await joinRows(connection, step, { before, lookup });
      const { rows, notices } = await run(plan.run);
      return {
        ...progress,
        stages: [rows],
        used: [...used, ...plan.used],
        notices: [...progress.notices, ...notices],
      };
    }
    case 'sql': {
      const selection = await selectRows(connection, step, { before, lookups: own });
      const rows = await run(selection.run);
      // A message shows the whole row.
      const origin = placeText(['rows', String(step.number), 'sql']);
      return { ...progress, stages: [rows], noted: rows.columns, origin };
    }
  }
}

/** Writes the rows after all steps, with the values of the expressions. */
async function writeRows(
  connection: Connection,
  { stages, used: usedBefore }: Progress,
  expressions: readonly { readonly field: string; readonly sql: string }[],
): Promise<{ readonly used: readonly string[]; readonly columns: readonly string[] }> {
  const last = stages.at(-1) ?? stages[0];
  const used = [...usedBefore];
  const computed: ComputedRows[] = [];
  for (const { field, sql } of expressions) {
    const keys = ['fields', field, 'expression'];
    const rows = { ...last, keys, computed: `CAST((${sql}\n) AS VARCHAR)` };
    try {
      used.push(...(await checkExpression(connection.list, sql, keys)));
      await explainRows(connection.list, rows);
    } catch (error) {
      throw explainStop(error, [keys]);
    }
    await tryFirstRows(connection.list, rows);
    computed.push(rows);
  }
  const texts = [
    ...last.columns.map(quoteIdentifier),
    ...computed.map((rows) => rows.computed ?? 'NULL'),
  ].map((column, index) => `${column} AS ${textColumn(index)}`);
  const limited = texts.map(
    (_, index) => `CASE WHEN strlen(${textColumn(index)}) > ${VALUE_BYTES_MAX}
      THEN error('${TOO_LONG} ${index}') ELSE ${textColumn(index)} END AS ${textColumn(index)}`,
  );
  try {
    await connection.run(`CREATE TABLE ${STEPPED_ROWS} AS
      SELECT ${[SOURCE_ROW, ...limited].join(', ')} FROM (
        SELECT ${[`${HIDDEN_ROW} AS ${SOURCE_ROW}`, ...texts].join(', ')} FROM (${last.sql(last.base)}))`);
  } catch (error) {
    const long = explainLongValue(error, { columns: last.columns, computed });
    if (long !== undefined) throw long;
    const ran = [...stages.filter(({ keys }) => keys.length > 1), ...computed];
    const named = explainStop(
      error,
      ran.map(({ keys }) => keys),
    );
    throw named === error
      ? await findFailure(connection.list, error, [...stages, ...computed])
      : named;
  }
  return { used, columns: last.columns };
}

/** A value as long as a row of a file may be. */
const VALUE_BYTES_MAX = 2 ** 24;
const TOO_LONG = 'too long a value of the text';

function explainLongValue(
  error: unknown,
  made: { readonly columns: readonly string[]; readonly computed: readonly ComputedRows[] },
): StepError | undefined {
  const reason = error instanceof EngineError ? error.reason : '';
  const [, text] = new RegExp(`${TOO_LONG} ([0-9]+)`).exec(reason) ?? [];
  if (text === undefined) return undefined;
  const column = made.columns[Number(text)];
  const keys = made.computed[Number(text) - made.columns.length]?.keys ?? ['rows'];
  return new StepError(keys, {
    reason: `${column === undefined ? '' : `the column '${column}' `}has a value of more than ${sizeText(VALUE_BYTES_MAX)}`,
    hint: 'Shorten the values.',
    cause: error,
  });
}

function compileUnpivot(unpivot: Unpivot, before: Rows, keys: readonly string[]): Rows {
  const rows = unpivotRows(unpivot, before.columns, keys);
  const used = new Set(rows.flatMap(({ columns }) => columns));
  const kept = before.columns.filter((column) => !used.has(column));
  const added = [unpivot.name, ...unpivot.values.map(({ name }) => name)];
  const columns = [...kept, ...added];
  const repeated = added.find(
    (name) => columns.filter((one) => one.toLowerCase() === name.toLowerCase()).length > 1,
  );
  if (repeated !== undefined) {
    throw new StepError(keys, {
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
    ...before,
    sql: (
      base,
    ) => `SELECT ${keptColumns}, ${HIDDEN_ITEM}.name AS ${quoteIdentifier(unpivot.name)}, ${values.join(', ')}
      FROM (SELECT ${keptColumns}, unnest([${items.join(', ')}]) AS ${HIDDEN_ITEM} FROM (${before.sql(base)}))`,
    columns,
    keys,
  };
}
