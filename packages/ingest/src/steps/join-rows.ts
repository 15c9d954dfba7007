import { numberOf, textOf } from '@locmetrics/column-store/publish/result-row';
import type {
  ListRows,
  WatchedConnection,
} from '@locmetrics/column-store/publish/watched-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { Join } from '../manifest/row-steps.ts';
import { trimmedText } from './number-text.ts';
import {
  HIDDEN_ROW,
  hiddenColumn,
  lookupTable,
  type Rows,
  rowsTable,
  SOURCE_ROW,
  storedRows,
  textColumn,
} from './staged-rows.ts';
import { StepError } from './step-error.ts';

/** The table of a file that a step names. */
export type Lookup = {
  readonly step: number;
  readonly table: string;
  /** The name of the file in messages. */
  readonly label: string;
  /** With the special ones. */
  readonly columns: readonly string[];
  /** Those that come over only if they are named, such as $id. */
  readonly specialColumns: readonly string[];
};

/** A join that is checked but not run. */
export type JoinPlan = {
  /** The columns of the rows before that it uses. */
  readonly used: readonly string[];
  /** Adds the columns of the file to the rows. Notices tell how many rows found nothing. */
  readonly run: () => Promise<{ readonly rows: Rows; readonly notices: readonly string[] }>;
};

export async function joinRows(
  { run, list }: Pick<WatchedConnection, 'run' | 'list'>,
  step: Join & { readonly number: number },
  { before, lookup }: { readonly before: Rows; readonly lookup: Lookup },
): Promise<JoinPlan> {
  const { on, pad, unmatched, number } = step;
  const place = ['rows', String(number), 'join'];
  const keys = on.map(({ name, fileColumn }, index) => ({
    own: keyText(quoteIdentifier(expectOwn(name, before, place)), pad?.[index]),
    file: keyText(textColumn(indexOf(fileColumn, lookup, [...place, 'on'])), pad?.[index]),
  }));
  const added = addedColumns(step, before, { lookup, place });
  const table = lookupTable(lookup);
  const fileKeys = `(SELECT rowid AS number, ${keys.map(({ file }, index) => `${file} AS ${hiddenColumn('key', index)}`).join(', ')} FROM ${table})`;
  const names = keys.map((_, index) => hiddenColumn('key', index));
  await refuseRepeatedKeys(list, { fileKeys, names, lookup, keys: [...place, 'on'] });
  const columns = [...before.columns, ...added.map(({ name }) => name)];
  return {
    used: on.map(({ name }) => name),
    run: async () => {
      const joined = rowsTable(number);
      const texts = [
        ...before.columns.map((name) => `own.${quoteIdentifier(name)}`),
        ...added.map(({ index }) => `file.${textColumn(index)}`),
      ].map((sql, index) => `${sql} AS ${textColumn(index)}`);
      const order = hiddenColumn('order', 0);
      // The engine may change the order of the rows in a join.
      await run(`CREATE TABLE ${joined} AS
        SELECT ${[`own.${HIDDEN_ROW} AS ${SOURCE_ROW}`, 'found.number IS NOT NULL AS is_found', ...texts].join(', ')}
        FROM (SELECT *, row_number() OVER () AS ${order} FROM (${before.sql(before.base)})) AS own
        LEFT JOIN ${fileKeys} AS found ON ${keys.map(({ own }, index) => `${own} = found.${names[index]}`).join(' AND ')}
        LEFT JOIN ${table} AS file ON file.rowid = found.number
        ORDER BY own.${order}`);
      const rows = storedRows({
        base: joined,
        columns,
        keys: place,
        condition: unmatched === 'leave_out' ? 'is_found' : 'true',
      });
      const missing = await findMissing(list, { rows, step, fileKeys, names, lookup });
      if (missing === undefined) return { rows, notices: [] };
      if (unmatched === 'refuse') {
        throw new StepError([...place, 'unmatched'], {
          reason: `has no row in ${lookup.label}`,
          hint: missing.cause,
          rows: missing.rows,
          count: missing.count,
        });
      }
      return { rows, notices: [missing.notice] };
    },
  };
}

