import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { namedColumns } from '../formats/named-tables.ts';
import type { OpenedRows } from '../formats/row-format.ts';
import { FILE_FORMATS, isTable } from '../manifest/file-formats.ts';
import type { RowStep } from '../manifest/row-steps.ts';
import { RAW_ROWS, textColumn } from '../steps/staged-rows.ts';
import { unpivotedColumns } from '../steps/unpivot-columns.ts';
import type { InspectedFile } from './files/inspect-file.ts';
import { type BlankRows, findTotalRows } from './keys/find-total-rows.ts';
import { leaveOutCodeRows } from './keys/leave-out-code-rows.ts';
import { type BareMidnights, findBareMidnights, midnightSql } from './values/bare-midnights.ts';
import { type FoundFillDown, findFillDown } from './values/find-fill-down.ts';
import { findMembers, type Members } from './values/find-members.ts';
import { type DraftUnnest, findNested, type NestedColumn } from './values/find-nested.ts';
import { findNulls } from './values/find-nulls.ts';
import { findWideColumns, type WideColumns } from './values/find-wide-columns.ts';
import { withoutFlags } from './values/flagged-numbers.ts';
import { findDecimalMark } from './values/formatted-numbers.ts';
import {
  findJoinedColumn,
  isJoinedName,
  type JoinedColumn,
  joinedPartSql,
} from './values/joined-column.ts';
import {
  columnsOfBlock,
  leaveOutTexts,
  loadTexts,
  openFile,
  type ReadRows,
  type RowsOptions,
  stepLoaded,
  typedRows,
} from './values/open-rows.ts';
import { yearOfFile } from './values/period-of-file.ts';
import {
  firstTexts,
  haveHours,
  isDegreesName,
  isReadable,
  proposals,
} from './values/propose-types.ts';
import { withWideTotals } from './values/wide-totals.ts';

/** The rows of files as they are read, and what was found by that. */
export type FoundRows = {
  readonly rows: ReadRows;
  readonly nulls: readonly string[];
  /** Texts that mean an absent value in one column only, because they are values of another one. */
  readonly ownNulls: readonly { readonly column: string; readonly nulls: readonly string[] }[];
  /** Columns whose times lack the hour at midnight. */
  readonly midnights: readonly BareMidnights[];
  /** A condition for rows without any value, and their number. */
  readonly blank: BlankRows | undefined;
  /** A condition for rows without the codes of those above them, and the number of rows with codes. */
  readonly codeRows: BlankRows | undefined;
  /** A condition for a row with the totals of the whole table. */
  readonly totalRows: BlankRows | undefined;
  /** The columns whose labels are in the first row of a group only. */
  readonly fillDown: FoundFillDown | undefined;
  readonly wide: WideColumns | undefined;
  /** Columns with lists or maps of numbers, which are no fields. */
  readonly nested: readonly NestedColumn[];
  /** A text of each column of a file with types. */
  readonly sampleTexts: ReadonlyMap<string, string>;
  /** The step that makes a row of each of their numbers. */
  readonly unnest: DraftUnnest | undefined;
  /** A condition for the rows that lack such a list or map, and their number. */
  readonly unlisted: BlankRows | undefined;
  /** Names from two rows of the header, by those of the columns, without which they would not become rows. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The column with several values that becomes several, before all other steps. */
  readonly joined: JoinedColumn | undefined;
  readonly rejectedCount: number;
  readonly rejectedExample: string | undefined;
  readonly isLimited: boolean;
  /** The columns of the file, before steps. */
  readonly columns: readonly string[];
  /** The rows that repeat the header, which are left out. */
  readonly headerCount: number;
};

