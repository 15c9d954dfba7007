import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { CADENCES, type Cadence } from '../../domain/metric.ts';
import { FILE_FORMATS, isTable } from '../../manifest/file-formats.ts';
import type { RowStep } from '../../manifest/row-steps.ts';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import {
  type ImportConnection,
  openImportConnection,
} from '../../storage/duckdb/publish/import-connection.ts';
import { numberOf } from '../../storage/duckdb/publish/result-row.ts';
import type { OpenedRows } from '../formats/row-format.ts';
import type { ScanLimits } from '../formats/scan-source-file.ts';
import { explainStageError } from '../problems/explain-system-error.ts';
import { ImportError, shownValue } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';
import { preparedRows } from '../rows/stage-rows.ts';
import { RAW_ROWS, textColumn } from '../steps/staged-rows.ts';
import { type Combined, combineRepeated } from './combine-repeated.ts';
import {
  type DraftField,
  draftFields,
  type Period,
  type Point,
  strptimePattern,
  timeSql,
} from './draft-fields.ts';
import { type FoundKey, findKey, type KeyField } from './find-key.ts';
import { findPlaces, type RepeatedPlaces } from './find-places.ts';
import { type FoundRegion, findRegion } from './find-region.ts';
import { findWideColumns, type WideColumns } from './find-wide-columns.ts';
import type { SeenFile } from './look-at-file.ts';
import { isCountedName } from './measure-kind.ts';
import {
  leaveOutTexts,
  loadTexts,
  openFile,
  type ReadRows,
  type RowsOptions,
  stepLoaded,
  typedRows,
} from './open-rows.ts';
import { findAllNulls, hasHours, proposals, typeColumn } from './propose-types.ts';
import { datasetNameOf } from './valid-name.ts';

/** A dataset of the first manifest, with what is known about its rows. */
export type DraftDataset = {
  readonly name: string;
  readonly files: readonly SeenFile[];
  readonly nulls: readonly string[];
  /** A condition for rows without any value, and their number. */
  readonly blank: BlankRows | undefined;
  /** The same for rows without a field of the key. */
  readonly lacking: BlankRows | undefined;
  readonly wide: WideColumns | undefined;
  /** How rows with one key become one. */
  readonly combined: Omit<Combined, 'fields'>;
  readonly key: FoundKey;
  readonly point: Point | undefined;
  /** The part of the world that has all points. */
  readonly region: FoundRegion | undefined;
  /** Why there is no point, though features have geometries. */
  readonly pointDoubt: string | undefined;
  readonly period: Period | undefined;
  readonly fields: readonly DraftField[];
  readonly emptyColumns: readonly string[];
  /** Columns with values that no type can have as they are, such as times in Parquet. */
  readonly unreadColumns: readonly string[];
  readonly rowCount: number;
  readonly rejectedCount: number;
  readonly rejectedExample: string | undefined;
  readonly isLimited: boolean;
  /** The places that the rows repeat for each period. */
  readonly places: RepeatedPlaces | undefined;
  /** Other texts of which no two rows have the same, by field: rows may lack them. */
  readonly alternatives: ReadonlyMap<string, ReadonlySet<string>>;
  /** The different values of the fields of the key that can be codes. */
  readonly keyValues: ReadonlyMap<string, ReadonlySet<string>>;
};

export type BlankRows = { readonly condition: string; readonly count: number };