/** A key in a form in which it is compared: without white space around it, and absent if it is blank. */
function keyText(column: string, digits: number | undefined): string {
  const text = `nullif(${trimmedText(column)}, '')`;
  return digits === undefined
    ? text
    : `CASE WHEN regexp_full_match(${text}, '[0-9]{1,${digits}}') THEN lpad(${text}, ${digits}, '0') ELSE ${text} END`;
}

function expectOwn(name: string, { columns }: Rows, place: readonly string[]): string {
  if (columns.includes(name)) return name;
  throw new StepError([...place, 'on'], {
    reason: `the rows have no column '${name}'`,
    hint: nameHint(name, columns),
  });
}

function indexOf(name: string, { columns, label }: Lookup, keys: readonly string[]): number {
  const index = columns.indexOf(name);
  if (index >= 0) return index;
  throw new StepError(keys, {
    reason: `${label} has no column '${name}'`,
    hint: nameHint(name, columns),
  });
}

/** The columns that come over: their names, and their indexes in the file. */
function addedColumns(
  { on, columns }: Join,
  before: Rows,
  { lookup, place }: { readonly lookup: Lookup; readonly place: readonly string[] },
): readonly { readonly name: string; readonly index: number }[] {
  const keys = on.map(({ fileColumn }) => fileColumn);
  const wanted =
    columns ??
    lookup.columns
      .filter((name) => !keys.includes(name) && !lookup.specialColumns.includes(name))
      .map((name) => ({ name, fileColumn: name }));
  const at = [...place, 'columns'];
  const added = wanted.map(({ name, fileColumn }) => ({
    name,
    index: indexOf(fileColumn, lookup, at),
  }));
  const taken = new Set(before.columns.map((name) => name.toLowerCase()));
  for (const { name } of added) {
    if (taken.has(name.toLowerCase())) {
      throw new StepError(columns === undefined ? place : at, {
        reason: `there is already a column '${name}'`,
        hint: `List under columns which ones to add, with their names: columns: { new_name: ${name} }.`,
      });
    }
    taken.add(name.toLowerCase());
  }
  return added;
}

/** The keys of the file: a query with a row number and named columns for each row of its table. */
type FileKeys = {
  readonly fileKeys: string;
  readonly names: readonly string[];
  readonly lookup: Lookup;
};

/** A key with two rows in the file would make two rows of one. */
async function refuseRepeatedKeys(
  list: ListRows,
  { fileKeys, names, lookup, keys }: FileKeys & { readonly keys: readonly string[] },
): Promise<void> {
  const repeated = `SELECT number::DOUBLE AS row, concat_ws(', ', ${names.join(', ')}) AS value,
      (min(number) OVER (PARTITION BY ${names.join(', ')}))::DOUBLE AS earlier
    FROM ${fileKeys} WHERE ${names.map((name) => `${name} IS NOT NULL`).join(' AND ')}
    QUALIFY row <> earlier`;
  const found = await list(
    `SELECT *, (count(*) OVER ())::DOUBLE AS count FROM (${repeated}) ORDER BY row LIMIT ${EXAMPLES_MAX}`,
  );
  const [first] = found;
  if (first === undefined) return;
  throw new StepError(keys, {
    reason: 'is already in another row',
    hint: `A key can have only one row in ${lookup.label}: remove the others from the file, or add a column to on that distinguishes them.`,
    rows: found.map((row) => ({
      table: lookupTable(lookup),
      row: numberOf(row, 'row'),
      value: textOf(row, 'value'),
      earlierRow: numberOf(row, 'earlier'),
    })),
    count: numberOf(first, 'count'),
  });
}

const EXAMPLES_MAX = 20;
const NOTICE_EXAMPLES_MAX = 3;

type Missing = {
  readonly notice: string;
  /** A likely cause, with what to do. */
  readonly cause: string | undefined;
  readonly rows: StepError['rows'];
  readonly count: number;
};