export async function readRows(
  files: readonly InspectedFile[],
  options: RowsOptions & {
    readonly unnest?: DraftUnnest | undefined;
    /** Whether other files are drafted with it. */
    readonly isShared?: boolean;
    readonly isOfSeries?: boolean;
  },
): Promise<FoundRows> {
  const [first] = files;
  if (first === undefined) throw new Error('A dataset has a file.');
  const isTabular = isTable(first.format);
  const opened: OpenedRows[] = [];
  for (const [number, one] of files.entries()) opened.push(await openFile(one, number, options));
  const [only] = opened;
  const ofNames = new Set(namedColumns(first.named, first.reading).map(({ name }) => name));
  const canBeTyped =
    !isTabular && ofNames.size === 0 && options.areTexts !== true && options.places === undefined;
  if (canBeTyped && only !== undefined && !(await needsTexts(first, only, options))) {
    const { nested, sampleTexts } = await findNestedColumns(options.connection, only);
    return { ...asTyped(typedRows(first, only), nested), sampleTexts };
  }
  const { unnest } = options;
  const { renamed, ...named } = withNames(await loadTexts(files, opened, options), first);
  const headerCount = first.reading.hasHeader
    ? await leaveOutHeaders(
        options.connection,
        columnsOfBlock(opened[0]?.columns ?? [], first).filter((name) => !ofNames.has(name)),
      )
    : 0;
  const codeRows = isTabular
    ? await leaveOutCodeRows(options.connection, named.columns)
    : undefined;
  const joined = isTabular ? await divideJoined(options.connection, named.columns) : undefined;
  const loaded = joined === undefined ? named : { ...named, columns: joined.columns };
  const texts: (readonly string[])[] = [];
  for (const [index] of loaded.columns.entries()) {
    texts.push(await rawTexts(options.connection, textColumn(index)));
  }
  const midnights = findBareMidnights(
    loaded.columns.map((name, index) => ({ name, texts: texts[index] ?? [] })),
  );
  for (const one of midnights) {
    const column = textColumn(one.index);
    await options.connection.run(`UPDATE ${RAW_ROWS} SET ${column} = ${midnightSql(column, one)}`);
  }
  // Some formats cannot declare texts for absent values, so a step leaves them out.
  const readsNulls = FILE_FORMATS[first.format].reads.includes('nulls');
  const seen = loaded.columns.map((name, index) => ({ name, texts: texts[index] ?? [] }));
  const known = findNulls(seen, { isPerColumn: !readsNulls });
  // In cells of a table, objects are texts.
  const members: Members = isTabular ? new Map() : findMembers(seen);
  const isMembers = (name: string) => [...members.values()].some(({ column }) => column === name);
  const nested =
    unnest === undefined
      ? seen.flatMap((one) => (isMembers(one.name) ? [] : (findNested(one.name, one.texts) ?? [])))
      : [];
  const { wide: columnsOfPeriods, words } =
    options.places === undefined
      ? wideNumbers(loaded.columns, texts, {
          isNamedTwice: renamed.size > 0,
          joined: joined?.joined,
          isOfYear:
            (options.isShared !== true || options.isOfSeries === true) &&
            files.length === 1 &&
            yearOfFile(first) !== undefined,
          nulls: [...known.everywhere, ...[...known.inColumn.values()].flat()],
        })
      : { wide: options.places, words: [] };
  const decimalMark = findDecimalMark(seen.filter(({ name }) => !isDegreesName(name)));
  const nulls = readsNulls ? [...new Set([...known.everywhere, ...words])] : [];
  await leaveOutTexts(options.connection, loaded.columns, { ...known, everywhere: nulls });
  const wide =
    columnsOfPeriods === undefined || options.places !== undefined
      ? columnsOfPeriods
      : await withWideTotals(options.connection, columnsOfPeriods, {
          columns: loaded.columns,
          decimalMark,
        });
  const ownNulls = [...known.inColumn].map(([index, own]) => ({
    column: loaded.columns[index] ?? '',
    nulls: own,
  }));
  const blank = isTabular
    ? await findBlankRows(options.connection, loaded.columns, ofNames)
    : undefined;
  const unlisted = unnest && (await findUnlistedRows(options.connection, loaded.columns, unnest));
  const totalRows = isTabular ? await findTotalRows(options.connection, loaded.columns) : undefined;
  const { fileStarts } = loaded;
  const fillDown =
    isTabular && joined === undefined
      ? await findFillDown(options.connection, loaded.columns, { ofNames, fileStarts })
      : undefined;
  const wheres = (conditions: readonly (BlankRows | undefined)[]): readonly RowStep[] =>
    conditions.flatMap((step) =>
      step === undefined ? [] : [{ kind: 'where', number: 0, condition: step.condition } as const],
    );
  const steps: readonly RowStep[] = [
    ...wheres([blank]),
    ...(fillDown?.isStep !== true
      ? []
      : [{ kind: 'fill_down', number: 0, columns: fillDown.columns } as const]),
    ...wheres([totalRows, unlisted]),
    ...(unnest === undefined ? [] : [{ kind: 'unnest', number: 1, ...unnest.step } as const]),
    ...(wide === undefined || unnest !== undefined
      ? []
      : [{ kind: 'unpivot', number: 1, name: wide.name, values: wide.values } as const]),
    ...(wide?.kept === undefined || unnest !== undefined
      ? []
      : [{ kind: 'where', number: 2, condition: wide.kept.condition } as const]),
  ];
  const typed = isTabular || only === undefined ? undefined : typedRows(first, only);
  const numbers = typed && (await numberColumns(options.connection, typed));
  const { pointTexts } = first;
  const isNumber = (column: string): boolean => {
    if (pointTexts === undefined) return numbers?.has(column) === true;
    const index = loaded.columns.indexOf(column);
    return index < 0 ? pointTexts.size === 0 : !pointTexts.has(index);
  };
  const rows = await stepLoaded(first, loaded, steps, {
    connection: options.connection,
    decimalMark,
    isNumber,
    nulls,
    members: unnest === undefined ? members : new Map(),
  });
  const { rejectedCount, rejectedExample, isLimited } = loaded;
  const kept = unnest?.columns;
  return {
    rows:
      kept === undefined
        ? rows
        : {
            ...rows,
            columns: rows.columns.filter((name) => kept.includes(name)),
            specialColumns: [],
          },
    nested,
    sampleTexts: new Map(),
    unnest,
    unlisted,
    nulls,
    ownNulls,
    midnights,
    blank,
    codeRows,
    totalRows,
    fillDown,
    wide: unnest === undefined ? wide : undefined,
    renamed,
    joined: joined?.joined,
    rejectedCount,
    rejectedExample,
    isLimited,
    headerCount,
    columns: loaded.columns,
  };
}

