import { EngineError, shortageOf } from '@locmetrics/column-store/publish/engine-error';
import { textOf } from '@locmetrics/column-store/publish/result-row';
import type {
  ListRows,
  WatchedConnection,
} from '@locmetrics/column-store/publish/watched-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { SqlQuery } from '../manifest/row-steps.ts';
import { TRY_HINT } from './explain-rows.ts';
import type { Lookup } from './join-rows.ts';
import {
  lookupTable,
  type Rows,
  rowsTable,
  SOURCE_ROW,
  storedRows,
  textColumn,
} from './staged-rows.ts';
import { StepError } from './step-error.ts';

/** A query that is checked but not run. */
export type Selection = {
  /** Its result becomes the rows. They have the numbers of the rows of the result. */
  readonly run: () => Promise<Rows>;
};

export async function selectRows(
  { run, list }: Pick<WatchedConnection, 'run' | 'list'>,
  { query, tables, number }: SqlQuery & { readonly number: number },
  { before, lookups }: { readonly before: Rows; readonly lookups: readonly Lookup[] },
): Promise<Selection> {
  const keys = ['rows', String(number), 'sql', ...(tables.length > 0 ? ['select'] : [])];
  await checkQuery(list, query, keys);
  await run(viewSql('rows', before.sql(before.base), before.columns.map(quoteIdentifier)));
  for (const { table, ...lookup } of lookups) {
    const columns = lookup.columns.map(
      (name, index) => `${textColumn(index)} AS ${quoteIdentifier(name)}`,
    );
    await run(viewSql(table, `SELECT * FROM ${lookupTable({ ...lookup, table })}`, columns));
  }
  const known = [before, ...lookups].flatMap((table) => table.columns);
  const columns = await describe(list, query, { keys, tables: ['rows', ...tables], known });
  checkNames(columns, keys);
  return {
    run: async () => {
      const table = rowsTable(number);
      const texts = columns.map((_, index) => textColumn(index));
      try {
        // In a view the query stands as it is written, also with a semicolon and a comment at its end.
        await run(`CREATE VIEW ${RESULT} AS\n${query}`);
        await run(`CREATE TABLE ${table} AS
          SELECT row_number() OVER () - 1 AS ${SOURCE_ROW}, ${texts.map((text) => `CAST(${text} AS VARCHAR) AS ${text}`).join(', ')}
          FROM ${RESULT} AS result(${texts.join(', ')})`);
      } catch (error) {
        if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
        throw new StepError(keys, {
          reason: `cannot be computed (${error.reason})`,
          hint: TRY_HINT,
          cause: error,
        });
      }
      for (const view of [RESULT, 'rows', ...tables.map(quoteIdentifier)]) {
        await run(`DROP VIEW ${view}`);
      }
      return storedRows({ base: table, columns, keys });
    },
  };
}

const RESULT = quoteIdentifier('\u0001result');

function viewSql(name: string, rows: string, columns: readonly string[]): string {
  return `CREATE VIEW ${quoteIdentifier(name)} AS SELECT ${columns.join(', ')} FROM (${rows})`;
}

/** The connection is sealed, so this is for clear messages; and what comes after a query would be run too. */
async function checkQuery(list: ListRows, query: string, keys: readonly string[]): Promise<void> {
  const [row] = await list(`SELECT json_serialize_sql(${quoteLiteral(query)})::VARCHAR AS tree`);
  const tree: unknown = JSON.parse(String(row?.['tree']));
  const message = memberOf(tree, 'error_message');
  if (typeof message === 'string') {
    const position = Number(memberOf(tree, 'position') ?? Number.NaN);
    const place = Number.isNaN(position) ? undefined : placeOfOffset(query, position);
    throw new StepError(keys, {
      reason:
        place === undefined
          ? 'is not a SELECT'
          : `is not SQL, at ${wordsOf(place)} of it (${message})`,
      hint: SELECT_HINT,
      textLine: place?.line ?? 1,
    });
  }
  const statements = memberOf(tree, 'statements');
  const [statement, ...more] = Array.isArray(statements) ? statements : [];
  if (statement === undefined || more.length > 0) {
    throw new StepError(keys, {
      reason: statement === undefined ? 'is empty' : `has ${more.length + 1} statements`,
      hint: SELECT_HINT,
    });
  }
  refuseUnnamed(query, memberOf(statement, 'node'), keys);
}