/** The rows that found nothing: their number, examples, and a likely cause. */
async function findMissing(
  list: ListRows,
  {
    rows: { base, columns },
    step: { on, pad, unmatched, number },
    fileKeys,
    names,
    lookup,
  }: FileKeys & { readonly rows: Rows; readonly step: Join & { readonly number: number } },
): Promise<Missing | undefined> {
  const [counted] = await list(
    `SELECT count(*) FILTER (NOT is_found)::DOUBLE AS missing, count(*)::DOUBLE AS count FROM ${base}`,
  );
  const count = counted === undefined ? 0 : numberOf(counted, 'missing');
  if (counted === undefined || count === 0) return undefined;
  const own = on.map(({ name }) => textColumn(columns.indexOf(name)));
  const shown = `concat_ws(', ', ${own.join(', ')})`;
  const missing = `(SELECT ${[...own.map((column, index) => `${keyText(column, pad?.[index])} AS ${names[index]}`), `${shown} AS shown`, `${SOURCE_ROW} AS row`].join(', ')}
    FROM ${base} WHERE NOT is_found)`;
  const rows = await list(
    `SELECT row::DOUBLE AS row, shown FROM ${missing} ORDER BY row LIMIT ${EXAMPLES_MAX}`,
  );
  const distinct = await list(
    `SELECT shown FROM ${missing} GROUP BY shown ORDER BY min(row) LIMIT ${NOTICE_EXAMPLES_MAX}`,
  );
  const cause = await findCause(list, { missing, fileKeys, names });
  const all = numberOf(counted, 'count').toLocaleString('en-US');
  const examples = distinct.map((row) => shownKey(textOf(row, 'shown'))).join(', ');
  const what = unmatched === 'leave_out' ? ' They are left out.' : '';
  return {
    notice: `${count.toLocaleString('en-US')} of ${all} rows have no matching row in ${lookup.label} (rows[${number}].join), for example ${examples}.${what}${cause === undefined ? '' : ` ${cause}`}`,
    cause,
    rows: rows.map((row) => ({ row: numberOf(row, 'row'), value: textOf(row, 'shown') })),
    count,
  };
}

function shownKey(key: string): string {
  return key.trim() === '' ? '(blank)' : `'${key}'`;
}

/** Keys that differ only in leading zeros or in the case of letters are probably meant to be equal. */
async function findCause(
  list: ListRows,
  { missing, fileKeys, names }: Omit<FileKeys, 'lookup'> & { readonly missing: string },
): Promise<string | undefined> {
  for (const { form, cause } of LIKELY_CAUSES) {
    const formed = (table: string) => names.map((name) => form(`${table}.${name}`));
    const [found] = await list(
      `SELECT concat_ws(', ', ${names.map((name) => `own.${name}`).join(', ')}) AS own,
        concat_ws(', ', ${names.map((name) => `file.${name}`).join(', ')}) AS file
      FROM (SELECT DISTINCT ${names.join(', ')} FROM ${missing}) AS own
      JOIN ${fileKeys} AS file ON ${formed('own')
        .map((text, index) => `${text} = ${formed('file')[index]}`)
        .join(' AND ')}
      ORDER BY ALL LIMIT 1`,
    );
    if (found !== undefined) return cause(textOf(found, 'own'), textOf(found, 'file'));
  }
  return undefined;
}

const LIKELY_CAUSES: readonly {
  readonly form: (text: string) => string;
  readonly cause: (own: string, file: string) => string;
}[] = [
  {
    form: (text) => `CASE WHEN regexp_full_match(${text}, '[0-9]+') THEN ltrim(${text}, '0') END`,
    cause: (own, file) =>
      `The rows have '${own}' and the file '${file}': pad the codes with leading zeros, such as pad: ${Math.max(own.length, file.length)}.`,
  },
  {
    form: (text) => `lower(${text})`,
    cause: (own, file) =>
      `The rows have '${own}' and the file '${file}': keys are case-sensitive; an sql step can join by lower(…).`,
  },
];