function asTyped(rows: ReadRows, nested: readonly NestedColumn[]): Omit<FoundRows, 'sampleTexts'> {
  return {
    rows,
    nested,
    unnest: undefined,
    unlisted: undefined,
    nulls: [],
    ownNulls: [],
    midnights: [],
    blank: undefined,
    codeRows: undefined,
    totalRows: undefined,
    fillDown: undefined,
    wide: undefined,
    renamed: new Map(),
    joined: undefined,
    rejectedCount: 0,
    rejectedExample: undefined,
    isLimited: false,
    headerCount: 0,
    columns: rows.columns,
  };
}

/**
 * Whether columns with types are read as texts: those of years become rows, times have an hour, and numbers that are
 * codes or times are read by an expression; and texts for absent values are left out.
 */
async function needsTexts(
  seen: InspectedFile,
  rows: OpenedRows,
  { connection, codes }: Pick<RowsOptions, 'connection' | 'codes'>,
): Promise<boolean> {
  if (findWideColumns(rows.columns) !== undefined) return true;
  if (await haveMembers(connection, rows)) return true;
  const typed = typedRows(seen, rows);
  for (const [index, column] of rows.columns.entries()) {
    const texts = await firstTexts(connection, rows, index);
    if (haveHours(texts)) return true;
    const { everywhere } = findNulls([{ name: column, texts }]);
    if (everywhere.length > 0 && everywhere.length < texts.length) return true;
    const [best] = proposals(column, texts, { isNumber: true, shared: codes?.get(column) });
    if (best === undefined || !texts.every((text) => /^\d/.test(text))) continue;
    const document = { ...best.document, column };
    const isRead = best.expression === undefined && (await isReadable(connection, typed, document));
    if (best.isCode === true || best.moment !== undefined) {
      if (!isRead) return true;
    }
  }
  return false;
}

/** Whether columns have objects whose members are columns, which only texts have. */
async function haveMembers(connection: ImportConnection, rows: OpenedRows): Promise<boolean> {
  for (const [index, name] of rows.columns.entries()) {
    const texts = await firstTexts(connection, rows, index);
    if (findMembers([{ name, texts }]).size > 0) return true;
  }
  return false;
}