export type DraftOptions = {
  /** An existing folder for what does not fit into memory. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly limits: ScanLimits;
  readonly threads: number;
  readonly onProgress: (
    name: string,
    progress: { readonly stage: string; readonly fraction?: number },
  ) => void;
  readonly signal: AbortSignal | undefined;
};

/**
 * Reads all rows of files with the same columns, and finds what a manifest has to say about them. Quotes that are
 * signs, such as those of inches, prevent it at first.
 */
export async function draftDataset(
  files: readonly SeenFile[],
  options: DraftOptions,
): Promise<DraftDataset> {
  const isQuoted = files.every(
    ({ format, reading }) => FILE_FORMATS[format].reads.includes('quote') && reading.quote !== '',
  );
  if (!isQuoted) return draftRead(files, options);
  const drafted = await tryRead(files, options);
  if (!(drafted instanceof ImportError) && drafted.rejectedCount === 0) return drafted;
  const unquoted = files.map((seen) => ({
    ...seen,
    reading: { ...seen.reading, quote: '' },
    doubts: new Map([
      ...seen.doubts,
      ['quote', ['Quotes are kept as a part of the values.']] as const,
    ]),
  }));
  const other = await tryRead(unquoted, options);
  if (drafted instanceof ImportError) {
    if (other instanceof ImportError) throw drafted;
    return other;
  }
  return other instanceof ImportError || other.rejectedCount > 0 ? drafted : other;
}

function tryRead(files: readonly SeenFile[], options: DraftOptions) {
  return draftRead(files, options).catch((error: unknown) => {
    if (error instanceof ImportError) return error;
    throw error;
  });
}

async function draftRead(files: readonly SeenFile[], options: DraftOptions): Promise<DraftDataset> {
  const [first] = files;
  if (first === undefined) throw new Error('A dataset has a file.');
  const name = datasetNameOf(first.named);
  let stage = 'reading';
  const connection = await openImportConnection({
    ...options,
    onFraction: (fraction) => options.onProgress(name, { stage, fraction }),
  });
  const report = (next: string) => {
    stage = next;
    options.onProgress(name, { stage });
  };
  const folder = await mkdtemp(join(options.temporaryDirectory, 'draft-'));
  try {
    report('reading');
    const read = await readRows(files, { ...options, connection, folder });
    report('comparing');
    const described = await describe(connection, first, read).catch((error: unknown) => {
      // Without any row the reason is why the reader refused them.
      if (error instanceof NoValues && read.rejectedCount > 0) throw noTable(first, read, 0);
      throw error;
    });
    if (read.rejectedCount > described.rowCount) throw noTable(first, read, described.rowCount);
    return { name, files, ...read, ...described };
  } catch (error) {
    const file = files.map((one) => one.file.path).join(', ');
    throw explainStageError(error, {
      datasetName: name,
      stage,
      file,
      outcome: 'Nothing was written.',
    });
  } finally {
    await connection.close();
  }
}

class NoValues extends PublishError {}

/** A manifest that leaves out most rows is worse than none. */
function noTable(
  { file, header }: SeenFile,
  { rejectedCount, rejectedExample = '' }: FoundRows,
  rowCount: number,
): PublishError {
  const counts = `${rejectedCount.toLocaleString('en-US')} of ${(rejectedCount + rowCount).toLocaleString('en-US')}`;
  return new PublishError(
    `No table is found in ${file.path}: ${counts} rows do not have the columns of ${header === '' ? 'its header' : shownValue(header)}. ${rejectedExample}`,
    'Write the manifest by hand, with read: { skip_lines, header }: docs/how-to/my-file-looks-like-this.md has an example of each kind of file, also of a header with two rows.',
  );
}

type FoundRows = Pick<
  DraftDataset,
  'nulls' | 'blank' | 'wide' | 'rejectedCount' | 'rejectedExample' | 'isLimited'
> & { readonly rows: ReadRows };

async function readRows(files: readonly SeenFile[], options: RowsOptions): Promise<FoundRows> {
  const [first] = files;
  if (first === undefined) throw new Error('A dataset has a file.');
  const isTabular = isTable(first.format);
  const opened: OpenedRows[] = [];
  for (const [number, one] of files.entries()) opened.push(await openFile(one, number, options));
  const [only] = opened;
  if (!isTabular && only !== undefined && !(await needsTexts(options.connection, only))) {
    return asTyped(typedRows(first, only));
  }
  const loaded = await loadTexts(files, opened, options);
  const texts: (readonly string[])[] = [];
  for (const [index] of loaded.columns.entries()) {
    texts.push(await rawTexts(options.connection, textColumn(index)));
  }
  // Only tables can declare texts for absent values.
  const known = isTabular ? findAllNulls(texts) : [];
  const { wide, words } = wideNumbers(loaded.columns, texts, known);
  const nulls = isTabular ? [...known, ...words] : [];
  await leaveOutTexts(options.connection, loaded.columns, nulls);
  const blank = isTabular ? await findBlankRows(options.connection, loaded.columns) : undefined;
  const steps: readonly RowStep[] = [
    ...(blank === undefined
      ? []
      : [{ kind: 'where', number: 0, condition: blank.condition } as const]),
    ...(wide === undefined
      ? []
      : [{ kind: 'unpivot', number: 1, name: wide.name, values: wide.values } as const]),
  ];
  const rows = await stepLoaded(first, loaded, steps, options.connection);
  const { rejectedCount, rejectedExample, isLimited } = loaded;
  return { rows, nulls, blank, wide, rejectedCount, rejectedExample, isLimited };
}

function asTyped(rows: ReadRows): FoundRows {
  return {
    rows,
    nulls: [],
    blank: undefined,
    wide: undefined,
    rejectedCount: 0,
    rejectedExample: undefined,
    isLimited: false,
  };
}

/** Whether columns with types are read as texts: those of years become rows, and times have an hour. */
async function needsTexts(connection: ImportConnection, rows: OpenedRows): Promise<boolean> {
  if (findWideColumns(rows.columns) !== undefined) return true;
  for (const index of rows.columns.keys()) if (await hasHours(connection, rows, index)) return true;
  return false;
}

/** Spreadsheets leave rows of delimiters alone, which have no key. */
async function findBlankRows(
  connection: ImportConnection,
  columns: readonly string[],
): Promise<BlankRows | undefined> {
  const isText = columns.map((_, index) => `trim(coalesce(${textColumn(index)}, '')) <> ''`);
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

function isFilledSql(column: string): string {
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
  nulls: readonly string[],
): { readonly wide: WideColumns | undefined; readonly words: readonly string[] } {
  const none = { wide: undefined, words: [] };
  const wide = findWideColumns(columns);
  if (wide === undefined) return none;
  const values = wide.used.flatMap((column) => texts[columns.indexOf(column)] ?? []);
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

const TYPED_ROWS = 'stage.main.typed_rows';

async function describe(
  connection: ImportConnection,
  seen: SeenFile,
  found: Pick<FoundRows, 'rows' | 'wide'>,
): Promise<Omit<DraftDataset, 'name' | 'files' | keyof FoundRows>> {
  const { rows, wide } = found;
  const typed = [];
  const sums = wide?.sums ?? [];
  const emptyColumns: string[] = [];
  const unreadColumns: string[] = [];
  const pointDoubt = await findPointDoubt(connection, seen, rows);
  const special = rows.specialColumns.filter(
    (column) => pointDoubt === undefined || column === '$id',
  );
  const columns = rows.columns.filter((column) => !sums.includes(column));
  for (const column of [...columns, ...special]) {
    const position = isTable(seen.format) ? /^column (\d+)$/.exec(column)?.[1] : undefined;
    const place = position === undefined ? column : Number(position);
    const one = await typeColumn(connection, rows, column, place);
    if (one === undefined) unreadColumns.push(column);
    else if (one.filledCount > 0) typed.push(one);
    else if (!rows.specialColumns.includes(column)) emptyColumns.push(column);
  }
  if (typed.length === 0) {
    throw new NoValues(
      `${seen.file.path} has no rows with values.`,
      'Name a file with rows below the names of its columns.',
    );
  }
  const drafted = draftFields(typed, rows.hasTexts);
  const point = pointOf(drafted);
  await createTyped(connection, rows, drafted, point);
  const stats = await readStats(connection, drafted);
  const { rowCount } = stats;
  const inRange = point !== undefined && isInRange(drafted, point, stats) ? point : undefined;
  const fields = await spanDates(connection, drafted, stats);
  const pair = periodPair(fields);
  const hasPeriod = fields.some(
    ({ name, document }) => document.type === 'date' && !EVENT_NAME.test(name),
  );
  const isFileNumber = seen.format !== 'geojson';
  const keyFields = fields.map((field, index) =>
    toKeyField(field, index, { stats, point: inRange, pair, hasPeriod, isFileNumber }),
  );
  const key = await findKey(connection, keyFields, {
    table: TYPED_ROWS,
    rowCount,
    mayLeaveOut: rows.hasTexts,
  });
  const joined = await joinCodes(connection, fields, key, rows.hasTexts);
  // Numbers of rows that nobody named, and that no key needs, say nothing.
  const isNeedless = (column: string | undefined, index: number) =>
    (column === '$id' && seen.format !== 'geojson') ||
    (/^column \d+$/.test(column ?? '') && keyFields[index]?.isRowNumber === true);
  const needed = fields.filter(
    ({ name, column }, index) => key.fields.includes(name) || !isNeedless(column, index),
  );
  const withJoined = joined === undefined ? needed : [joined, ...needed];
  const finalKey = joined === undefined ? key : { ...key, fields: [joined.name] };
  const declared = declarePeriod(withJoined, finalKey, pair);
  const { fields: withPeriod } = declared;
  const period = declared.period && {
    ...declared.period,
    ...(pair === undefined ? {} : { cadence: await findCadence(connection, fields, pair) }),
  };
  const named =
    period === undefined
      ? finalKey
      : { ...finalKey, fields: finalKey.fields.map((name) => period.renamed.get(name) ?? name) };
  const { fields: finalFields, ...combined } = await combineRepeated(connection, rows, {
    key: named,
    fields: withPeriod,
    leastOf: (field) => stats.fields[fields.findIndex(({ name }) => name === field)]?.least ?? 0,
    hasTexts: rows.hasTexts,
    rowNumbers: keyFields.filter(({ isRowNumber }) => isRowNumber).map(({ name }) => name),
  });
  const lackingField = fields.find((field) => field.name === key.lacking?.field);
  return {
    rowCount: rowCount - (key.lacking?.count ?? 0),
    lacking:
      lackingField === undefined || key.lacking === undefined
        ? undefined
        : { condition: isFilledSql(lackingField.column ?? ''), count: key.lacking.count },
    emptyColumns,
    unreadColumns,
    fields: isForced(seen, { ...found, combined }, finalFields)
      ? forceTexts(finalFields)
      : finalFields,
    key: named,
    point: inRange,
    region:
      inRange &&
      (await findRegion(connection, {
        table: TYPED_ROWS,
        latitude: `v${drafted.findIndex(({ name }) => name === inRange.latitude)}`,
        longitude: `v${drafted.findIndex(({ name }) => name === inRange.longitude)}`,
      })),
    pointDoubt,
    period,
    combined,
    places:
      inRange &&
      period &&
      (await findPlaces(connection, {
        table: TYPED_ROWS,
        fields,
        keyFields: key.fields,
        point: inRange,
      })),
    alternatives: await readAlternatives(connection, fields, {
      isPlain: rows.hasTexts,
      stats,
      isPlace:
        inRange !== undefined &&
        period === undefined &&
        named.fields.length === 1 &&
        named.lacking === undefined,
      keyFields: named.fields,
    }),
    keyValues: await readKeyValues(connection, fields, key, joined),
  };
}

/** Whether only an expression makes the publish read the columns of the file as texts, as they were here. */
function isForced(
  { format }: SeenFile,
  { rows, wide, combined }: Pick<FoundRows, 'rows' | 'wide'> & Pick<DraftDataset, 'combined'>,
  fields: readonly DraftField[],
): boolean {
  const hasSteps = wide !== undefined || combined.aggregate !== undefined;
  const isRead = fields.some(({ document }) => document.expression !== undefined);
  return rows.hasTexts && !isTable(format) && !hasSteps && !isRead;
}

/** Reads the first time by an expression. */
function forceTexts(fields: readonly DraftField[]): readonly DraftField[] {
  const timed = fields.find(({ hasTime }) => hasTime);
  return fields.map((field) => {
    if (field !== timed) return field;
    const { column = field.name, ...document } = field.document;
    return { ...field, document: { ...document, expression: quoteIdentifier(String(column)) } };
  });
}

/** Why the points of features cannot be fields; undefined if they can, or if there are none. */
async function findPointDoubt(
  connection: ImportConnection,
  seen: SeenFile,
  rows: ReadRows,
): Promise<string | undefined> {
  if (seen.pointProblem !== undefined) return `Without the points: ${seen.pointProblem}`;
  for (const column of rows.specialColumns.filter((name) => name !== '$id')) {
    const selection = rows.select({ value: { type: 'float', column } });
    const [reading] = selection?.readings ?? [];
    if (selection === undefined || reading === undefined) continue;
    const [row] = await connection.list(
      `SELECT count(*)::DOUBLE AS count, min(${reading.reason}) AS reason, min(${reading.shown}) AS shown
        FROM ${preparedRows(selection, selection.readings)}
        WHERE (${reading.value}) IS NULL AND NOT (${reading.isAbsent})`,
      selection.parameters,
    );
    const count = row === undefined ? 0 : numberOf(row, 'count');
    if (row === undefined || count === 0) continue;
    const features = count === 1 ? '1 feature has none' : `${count} features have none`;
    const isDegrees = !String(row['reason']).startsWith('is not between');
    const hint = isDegrees
      ? `To publish the others, declare point with $latitude and $longitude, and accept: { rejected_rows: ${count} }.`
      : 'GeoJSON has degrees of WGS 84: if these are of another coordinate system, save it with ogr2ogr -t_srs EPSG:4326.';
    return `Without the points, because ${features} that can be served: '${row['shown']}' ${row['reason']}. ${hint}`;
  }
  return undefined;
}

/** The values of the fields, each in a column. */
async function createTyped(
  connection: ImportConnection,
  rows: ReadRows,
  fields: readonly DraftField[],
  point: Point | undefined,
): Promise<void> {
  const read = fields.filter(({ time }) => time === undefined);
  const documents = Object.fromEntries(read.map(({ name, document }) => [name, document]));
  const selection = rows.select(documents, point === undefined ? {} : { point });
  if (selection === undefined) throw new Error('The fields cannot be read.');
  const values = fields.map((field, index) => {
    const { time } = field;
    const reading = selection.readings[read.indexOf(field)];
    if (time === undefined) return `(${reading?.value}) AS v${index}`;
    const text = textColumn(rows.indexOf(time.column));
    return `${timeSql(text, time)} AS v${index}`;
  });
  await connection.run(
    `CREATE TABLE ${TYPED_ROWS} AS SELECT ${['true AS present', ...values].join(', ')}
      FROM ${preparedRows(selection, selection.readings)}`,
    selection.parameters,
  );
}

function pointOf(fields: readonly DraftField[]): Point | undefined {
  const latitude = coordinateOf(fields, 'latitude');
  const longitude = coordinateOf(fields, 'longitude');
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** The one of the geometry, because columns beside it can be in another coordinate system. */
function coordinateOf(
  fields: readonly DraftField[],
  part: 'latitude' | 'longitude',
): string | undefined {
  const found = fields.filter((field) => field.part === part);
  return (found.find(({ column }) => column === `$${part}`) ?? found[0])?.name;
}

type Stats = {
  readonly rowCount: number;
  readonly fields: readonly {
    readonly filled: number;
    readonly distinct: number;
    readonly least: number;
    readonly greatest: number;
  }[];
};

async function readStats(
  connection: ImportConnection,
  fields: readonly DraftField[],
): Promise<Stats> {
  const parts = fields.flatMap(({ document }, index) => {
    const isNumber = document.type === 'integer' || document.type === 'float';
    const number = isNumber
      ? `v${index}`
      : document.type === 'string'
        ? `TRY_CAST(v${index} AS DOUBLE)`
        : 'NULL';
    return [
      `count(v${index})::DOUBLE AS filled_${index}`,
      `count(DISTINCT v${index})::DOUBLE AS distinct_${index}`,
      `coalesce(min(${number})::DOUBLE, 'NaN'::DOUBLE) AS least_${index}`,
      `coalesce(max(${number})::DOUBLE, 'NaN'::DOUBLE) AS greatest_${index}`,
    ];
  });
  const [row] = await connection.list(
    `SELECT ${['count(*)::DOUBLE AS row_count', ...parts].join(', ')} FROM ${TYPED_ROWS}`,
  );
  if (row === undefined) throw new Error('The rows cannot be counted.');
  return {
    rowCount: numberOf(row, 'row_count'),
    fields: fields.map((_, index) => ({
      filled: numberOf(row, `filled_${index}`),
      distinct: numberOf(row, `distinct_${index}`),
      least: numberOf(row, `least_${index}`),
      greatest: numberOf(row, `greatest_${index}`),
    })),
  };
}

function isInRange(
  fields: readonly DraftField[],
  { latitude, longitude }: Point,
  stats: Stats,
): boolean {
  const within = (name: string, limit: number): boolean => {
    const found = stats.fields[fields.findIndex((field) => field.name === name)];
    return found !== undefined && found.least >= -limit && found.greatest <= limit;
  };
  return within(latitude, 90) && within(longitude, 180);
}

/** Days that are all the first of a month stand for the month; so for a quarter and a year. */
async function spanDates(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { fields: stats, rowCount }: Stats,
): Promise<readonly DraftField[]> {
  const spanned: DraftField[] = [];
  const hasEnd = fields.some(
    (field) => field.document.type === 'date' && END_NAME.test(field.name),
  );
  for (const [index, field] of fields.entries()) {
    const { type, as, zone } = field.document;
    const distinct = stats[index]?.distinct ?? 0;
    const isSpan = type === 'date' && as === undefined && zone === undefined && !field.hasTime;
    // Days that never repeat can be any, but not in a column that is called a month.
    const isAny = distinct === rowCount && !SPAN_NAME.test(field.name);
    if (!isSpan || hasEnd || distinct < 3 || isAny) {
      spanned.push(field);
      continue;
    }
    const [row] = await connection.list(
      `SELECT (CASE WHEN bool_and(dayofyear(v${index}) = 1) THEN 'year'
          WHEN bool_and(day(v${index}) = 1 AND month(v${index}) % 3 = 1) THEN 'quarter'
          WHEN bool_and(day(v${index}) = 1) THEN 'month'
          WHEN bool_and(isodow(v${index}) = 1) THEN 'week' END) AS unit,
          (CASE WHEN min(isodow(v${index})) = max(isodow(v${index})) THEN dayname(min(v${index})) END) AS weekday
          FROM ${TYPED_ROWS}
        WHERE v${index} IS NOT NULL`,
    );
    const unit = ['year', 'quarter', 'month', 'week'].find((one) => one === row?.['unit']) as
      | DraftField['document']['as']
      | undefined;
    const weekday = row?.['weekday'];
    const plain =
      typeof weekday === 'string'
        ? { ...field, doubts: [...field.doubts, weekDoubt(field, weekday)] }
        : field;
    spanned.push(
      unit === undefined
        ? plain
        : {
            ...field,
            document: { ...field.document, as: unit },
            doubts: [
              ...field.doubts,
              `All days are the first of a ${unit}, so they are read as that ${unit}. If they are single days, leave out as.`,
            ],
          },
    );
  }
  return spanned;
}

/** Weeks that do not begin on Monday need both of their days. */
function weekDoubt({ name, document }: DraftField, weekday: string): string {
  const { column = name, format = 'YYYY-MM-DD' } = document;
  const isEnd = /(^|_)end/.test(name);
  const pattern = strptimePattern(format);
  const day = `CAST(strptime(trim(${quoteIdentifier(String(column))}), '${pattern}') AS DATE) ${isEnd ? '- 6' : '+ 6'}`;
  const other = isEnd ? 'week_start' : 'week_end';
  const period = isEnd ? `start: week_start, end: ${name}` : `start: ${name}, end: week_end`;
  return `All days are a ${weekday}. If each is the ${isEnd ? 'last' : 'first'} day of a week, add the field ${other}: { type: date, expression: '${day.replaceAll("'", "''")}' }, and declare period: { ${period} } and cadence: weekly.`;
}

const SPAN_NAME = /(^|_)(year|quarter|month|week)($|_)/;

const START_NAME = /(^|_)(start|begin|from|first)($|_)/;
const END_NAME = /(^|_)(end|stop|until|last)($|_)/;

function periodPair(fields: readonly DraftField[]): PeriodFields | undefined {
  const days = fields.filter(({ document }) => document.type === 'date');
  const start = days.find(({ name }) => START_NAME.test(name))?.name;
  const end = days.find(({ name }) => END_NAME.test(name))?.name;
  return start === undefined || end === undefined ? undefined : { start, end };
}

type PeriodFields = { readonly start: string; readonly end: string };

const DIMENSION_NAME =
  /(^|_)(hour|age|level|class|type|category|month|quarter|week|weekday|day|year|direction|group|sex|gender)($|_)/;
const EVENT_NAME =
  /open|found|birth|built|creat|updat|modif|clos|expir|establish|since|regist|retriev|downloaded|last_/;
/** The names that portals and programs for maps give the number of a row. */
const FILE_NUMBER_NAME = /^(_id|objectid|object_id|ogc_fid|fid|index|row_?num(ber)?)$/i;
const ROW_NUMBER_NAME =
  /^(_?id|row(_?(no|num|number|id))?|index|objectid|object_id|fid|ogc_fid|no|nr|column[_ ]\d+|n|num|number)$/;

function toKeyField(
  { name, document, isCode, column }: DraftField,
  index: number,
  {
    stats: { rowCount, fields },
    point,
    pair,
    hasPeriod,
    isFileNumber,
  }: {
    readonly stats: Stats;
    readonly point: Point | undefined;
    readonly pair: PeriodFields | undefined;
    readonly hasPeriod: boolean;
    /** Whether the id of a feature is the number of its row. */
    readonly isFileNumber: boolean;
  },
): KeyField {
  const found = fields[index] ?? { filled: 0, distinct: 0, least: 0, greatest: 0 };
  const isInteger = document.type === 'integer';
  const isPoint = name === point?.latitude || name === point?.longitude;
  const counts =
    found.distinct === rowCount &&
    found.least >= 0 &&
    found.least <= 1 &&
    found.greatest - found.least === rowCount - 1;
  return {
    name,
    value: `v${index}`,
    type: isPoint ? 'point' : document.type,
    isCode: isCode && !isPoint,
    isPeriod:
      document.type === 'date' &&
      !EVENT_NAME.test(name) &&
      (pair === undefined
        ? document.as !== undefined || found.distinct < rowCount
        : name === pair.start),
    isRowNumber:
      found.distinct === rowCount &&
      (FILE_NUMBER_NAME.test(column ?? '') ||
        (column === '$id' && isFileNumber) ||
        (hasPeriod && counts && ROW_NUMBER_NAME.test(String(column ?? name).toLowerCase()))),
    isMeasure:
      (isInteger && !(DIMENSION_NAME.test(name) && found.distinct <= 400)) ||
      (document.type === 'date' && (EVENT_NAME.test(name) || name === pair?.end)),
    isCount: isCountedName(name),
    filledCount: found.filled,
    isFilled: found.filled === rowCount,
    distinctCount: found.distinct,
  };
}

/** A key of several codes becomes one, so that a layer can have it. */
async function joinCodes(
  connection: ImportConnection,
  fields: readonly DraftField[],
  key: FoundKey,
  isTabular: boolean,
): Promise<DraftField | undefined> {
  const parts = key.fields.map((name) => fields.findIndex((field) => field.name === name));
  const columns = parts.map((index) => fields[index]?.document.column);
  const areCodes = parts.every((index) => {
    const field = fields[index];
    return field?.isCode === true && field.document.type === 'string';
  });
  if (!isTabular || parts.length < 2 || key.repeatedCount > 0 || !areCodes) return undefined;
  // Codes of areas within each other, such as of a state and a county, are short numbers.
  const lengths = parts.map(
    (index) =>
      `(min(length(v${index})) = max(length(v${index})) AND bool_and(regexp_full_match(v${index}, '[0-9]{1,12}')))`,
  );
  const [row] = await connection.list(
    `SELECT (${lengths.join(' AND ')})::VARCHAR AS fixed FROM ${TYPED_ROWS}`,
  );
  if (row?.['fixed'] !== 'true') return undefined;
  const pads = parts.map((index) => fields[index]?.document.pad);
  const joined = columns.map((column, index) => column ?? key.fields[index] ?? '');
  if (joined.some((column) => typeof column === 'object')) return undefined;
  const isPadded = pads.every((pad) => typeof pad === 'number');
  const name = ['geoid', 'code', 'joined_code'].find((one) =>
    fields.every((field) => field.name !== one),
  );
  if (name === undefined) return undefined;
  return {
    name,
    document: {
      type: 'string',
      column: joined.flatMap((column) => (typeof column === 'object' ? [] : [column])),
      ...(isPadded ? { pad: pads.flatMap((pad) => (typeof pad === 'number' ? [pad] : [])) } : {}),
    },
    column: undefined,
    isCode: true,
    hasTime: false,
    part: undefined,
    doubts: [],
    notes: [`The codes ${key.fields.join(', ')} together identify a row.`],
  };
}

const PERIOD_NAME =
  /^((observation|report|reference|obs|visit|data)_)?(year|date|day|month|week|quarter|period|time|timestamp|datetime|yyyymm|yyyymmdd)(_start)?(_date)?$/;

function declarePeriod(
  fields: readonly DraftField[],
  key: FoundKey,
  pair: PeriodFields | undefined,
): { readonly period: Period | undefined; readonly fields: readonly DraftField[] } {
  const nothing = new Map<string, string>();
  if (pair !== undefined) return { period: { ...pair, unit: undefined, renamed: nothing }, fields };
  const days = fields.filter(({ document }) => document.type === 'date');
  const start =
    days.find(({ name }) => key.fields.includes(name)) ??
    days.find(({ name }) => PERIOD_NAME.test(name));
  if (start === undefined) return { period: undefined, fields };
  const { as } = start.document;
  if (as === undefined) {
    return {
      period: { start: start.name, end: start.name, unit: 'day', renamed: nothing },
      fields,
    };
  }
  const taken = new Set(fields.map(({ name }) => name));
  const [first, last] = [`${as}_start`, `${as}_end`];
  if (taken.has(last) || (taken.has(first) && start.name !== first))
    return { period: undefined, fields };
  const column = start.document.column ?? start.name;
  const split = fields.flatMap((field) =>
    field === start
      ? [
          { ...start, name: first, document: { ...start.document, column } },
          { ...start, name: last, document: { ...start.document, column }, doubts: [], notes: [] },
        ]
      : [field],
  );
  return {
    period: { start: first, end: last, unit: as, renamed: new Map([[start.name, first]]) },
    fields: split,
  };
}

async function findCadence(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { start, end }: PeriodFields,
): Promise<Cadence> {
  const first = `v${fields.findIndex(({ name }) => name === start)}`;
  const next = `(v${fields.findIndex(({ name }) => name === end)} + 1)`;
  const [row] = await connection.list(
    `SELECT (CASE WHEN bool_and(${next} = ${first} + 1) THEN 'daily'
        WHEN bool_and(day(${first}) = 1 AND ${next} = ${first} + INTERVAL 1 MONTH) THEN 'monthly'
        WHEN bool_and(day(${first}) = 1 AND month(${first}) % 3 = 1 AND ${next} = ${first} + INTERVAL 3 MONTHS) THEN 'quarterly'
        WHEN bool_and(day(${first}) = 1 AND ${next} = ${first} + INTERVAL 12 MONTHS) THEN 'yearly'
        WHEN bool_and(isodow(${first}) = 1 AND ${next} = ${first} + 7) THEN 'weekly_mon_sun'
        WHEN bool_and(${next} = ${first} + 7) THEN 'weekly' END) AS cadence
      FROM ${TYPED_ROWS} WHERE ${first} IS NOT NULL AND ${next} IS NOT NULL`,
  );
  return CADENCES.find((one) => one === row?.['cadence']) ?? 'unspecified';
}

/** The different values of the fields of the key that can be codes, which tell which files belong together. */
async function readKeyValues(
  connection: ImportConnection,
  fields: readonly DraftField[],
  key: FoundKey,
  joined: DraftField | undefined,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const indexes = key.fields.map((name) => fields.findIndex((field) => field.name === name));
  const wanted =
    joined === undefined
      ? indexes
          .filter((index) => ['string', 'integer'].includes(fields[index]?.document.type ?? ''))
          .map((index) => ({ name: fields[index]?.name ?? '', sql: `v${index}` }))
      : [{ name: joined.name, sql: indexes.map((index) => `v${index}`).join(' || ') }];
  const values = new Map<string, ReadonlySet<string>>();
  for (const { name, sql } of wanted) {
    const rows = await connection.list(
      `SELECT DISTINCT (${sql})::VARCHAR AS value FROM ${TYPED_ROWS} LIMIT ${VALUES_MAX + 1}`,
    );
    if (rows.length <= VALUES_MAX)
      values.set(name, new Set(rows.map(({ value }) => String(value))));
  }
  return values;
}

/** The texts of places that could be their key. */
async function readAlternatives(
  connection: ImportConnection,
  fields: readonly DraftField[],
  {
    isPlain,
    stats,
    isPlace,
    keyFields,
  }: {
    /** Whether rows that lack the key can be left out. */
    readonly isPlain: boolean;
    readonly stats: Stats;
    readonly isPlace: boolean;
    readonly keyFields: readonly string[];
  },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  if (!isPlace) return found;
  for (const [index, { name, document }] of fields.entries()) {
    const { filled = 0, distinct = 0 } = stats.fields[index] ?? {};
    const isWhole = filled === stats.rowCount;
    const isText = document.type === 'string' && typeof (document.column ?? name) === 'string';
    const isUnique = distinct === filled && distinct > 1 && distinct <= VALUES_MAX;
    if (!isText || !isUnique || keyFields.includes(name) || !(isWhole || isPlain)) continue;
    const rows = await connection.list(
      `SELECT v${index} AS value FROM ${TYPED_ROWS} WHERE v${index} IS NOT NULL`,
    );
    found.set(name, new Set(rows.map(({ value }) => String(value))));
  }
  return found;
}

const VALUES_MAX = 500_000;