const SELECT_HINT =
  "Write one SELECT of DuckDB's SQL over the table rows, such as SELECT id, upper(name) AS name FROM rows.";

/** A column that is computed has a name of the engine's if it has none of its own. */
function refuseUnnamed(query: string, node: unknown, keys: readonly string[]): void {
  const left = memberOf(node, 'left');
  // The names of a UNION are those of its first part.
  if (left !== undefined) refuseUnnamed(query, left, keys);
  const selected = memberOf(node, 'select_list');
  for (const [index, item] of (Array.isArray(selected) ? selected : []).entries()) {
    if (memberOf(item, 'alias') !== '') continue;
    if (['COLUMN_REF', 'STAR'].includes(String(memberOf(item, 'class')))) continue;
    const offset = memberOf(item, 'query_location');
    const place = typeof offset === 'number' ? placeOfOffset(query, offset) : undefined;
    throw new StepError(keys, {
      reason: `column ${index + 1} of the result has no name${place === undefined ? '' : `, at ${wordsOf(place)} of it`}`,
      hint: 'Write one after it: count(*) AS visits.',
      textLine: place?.line ?? 1,
    });
  }
}

/** The names of the columns of the result, after it was bound. */
async function describe(
  list: ListRows,
  query: string,
  {
    keys,
    tables,
    known,
  }: {
    readonly keys: readonly string[];
    /** The names of the tables, and of their columns. */
    readonly tables: readonly string[];
    readonly known: readonly string[];
  },
): Promise<readonly string[]> {
  try {
    const rows = await list(`DESCRIBE\n${query}`);
    return rows.map((row) => textOf(row, 'column_name'));
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    const place = placeOfError(error, query);
    const [, table] = /^Table with name (.*?) does not exist/.exec(error.reason) ?? [];
    const [, column] = /^Referenced column "(.*?)" not found/.exec(error.reason) ?? [];
    const isSealed = error.kind === 'Permission' || /file system operations/.test(error.reason);
    throw new StepError(keys, {
      reason: `cannot be run${place === undefined ? '' : `, at ${wordsOf(place)} of it`} (${error.reason})`,
      hint:
        table !== undefined
          ? nameHint(table, tables)
          : isSealed
            ? 'A step can read only the files that it names: declare it under tables.'
            : column !== undefined
              ? `${nameHint(column, known)} Put a name into double quotes, and a text into single ones.`
              : 'The columns are texts: cast them, such as TRY_CAST("Count" AS BIGINT). Names are in double quotes, texts in single ones.',
      textLine: place?.line ?? 1,
      cause: error,
    });
  }
}

function checkNames(columns: readonly string[], keys: readonly string[]): void {
  const folded = columns.map((name) => name.toLowerCase());
  const repeated = columns.find((_, index) => folded.indexOf(folded[index] ?? '') !== index);
  if (repeated === undefined) return;
  throw new StepError(keys, {
    reason: `the result has two columns '${repeated}'`,
    hint: 'Give one of them another name: … AS other_name. Upper and lower case are not distinguished.',
  });
}

/** A place in a text, from 1. */
type TextPlace = { readonly line: number; readonly column: number };

function placeOfOffset(text: string, offset: number): TextPlace {
  // The engine counts bytes.
  const before = Buffer.from(text).subarray(0, offset).toString().split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

function wordsOf({ line, column }: TextPlace): string {
  return `line ${line}, character ${column}`;
}

/** The place that the engine shows below its message, in the second line of the statement or later. */
function placeOfError({ cause }: EngineError, query: string): TextPlace | undefined {
  const message = cause instanceof Error ? cause.message : '';
  const [, prefix = '', line, shown = '', caret = ''] =
    /\n(LINE ([0-9]+): )(.*)\n( *)\^/.exec(message) ?? [];
  if (line === undefined) return undefined;
  const number = Number(line) - 1;
  const text = query.split('\n')[number - 1] ?? '';
  // A long line is shown in part.
  const part = shown.replace(/^\.\.\./, '').replace(/\.\.\.$/, '');
  const start = text.indexOf(part) - (shown.startsWith('...') ? 3 : 0);
  return { line: number, column: start + caret.length - prefix.length + 1 };
}

/** A member of a node of the engine's syntax tree; undefined if it has none. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

/** The members of this name in a tree. */
export function listMembers(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name ? [member] : listMembers(member, name),
  );
}