/** Makes columns of one that has the names and the values of several. */
async function divideJoined(
  connection: ImportConnection,
  columns: readonly string[],
): Promise<{ readonly joined: JoinedColumn; readonly columns: readonly string[] } | undefined> {
  if (!columns.some(isJoinedName)) return undefined;
  const seen: { readonly name: string; readonly texts: readonly string[] }[] = [];
  for (const [index, name] of columns.entries()) {
    seen.push({ name, texts: await rawTexts(connection, textColumn(index)) });
  }
  const joined = findJoinedColumn(seen);
  if (joined === undefined) return undefined;
  const place = columns.indexOf(joined.column);
  const source = textColumn(place);
  const [row] = await connection.list(
    `SELECT count(*) FILTER (WHERE len(string_split(${source}, ${quoteLiteral(joined.separator)})) <> ${joined.names.length})::DOUBLE AS other FROM ${RAW_ROWS}`,
  );
  if (row === undefined || numberOf(row, 'other') > 0) return undefined;
  const [first = '', ...others] = joined.names;
  for (const index of others.keys()) {
    await connection.run(
      `ALTER TABLE ${RAW_ROWS} ADD COLUMN ${textColumn(columns.length + index)} VARCHAR`,
    );
  }
  const values = joined.names.map(
    (_, index) =>
      `${index === 0 ? source : textColumn(columns.length + index - 1)} = ${joinedPartSql(joined, source, index)}`,
  );
  await connection.run(`UPDATE ${RAW_ROWS} SET ${values.join(', ')}`);
  return { joined, columns: [...columns.with(place, first), ...others] };
}

/** The columns of a file with types that have lists or maps, and a text of each column. */
async function findNestedColumns(
  connection: ImportConnection,
  rows: OpenedRows,
): Promise<{
  readonly nested: readonly NestedColumn[];
  readonly sampleTexts: ReadonlyMap<string, string>;
}> {
  const found: NestedColumn[] = [];
  const sampleTexts = new Map<string, string>();
  for (const [index, column] of rows.columns.entries()) {
    const texts = await firstTexts(connection, rows, index);
    const nested = findNested(column, texts);
    if (nested !== undefined) found.push(nested);
    const [example] = texts.toSorted();
    if (example !== undefined) sampleTexts.set(column, example);
  }
  return { nested: found, sampleTexts };
}

/** The rows without a list or map cannot become others. */
async function findUnlistedRows(
  connection: ImportConnection,
  columns: readonly string[],
  { step }: DraftUnnest,
): Promise<BlankRows | undefined> {
  const lacks = step.values.map(
    ({ column }) => `trim(coalesce(${textColumn(columns.indexOf(column))}, '')) = ''`,
  );
  const [row] = await connection.list(
    `SELECT count(*) FILTER (WHERE ${lacks.join(' OR ')})::DOUBLE AS count FROM ${RAW_ROWS}`,
  );
  const count = row === undefined ? 0 : numberOf(row, 'count');
  if (count === 0) return undefined;
  return { condition: step.values.map(({ column }) => isFilledSql(column)).join(' AND '), count };
}

/** The columns of a file with types that have numbers with fractions. */
async function numberColumns(
  connection: ImportConnection,
  rows: ReadRows,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const column of rows.columns) {
    const isText = await isReadable(connection, rows, { type: 'string', column });
    if (!isText && (await isReadable(connection, rows, { type: 'float', column }))) {
      found.add(column);
    }
  }
  return found;
}

/** Removes the rows that repeat the names of the columns, as in files that were joined. */
async function leaveOutHeaders(
  connection: ImportConnection,
  names: readonly string[],
): Promise<number> {
  if (names.every((name) => name === '')) return 0;
  const isName = names.map(
    // The first column can begin with the byte order mark of a file that was added.
    (name, index) =>
      `trim(ltrim(coalesce(${textColumn(index)}, ''), chr(65279))) = ${quoteLiteral(name)}`,
  );
  const condition = `WHERE ${isName.join(' AND ')}`;
  // A blank line is a row of a table with one column.
  return connection.run(
    names.length === 1
      ? `UPDATE ${RAW_ROWS} SET ${textColumn(0)} = NULL ${condition}`
      : `DELETE FROM ${RAW_ROWS} ${condition}`,
  );
}

/** Spreadsheets leave rows of delimiters alone, which have no key. */
async function findBlankRows(
  connection: ImportConnection,
  all: readonly string[],
  /** Those that each row has by the name of its file. */
  ofNames: ReadonlySet<string>,
): Promise<BlankRows | undefined> {
  const columns = all.filter((name) => !ofNames.has(name));
  const isText = columns.map(
    (name) => `trim(coalesce(${textColumn(all.indexOf(name))}, '')) <> ''`,
  );
  const counts = isText.map(
    (sql, index) => `count(*) FILTER (WHERE ${sql})::DOUBLE AS filled_${index}`,
  );
  const [row] = await connection.list(
    `SELECT count(*) FILTER (WHERE NOT (${isText.join(' OR ')}))::DOUBLE AS blank,
      count(*)::DOUBLE AS rows, ${counts.join(', ')} FROM ${RAW_ROWS}`,
  );
  const count = row === undefined ? 0 : numberOf(row, 'blank');
  if (row === undefined || count === 0) return undefined;
  const filled = numberOf(row, 'rows') - count;
  const index = columns.findIndex((_, one) => numberOf(row, `filled_${one}`) === filled);
  if (index >= 0) return { condition: isFilledSql(columns[index] ?? ''), count };
  return { condition: columns.map(isFilledSql).join(' OR '), count };
}

export function isFilledSql(column: string): string {
  return `trim(${quoteIdentifier(column)}) <> ''`;
}

async function rawTexts(connection: ImportConnection, column: string): Promise<readonly string[]> {
  const rows = await connection.list(
    `SELECT ${column} AS text FROM ${RAW_ROWS} WHERE ${column} IS NOT NULL GROUP BY ${column}
      ORDER BY count(*) DESC, ${column} LIMIT 1000`,
  );
  return rows.map(({ text }) => String(text)).filter((text) => text.trim() !== '');
}

/** Columns per year are unpivoted if they have numbers, and at most a few words that mean that there is none. */
function wideNumbers(
  columns: readonly string[],
  texts: readonly (readonly string[])[],
  {
    isNamedTwice,
    joined,
    isOfYear,
    nulls,
  }: {
    readonly isNamedTwice: boolean;
    readonly isOfYear: boolean;
    readonly joined: JoinedColumn | undefined;
    readonly nulls: readonly string[];
  },
): { readonly wide: WideColumns | undefined; readonly words: readonly string[] } {
  const none = { wide: undefined, words: [] };
  const wide = findWideColumns(columns, isNamedTwice ? YEARS_MIN : undefined, joined, isOfYear);
  if (wide === undefined) return none;
  // Beside the days there can be a mark for each.
  const [first] = wide.values;
  const measured =
    wide.kept === undefined || first === undefined
      ? wide.used
      : unpivotedColumns({ name: '', values: [first] }, columns);
  const found = measured.flatMap((column) => texts[columns.indexOf(column)] ?? []);
  const values = withoutFlags(found);
  const counted = Map.groupBy(
    values.map((text) => text.trim()).filter((text) => !nulls.includes(text)),
    (text) => !/\d/.test(text),
  );
  const numbers = counted.get(false) ?? [];
  const words = [...new Set(counted.get(true) ?? [])];
  const areFew = words.length <= WORDS_MAX && (counted.get(true)?.length ?? 0) * 2 < values.length;
  const areNumbers = proposals('', numbers).some(
    ({ document }) => document.type === 'integer' || document.type === 'float',
  );
  const isEmpty = numbers.length === 0 && words.length === 0;
  return isEmpty || (areNumbers && areFew) ? { wide, words } : none;
}

const WORDS_MAX = 3;

/** Two years above several measures are enough, because each is there for each of them. */
const YEARS_MIN = 2;

/** The names of a header with two rows, if columns become rows by them: then the years have to be in the names. */
function withNames<Loaded extends { readonly columns: readonly string[] }>(
  loaded: Loaded,
  { names = [], block }: InspectedFile,
): Loaded & { readonly renamed: ReadonlyMap<string, string> } {
  const columns = loaded.columns.map((column, index) => names[index] || column);
  const isClear = new Set(columns.map((name) => name.toLowerCase())).size === columns.length;
  const isNamed = names.length > 0 && block === undefined && isClear;
  if (!isNamed || findWideColumns(columns, YEARS_MIN) === undefined) {
    return { ...loaded, renamed: new Map() };
  }
  const renamed = loaded.columns.flatMap((column, index): (readonly [string, string])[] => {
    const name = columns[index] ?? column;
    return name === column ? [] : [[column, name]];
  });
  return { ...loaded, columns, renamed: new Map(renamed) };
}
