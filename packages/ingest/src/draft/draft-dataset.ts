import { mkdtemp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type ImportConnection,
  openImportConnection,
} from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { OUTLINE_COLUMN } from '../formats/features/geojson-format.ts';
import { namedColumns } from '../formats/named-tables.ts';
import type { ScanLimits } from '../formats/scan-source-file.ts';
import { FILE_FORMATS, isTable } from '../manifest/file-formats.ts';
import { ImportError, shownValue } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';
import { positionName } from '../steps/step-columns.ts';
import { type DraftExamples, readExamples } from './draft-examples.ts';
import {
  findOutlines,
  findPointDoubt,
  findWrongShapes,
  isInRange,
  pointOf,
  type WrongShapes,
} from './draft-point.ts';
import { explainDraftError } from './explain-draft-error.ts';
import type { InspectedFile } from './files/inspect-file.ts';
import { type Combined, combineRepeated } from './keys/combine-repeated.ts';
import type { DailySums } from './keys/daily-sums.ts';
import {
  changesAsPeriods,
  doubtChanges,
  readAlternatives,
  readKeyValues,
  toKeyField,
  withoutMoments,
  withRecordIds,
} from './keys/draft-key.ts';
import {
  declarePeriod,
  EVENT_NAME,
  findCadence,
  periodPair,
  spanDates,
} from './keys/draft-period.ts';
import { readExclusiveEnds } from './keys/exclusive-ends.ts';
import { type ChanceKey, findChance } from './keys/find-chance.ts';
import { type FoundHours, findHours } from './keys/find-hours.ts';
import { type FoundKey, findKey, keyOfDimensions, wholeKey } from './keys/find-key.ts';
import { findNameKey, type NameKey, withCodeOfName } from './keys/find-name-key.ts';
import { findPlaceColumns, type PlaceColumns } from './keys/find-place-columns.ts';
import { findPlaces, type RepeatedPlaces } from './keys/find-places.ts';
import { findRepeatedValues } from './keys/find-repeated-values.ts';
import { findRunning } from './keys/find-running.ts';
import type { BlankRows } from './keys/find-total-rows.ts';
import { findTotals } from './keys/find-totals.ts';
import { findWholes } from './keys/find-wholes.ts';
import type { FoundTotal } from './keys/found-total.ts';
import type { KeyField } from './keys/key-field.ts';
import { isAddressName, isAreaName } from './keys/key-roles.ts';
import { withOuterAreas } from './keys/outer-areas.ts';
import { isByChance, panelKey } from './keys/panel-key.ts';
import { codesAsTexts, fillKeyBlanks, type PlaceCode, placeCodeOf } from './keys/place-code.ts';
import { type FoundRows, isFilledSql, readRows } from './read-rows.ts';
import { divideFlags } from './values/divide-flags.ts';
import { divideHalfYears } from './values/divide-half-years.ts';
import { type DraftField, draftFields, type Period, type Point } from './values/draft-fields.ts';
import { findInterval } from './values/find-interval.ts';
import { type Members, withMemberSql } from './values/find-members.ts';
import type { DraftUnnest } from './values/find-nested.ts';
import { type FoundRegion, findRegion } from './values/find-region.ts';
import type { WideColumns } from './values/find-wide-columns.ts';
import { type Label, labelNames, labelNumbers } from './values/label-numbers.ts';
import { areMidnights, withLocalDays } from './values/local-days.ts';
import { findPartsOfDates } from './values/parts-of-dates.ts';
import { periodOfFile, yearOfFile } from './values/period-of-file.ts';
import { type TypedColumn, typeColumn } from './values/propose-types.ts';
import { readDigitValues } from './values/read-digit-values.ts';
import type { DigitValues, SharedCode } from './values/shared-codes.ts';
import { createTyped, readStats, TYPED_ROWS } from './values/typed-rows.ts';
import { datasetNameOf, distinctName, isCorner, snake } from './values/valid-name.ts';

/** A dataset of the first manifest, with what is known about its rows. */
export type DraftDataset = Omit<FoundRows, 'rows' | 'sampleTexts'> & {
  readonly name: string;
  readonly files: readonly InspectedFile[];
  /** A condition for rows without a field of the key, and their number. */
  readonly lacking: BlankRows | undefined;
  /** How rows with one key become one. */
  readonly combined: Combined;
  readonly key: FoundKey;
  readonly nameKey: NameKey | undefined;
  /** Why no two rows share the key, if it is by chance. */
  readonly chance: ChanceKey | undefined;
  readonly point: Point | undefined;
  /** The part of the world that has all points. */
  readonly region: FoundRegion | undefined;
  /** Why there is no point, though features have geometries. */
  readonly pointDoubt: string | undefined;
  /** Features that are left out, because their geometries have no point. */
  readonly wrongShapes: WrongShapes | undefined;
  /** The field with the outlines of areas. */
  readonly outline: string | undefined;
  /** Why there is none, though features are areas. */
  readonly outlineDoubt: string | undefined;
  readonly period: Period | undefined;
  readonly fields: readonly DraftField[];
  readonly emptyColumns: readonly string[];
  /** Columns with values that no type can have as they are, such as times in Parquet. */
  readonly unreadColumns: readonly UnreadColumn[];
  readonly rowCount: number;
  readonly examples: DraftExamples;
  /** The records that are the sums of others. */
  readonly totals: readonly FoundTotal[];
  /** The measures that seem to be running totals. */
  readonly running: ReadonlySet<string>;
  /** The measures that rows repeat, with the field of the key in which these rows differ. */
  readonly repeatedValues: ReadonlyMap<string, string>;
  /** The places that the rows repeat for each period. */
  readonly places: RepeatedPlaces | undefined;
  /** Fields with one value. */
  readonly constants: ReadonlySet<string>;
  /** Numbers that are no measure if there is another: those of places, of rows, and parts of dates. */
  readonly otherNumbers: ReadonlySet<string>;
  /** Whole numbers that may be no amounts, by their values. */
  readonly labels: ReadonlyMap<string, Label>;
  /** The members of objects that are fields. If there are some, all columns are read as texts. */
  readonly members: Members;
  /** The datasets of its lists and maps. */
  readonly derived?: readonly DraftDataset[];
  /** Why lists or maps are in no dataset. */
  readonly nestedDoubts?: readonly string[];
  /** The field of the key with another place, such as the home of visitors. */
  readonly related?: string | undefined;
  /** Whether its records are the keys of maps of another dataset. */
  readonly isOfKeys?: boolean;
  /** Whether its records are the places of another dataset, though they have no point. */
  readonly isLayer?: boolean;
  /** Other texts of which no two rows have the same, by field: rows may lack them. */
  readonly alternatives: ReadonlyMap<string, ReadonlySet<string>>;
  /** The hour in the key of values by day. */
  readonly hours: FoundHours | undefined;
  /** Columns that can be places each. */
  readonly placeColumns: PlaceColumns | undefined;
  /** What became of the hours. */
  readonly daily?: DailySums | undefined;
  /** The different values of fields with digits, if there are other files that can share them. */
  readonly digits: DigitValues;
  /** The different values of the fields of the key that can be codes. */
  readonly keyValues: ReadonlyMap<string, ReadonlySet<string>>;
};

export type UnreadColumn = { readonly column: string; readonly example: string | undefined };

export type DraftOptions = {
  /** An existing folder for what does not fit into memory. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly limits: ScanLimits;
  readonly threads: number;
  /** Whether other files are drafted with it. */
  readonly isShared: boolean;
  /** Whether others of them have the same name but for the period. */
  readonly isOfSeries?: boolean;
  /** The columns whose numbers are codes of other files. */
  readonly codes?: ReadonlyMap<string, SharedCode>;
  /** The columns that become rows, because each is a place. */
  readonly places?: WideColumns | undefined;
  readonly onProgress: (
    name: string,
    progress: { readonly stage: string; readonly fraction?: number },
  ) => void;
  readonly signal: AbortSignal | undefined;
};

/**
 * Reads all rows of files with the same columns, and finds what a manifest has to say about them. Quotes that are
 * symbols, such as those of inches, prevent it at first.
 */
export async function draftDataset(
  files: readonly InspectedFile[],
  options: DraftOptions,
): Promise<DraftDataset> {
  const isQuoted = files.every(
    ({ format, reading }) => FILE_FORMATS[format].reads.includes('quote') && reading.quote !== '',
  );
  if (!isQuoted) return draftRead(files, options);
  const drafted = await tryRead(files, options);
  if (drafted instanceof PublishError) throw drafted;
  if (!(drafted instanceof ImportError) && drafted.rejectedCount === 0) return drafted;
  const unquoted = files.map((seen) => ({
    ...seen,
    reading: { ...seen.reading, quote: '' },
    doubts: new Map([
      ...seen.doubts,
      ['quote', ['Quotes are kept as part of the values.']] as const,
    ]),
  }));
  const other = await tryRead(unquoted, options);
  if (drafted instanceof ImportError) {
    if (other instanceof Error) throw drafted;
    return other;
  }
  return other instanceof Error || other.rejectedCount > 0 ? drafted : other;
}

function tryRead(files: readonly InspectedFile[], options: DraftOptions) {
  return draftRead(files, options).catch((error: unknown) => {
    if (error instanceof ImportError || error instanceof PublishError) return error;
    throw error;
  });
}

async function draftRead(
  files: readonly InspectedFile[],
  options: DraftOptions,
): Promise<DraftDataset> {
  const drafted = await draftOnce(files, options, { areTexts: false });
  const isTyped = files.every(({ format }) => !isTable(format));
  if (drafted.hours !== undefined && files.some(({ format }) => format === 'parquet')) {
    return draftOnce(files, options, { areTexts: true });
  }
  if (!isTyped || drafted.key.conflictCount === 0) return drafted;
  // Only in texts the blanks of a key can be filled.
  const filled = await draftOnce(files, options, { areTexts: true });
  return filled.key.repeatedCount === 0 ? filled : drafted;
}

/** The same of the rows, or of each number in their lists or maps. */
export async function draftOnce(
  files: readonly InspectedFile[],
  options: DraftOptions,
  { areTexts, unnest }: { readonly areTexts: boolean; readonly unnest?: DraftUnnest | undefined },
): Promise<DraftDataset> {
  const [first] = files;
  if (first === undefined) throw new Error('A dataset has a file.');
  const name = nameOf(first);
  let stage = 'reading';
  const connection = await openImportConnection({
    ...options,
    onFraction: (fraction) =>
      options.onProgress(name, {
        stage,
        fraction: stage === 'reading' ? (1 + fraction) / 2 : fraction,
      }),
  });
  const report = (next: string) => {
    stage = next;
    options.onProgress(name, { stage });
  };
  const folder = await mkdtemp(join(options.temporaryDirectory, 'draft-'));
  try {
    report('reading');
    const read = await readRows(files, { ...options, connection, folder, areTexts, unnest });
    report('comparing');
    const isAlone = files.length === 1;
    const describing = describe(connection, first, read, { ...options, isAlone });
    const found = await describing.catch((error: unknown) => {
      // Without any row the reason is why the reader refused them.
      if (error instanceof NoValues && read.rejectedCount > 0) throw noTable(first, read, 0);
      throw error;
    });
    if (read.rejectedCount > found.rowCount) throw noTable(first, read, found.rowCount);
    const described = withHeaders(files, read.headerCount).map((file) =>
      read.joined === undefined ? file : withDelimiter(file),
    );
    return { name, files: described, ...read, ...found, fields: doubtLabels(found.fields, read) };
  } catch (error) {
    const file = files.map((one) => one.file.path).join(', ');
    options.signal?.throwIfAborted();
    throw explainDraftError(error, { datasetName: name, stage, file });
  } finally {
    await connection.close();
  }
}

/** Says which fields may have labels that stand for the rows below them. */
function doubtLabels(
  fields: readonly DraftField[],
  { fillDown }: Pick<FoundRows, 'fillDown'>,
): readonly DraftField[] {
  if (fillDown === undefined || fillDown.isStep) return fields;
  const { columns, count, example } = fillDown;
  const [first] = columns;
  const doubt = `${count.toLocaleString('en-US')} rows have no ${first}. If each stands for the rows below it, as '${example}' may, add the step fill_down: [${columns.join(', ')}] under rows.`;
  return fields.map((field) =>
    field.column === first ? { ...field, doubts: [...field.doubts, doubt] } : field,
  );
}

/** The name of a dataset; of files or sheets of several periods, without that of the first. */
function nameOf({ named, ownSheet, reading }: InspectedFile): string {
  const [{ text } = { text: '' }] = namedColumns(named, reading);
  if (text === '') return datasetNameOf(named, ownSheet);
  const rest = (name: string) =>
    name.replace(text, '').replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
  if (reading.sheetName !== undefined)
    return datasetNameOf(named, rest(ownSheet ?? '') || undefined);
  const own = rest(basename(named).replace(/(\.[a-z]{2,8})+$/i, ''));
  return datasetNameOf(own === '' ? named : join(dirname(named), own));
}

/** The manifest says that rows repeat the header, and how many did. */
function withHeaders(files: readonly InspectedFile[], count: number): readonly InspectedFile[] {
  if (count === 0) return files;
  const lines = count === 1 ? '1 row repeats' : `${count.toLocaleString('en-US')} rows repeat`;
  return files.map((seen) => ({
    ...seen,
    reading: { ...seen.reading, repeatedHeaders: true },
    doubts: new Map([
      ...seen.doubts,
      ['repeated_headers', [`${lines} the header, and would be left out.`]] as const,
    ]),
  }));
}

/** Without it, a publish divides the header by what makes the names of its fields. */
function withDelimiter(seen: InspectedFile): InspectedFile {
  const delimiter = seen.reading.delimiter ?? FILE_FORMATS[seen.format].delimiter;
  return { ...seen, reading: { ...seen.reading, delimiter } };
}

class NoValues extends PublishError {}

/** A manifest that leaves out most rows is worse than none. */
function noTable(
  { file, header }: InspectedFile,
  { rejectedCount, rejectedExample = '' }: FoundRows,
  rowCount: number,
): PublishError {
  const counts = `${rejectedCount.toLocaleString('en-US')} of ${(rejectedCount + rowCount).toLocaleString('en-US')}`;
  return new PublishError(
    `No table was found in ${file.path}: ${counts} rows do not have the columns of ${header === '' ? 'its header' : shownValue(header)}. ${rejectedExample}`,
    'Write the manifest by hand, with read: { skip_lines, header }: docs/how-to/my-file-looks-like-this.md has an example of each kind of file, including a header with two rows.',
  );
}

async function describe(
  connection: ImportConnection,
  seen: InspectedFile,
  found: Pick<
    FoundRows,
    'rows' | 'wide' | 'columns' | 'nested' | 'unnest' | 'joined' | 'sampleTexts'
  >,
  {
    isShared,
    isOfSeries,
    isAlone,
    codes,
  }: Pick<DraftOptions, 'isShared' | 'isOfSeries' | 'codes'> & {
    /** Whether the rows are those of one file. */
    readonly isAlone: boolean;
  },
): Promise<Omit<DraftDataset, 'name' | 'files' | keyof FoundRows>> {
  const { rows, wide, nested } = found;
  const typed = [];
  const sums = wide?.sums ?? [];
  const emptyColumns: string[] = [];
  const unreadColumns: UnreadColumn[] = [];
  const wrongShapes = await findWrongShapes(connection, seen, rows);
  const pointDoubt =
    wrongShapes === undefined ? await findPointDoubt(connection, seen, rows) : undefined;
  const outlines = await findOutlines(connection, seen, rows, wrongShapes);
  const special = rows.specialColumns.filter(
    (column) => pointDoubt === undefined || column === '$id',
  );
  const columns = rows.columns.filter(
    (column) => !sums.includes(column) && nested.every((one) => one.column !== column),
  );
  for (const column of [...columns, ...special]) {
    const position = isTable(seen.format) ? /^column (\d+)$/.exec(column)?.[1] : undefined;
    const place = position === undefined ? column : Number(position);
    const one = await typeColumn(connection, rows, column, place, {
      shared: codes?.get(column),
      shownDigits: seen.shownDigits?.get(found.columns.indexOf(column)),
    });
    if (one === undefined) unreadColumns.push({ column, example: found.sampleTexts.get(column) });
    else if (isKeyOfMaps(column, found)) typed.push(asCode(one));
    else if (one.filledCount > 0) {
      const parts =
        (await findInterval(connection, rows, one)) ??
        (await divideHalfYears(connection, rows, one)) ??
        (await divideFlags(connection, rows, one));
      typed.push(...(parts ?? [one]));
    } else if (!rows.specialColumns.includes(column)) emptyColumns.push(column);
  }
  if (typed.length === 0) {
    throw new NoValues(
      `${seen.file.path} has no rows with values.`,
      'Choose a file with rows below its header.',
    );
  }
  const days = withLocalDays(typed);
  const months = wide?.lacksYear === true && days.find(({ column }) => column === wide.name);
  const year = months ? yearOfFile(seen) : undefined;
  const withYear = months && year ? [...days, { ...year, filledCount: months.filledCount }] : days;
  const read = draftFields(withYear, rows.hasTexts, namesOf(seen));
  const named = isTable(seen.format)
    ? read
    : read.map((field) => (isArray(field, withYear) ? { ...field, isArray: true } : field));
  const ofFile =
    (isShared && isOfSeries !== true) || !isAlone || !rows.hasTexts
      ? undefined
      : periodOfFile(seen, named);
  const withPeriodOfFile = ofFile === undefined ? named : [...named, ofFile];
  const drafted = withUnits(withPeriodOfFile, found.columns, seen);
  const point = pointOf(drafted);
  await createTyped(connection, rows, drafted, point);
  const stats = await readStats(connection, drafted);
  const { rowCount } = stats;
  const inRange = point !== undefined && isInRange(drafted, point, stats) ? point : undefined;
  const leftOut = inRange === undefined ? undefined : wrongShapes;
  const dated = await spanDates(connection, drafted, stats);
  const pair = periodPair(dated, stats);
  const endColumn = dated.find(({ name }) => name === pair?.end)?.column;
  const hasMidnights = days.some((one) => one.column === endColumn && areMidnights(one));
  const spanned =
    pair === undefined ? dated : await readExclusiveEnds(connection, dated, { pair, hasMidnights });
  const hasPeriod = spanned.some(
    ({ name, document }) => document.type === 'date' && !EVENT_NAME.test(name),
  );
  const hasAddress = spanned.some(({ name, column }) => isAddressName(snake(column ?? name)));
  const isFileNumber = seen.format !== 'geojson';
  const foundFields = spanned.map((field, index) =>
    toKeyField(field, index, {
      stats,
      point: inRange,
      pair,
      hasPeriod,
      hasAddress,
      isFileNumber,
    }),
  );
  const keyRows = {
    table: TYPED_ROWS,
    rowCount,
    mayLeaveOut: rows.hasTexts,
    hasPoint: inRange !== undefined,
    hasLists: nested.length > 0,
  };
  const withoutIds = withRecordIds(foundFields, rowCount);
  const areEvents =
    withoutIds !== foundFields && (await isByChance(connection, withoutIds, keyRows));
  const plainFields = withoutMoments(areEvents ? foundFields : withoutIds, spanned);
  const { unnest } = found;
  const dimensions = dimensionNames(found);
  const ofDimensions =
    dimensions.length === 0
      ? undefined
      : await keyOfDimensions(
          { connection, table: TYPED_ROWS, rowCount },
          plainFields,
          spanned.flatMap(({ name, column = name }) => (dimensions.includes(column) ? name : [])),
        );
  const smallest = async (own: readonly KeyField[]) => {
    const found = await findKey(connection, own, keyRows);
    const smallest = (await panelKey(connection, own, found, keyRows)) ?? found;
    return withOuterAreas(connection, smallest, {
      fields: own,
      columns: spanned.map(({ column }) => column),
      table: TYPED_ROWS,
    });
  };
  const ofRows =
    ofDimensions === undefined && unnest === undefined ? await smallest(plainFields) : undefined;
  // The day of a change is a period if nothing else tells the rows of a place apart.
  const changes =
    ofRows !== undefined && ofRows.repeatedCount > 0 && changesAsPeriods(plainFields, spanned);
  const ofChanges = changes ? await smallest(changes) : undefined;
  const isOfChanges = ofChanges?.repeatedCount === 0;
  const ownFields = changes && isOfChanges ? changes : plainFields;
  const plainKey =
    unnest === undefined
      ? (ofDimensions ?? (isOfChanges ? ofChanges : ofRows) ?? (await smallest(ownFields)))
      : wholeKey(
          spanned.filter(({ name, time, column = time?.column ?? name }) =>
            unnest.key.includes(column),
          ),
        );
  const isRead = rows.hasTexts && unnest === undefined && ofDimensions === undefined;
  const key = isRead
    ? await withCodeOfName(connection, plainKey, {
        keyFields: ownFields,
        table: TYPED_ROWS,
        rowCount,
      })
    : plainKey;
  // The code that stands for a name is that of a place.
  const keyFields = ownFields.map(
    (field): KeyField =>
      key.fields.includes(field.name) && !plainKey.fields.includes(field.name)
        ? { ...field, role: 'place' }
        : field,
  );
  const filled = await fillKeyBlanks(
    connection,
    isOfChanges ? doubtChanges(spanned, key) : spanned,
    key,
  );
  const fields = rows.hasTexts ? codesAsTexts(filled, key, keyFields) : filled;
  const code = rows.hasTexts ? await placeCodeOf(connection, spanned, key) : undefined;
  // Numbers of rows that nobody named, and that no key needs, say nothing.
  const isNeedless = (column: string | undefined, index: number) =>
    (column === '$id' && seen.format !== 'geojson') ||
    (/^column \d+$/.test(column ?? '') && keyFields[index]?.role === 'row_number');
  const needed = fields.filter(
    ({ name, column }, index) => key.fields.includes(name) || !isNeedless(column, index),
  );
  const withJoined = code === undefined ? needed : [code.field, ...needed];
  const finalKey =
    code === undefined
      ? key
      : {
          ...key,
          fields: [code.field.name, ...key.fields.filter((name) => !code.replaces.includes(name))],
        };
  const declared = declarePeriod(withJoined, finalKey, pair);
  const { fields: withPeriod } = declared;
  const period = declared.period && {
    ...declared.period,
    ...(pair === undefined ? {} : { cadence: await findCadence(connection, fields, pair) }),
  };
  const keyOfPeriod =
    period === undefined
      ? finalKey
      : { ...finalKey, fields: finalKey.fields.map((name) => period.renamed.get(name) ?? name) };
  const rowNumbers = keyFields.flatMap(({ role, name }) => (role === 'row_number' ? [name] : []));
  const leastOfName = (field: string) =>
    stats.fields[fields.findIndex(({ name }) => name === field)]?.least ?? 0;
  const combined = await combineRepeated(connection, {
    key,
    fields,
    rowCount,
    leastOf: leastOfName,
    isPoint: (field) => field === inRange?.latitude || field === inRange?.longitude,
    rowNumbers,
  });
  // Several rows together have no number of a row.
  const finalFields =
    key.repeatedCount === 0
      ? withPeriod
      : withPeriod.filter(({ name }) => !rowNumbers.includes(name) || key.fields.includes(name));
  const hours = await findHours(connection, { fields, key, period, leastOf: leastOfName });
  const labels = new Map([
    ...labelNumbers(fields, stats, wide?.values.map(({ name }) => name) ?? []),
    ...(await findPartsOfDates(connection, fields)),
  ]);
  const labelled = labelNames(labels);
  const leastOf = (field: DraftField) => stats.fields[fields.indexOf(field)]?.least ?? 0;
  const ofFields = { table: TYPED_ROWS, fields, key, leastOf };
  const sumsOfOthers = await findTotals(connection, { ...ofFields, labelled });
  const wholes = await findWholes(connection, { ...ofFields, found: sumsOfOthers });
  const totals = [...sumsOfOthers, ...wholes];
  const placeSql = key.fallback === undefined ? undefined : code?.sql;
  const running = await findRunning(connection, {
    fields,
    key,
    placeSql,
    period,
    rowCount,
  });
  const outline =
    outlines !== undefined && outlines.doubt === undefined
      ? outlineField(distinctName('outline', new Set(finalFields.map(({ name }) => name))))
      : undefined;
  const withOutline = outline === undefined ? finalFields : [...finalFields, outline];
  const lackingField = fields.find((field) => field.name === key.lacking?.field);
  return {
    rowCount: rowCount - (key.lacking?.count ?? 0) - (leftOut?.count ?? 0),
    constants: new Set(
      keyFields.filter(({ distinctCount }) => distinctCount < 2).map(({ name }) => name),
    ),
    otherNumbers: new Set(
      keyFields
        .filter(({ name, role }) => NO_MEASURES.includes(role) || labelled.has(name))
        .map(({ name }) => name),
    ),
    labels,
    lacking:
      lackingField === undefined || key.lacking === undefined
        ? undefined
        : {
            condition: withMemberSql(isFilledSql(lackingField.column ?? ''), rows.members),
            count: key.lacking.count,
            example: await firstText(connection, fields, lackingField),
          },
    emptyColumns,
    unreadColumns,
    fields: (isForced(seen, found, withOutline) ? forceTexts(withOutline) : withOutline).map(
      (field) => withMemberExpression(field, rows.members),
    ),
    members: rows.members,
    key: keyOfPeriod,
    nameKey:
      code === undefined
        ? await findNameKey(connection, { key, keyFields, madeName: wide?.name, table: TYPED_ROWS })
        : undefined,
    point: inRange,
    region:
      inRange &&
      (await findRegion(connection, {
        table: TYPED_ROWS,
        latitude: `v${drafted.findIndex(({ name }) => name === inRange.latitude)}`,
        longitude: `v${drafted.findIndex(({ name }) => name === inRange.longitude)}`,
      })),
    pointDoubt,
    wrongShapes: leftOut,
    outline: outline?.name,
    outlineDoubt: outlines?.doubt,
    period,
    combined,
    examples: await readExamples(connection, fields, period, code),
    hours,
    chance: await findChance(connection, { fields, keyFields, key, period, rowCount }),
    placeColumns:
      wide === undefined
        ? await findPlaceColumns(connection, {
            fields,
            keyFields,
            key,
            period,
            rowCount,
            leastOf: leastOfName,
          })
        : undefined,
    running,
    repeatedValues: await findRepeatedValues(connection, {
      fields,
      keyFields,
      key,
      hour: hours?.field,
      placeSql,
      rowCount,
    }),
    // An hour is no total, whatever adds up by chance.
    totals: totals.filter(({ field }) => field !== hours?.field),
    places:
      period && !areEvents
        ? await findPlaces(connection, {
            table: TYPED_ROWS,
            fields,
            ids: placeIds(fields, key, { code, keyFields }),
            point: inRange,
            isOnePeriod: isOnePeriod(keyFields, key),
          })
        : undefined,
    alternatives: await readAlternatives(connection, fields, {
      isPlain: rows.hasTexts,
      stats,
      isPlace:
        inRange !== undefined &&
        period === undefined &&
        keyOfPeriod.fields.length === 1 &&
        keyOfPeriod.lacking === undefined,
      keyFields: keyOfPeriod.fields,
    }),
    digits: isShared ? await readDigitValues(connection, fields, TYPED_ROWS) : [],
    keyValues: await readKeyValues(connection, fields, key, code),
  };
}

/** The columns that a table of statistics is divided by: those of one column, or all up to the corner, as geo\TIME_PERIOD. */
function dimensionNames({
  joined,
  wide,
  columns,
}: Pick<FoundRows, 'joined' | 'wide' | 'columns'>): readonly string[] {
  if (joined !== undefined) return joined.names;
  const corner = columns.findIndex(isCorner);
  return wide === undefined ? [] : columns.slice(0, corner + 1);
}

/** Whether a column has the keys of maps that are places: they are texts, even if they consist of digits. */
function isKeyOfMaps(column: string, { unnest }: Pick<FoundRows, 'unnest'>): boolean {
  return unnest?.isRelated === true && unnest.step.name === column;
}

/** Whether a field has the arrays of a JSON file as texts. */
function isArray({ column, document, part }: DraftField, typed: readonly TypedColumn[]): boolean {
  const { texts = [] } = typed.find((one) => one.column === column) ?? {};
  const isText = document.type === 'string' && document.expression === undefined;
  return (
    isText && part === undefined && texts.length > 0 && texts.every((text) => /^\s*\[/.test(text))
  );
}

function asCode(column: TypedColumn): TypedColumn {
  return { ...column, document: { type: 'string' }, isCode: true, hasTime: false, doubts: [] };
}

/** The names of columns that the reader knows by their position: those of tables side by side, of a header with two rows, and repeated ones. */
function namesOf({
  block,
  names = [],
  headerNames = [],
}: InspectedFile): ReadonlyMap<string, string> {
  const first = block?.first ?? 1;
  return new Map(
    (block?.names ?? (names.length > 0 ? names : headerNames)).flatMap((name, index) =>
      name === '' ? [] : [[positionName(first + index), name] as const],
    ),
  );
}

/** Describes measures by the units, or by what a row below the header says about their columns. */
function withUnits(
  fields: readonly DraftField[],
  columns: readonly string[],
  { units, labels = [] }: Pick<InspectedFile, 'units' | 'labels'>,
): readonly DraftField[] {
  return fields.map((field) => {
    const index = columns.indexOf(field.column ?? '');
    const unit = units[index] ?? '';
    const label = (labels[index] ?? '').replaceAll(/\s*!!\s*/g, ': ');
    const isMeasure = field.document.type === 'integer' || field.document.type === 'float';
    if (!isMeasure || (unit === '' && label === '')) return field;
    if (label !== '') {
      return { ...field, label, document: { ...field.document, description: `${label}.` } };
    }
    return { ...field, unit, document: { ...field.document, description: `Unit: ${unit}` } };
  });
}

function outlineField(name: string): DraftField {
  return {
    name,
    document: { type: 'string', column: OUTLINE_COLUMN },
    column: OUTLINE_COLUMN,
    isCode: false,
    hasTime: false,
    part: undefined,
    doubts: [],
    notes: [],
  };
}

const NO_MEASURES: readonly KeyField['role'][] = ['dimension', 'place', 'code', 'row_number'];

/** The texts of the key that can identify a place, the best first. */
function placeIds(
  fields: readonly DraftField[],
  key: FoundKey,
  {
    code,
    keyFields,
  }: { readonly code: PlaceCode | undefined; readonly keyFields: readonly KeyField[] },
): readonly { readonly name: string; readonly sql: string }[] {
  const own = key.fields.flatMap((name) => {
    const index = fields.findIndex((field) => field.name === name);
    const isPlace = ['code', 'other_code', 'place', 'number', 'name'].includes(
      keyFields[index]?.role ?? '',
    );
    return isPlace && fields[index]?.document.type === 'string' ? [{ name, sql: `v${index}` }] : [];
  });
  const columnOf = (name: string) => fields.find((field) => field.name === name)?.column ?? '';
  const areas = own.filter(({ name }) => isAreaName(name) || PLACE_WORD.test(columnOf(name)));
  // A number that can be anything, such as an hour without a name, is a place only if nothing else is.
  const isNumber = ({ name }: (typeof own)[number]) =>
    keyFields.some((one) => one.name === name && one.role === 'number');
  const others = own.filter((one) => !areas.includes(one));
  const ids = [
    ...areas,
    ...others.filter((one) => !isNumber(one)),
    ...others.filter((one) => isNumber(one)),
  ];
  return code === undefined ? ids : [{ name: code.field.name, sql: code.sql }, ...ids];
}

/** Names of towns; and of stations, stops, points and districts in other scripts. */
const PLACE_WORD =
  /^(ort|ortschaft|stadt|town|city|ville|localite|ciudad|localidad|citta|localita|cidade|localidade|stad|plaats|miasto|mesto|sehir|역|역명|역사명|정류장(명)?|정류소(명)?|측정소(명)?|지점(명)?|자치구|시군구(명)?|행정동(명)?|駅名?|停留所名?|地点名?|市区町村名?|都道府県名?|站名?|車站|车站|測站|测站|站點|站点|地區|地区|區域別?|縣市別?)$/iu;

function isOnePeriod(keyFields: readonly KeyField[], key: FoundKey): boolean {
  return keyFields.some(
    ({ name, role, distinctCount }) =>
      role === 'period' && distinctCount === 1 && key.fields.includes(name),
  );
}

/** The first text of the first row without a value of a field. */
async function firstText(
  connection: ImportConnection,
  fields: readonly DraftField[],
  lacking: DraftField,
): Promise<string | undefined> {
  const texts = fields.flatMap(({ document }, index) =>
    document.type === 'string' ? [`v${index}`] : [],
  );
  if (texts.length === 0) return undefined;
  const [row] = await connection.list(
    `SELECT coalesce(${texts.join(', ')}) AS text FROM ${TYPED_ROWS}
      WHERE v${fields.indexOf(lacking)} IS NULL LIMIT 1`,
  );
  return row === undefined || row['text'] === null ? undefined : String(row['text']).slice(0, 60);
}

/** Whether only an expression makes the publish read the columns of the file as texts, as they were here. */
function isForced(
  { format }: InspectedFile,
  { rows, wide, unnest }: Pick<FoundRows, 'rows' | 'wide' | 'unnest'>,
  fields: readonly DraftField[],
): boolean {
  const isRead = fields.some(({ document }) => document.expression !== undefined);
  return (
    rows.hasTexts &&
    rows.members.size === 0 &&
    !isTable(format) &&
    wide === undefined &&
    unnest === undefined &&
    !isRead
  );
}

export function withMemberExpression(field: DraftField, members: Members): DraftField {
  const { expression } = field.document;
  if (expression === undefined || members.size === 0) return field;
  const document = { ...field.document, expression: withMemberSql(expression, members) };
  return { ...field, document };
}

/** Reads the first field by an expression that only texts have: a time, or a code that is a number of the file. */
export function forceTexts(fields: readonly DraftField[]): readonly DraftField[] {
  const isSimple = ({ document }: DraftField) =>
    document.expression === undefined && typeof document.column !== 'object';
  const forced =
    fields.find(({ hasTime }) => hasTime) ??
    fields.find((field) => field.isCode && isSimple(field)) ??
    fields.find(isSimple);
  return fields.map((field) => {
    if (field !== forced) return field;
    const { column = field.name, ...document } = field.document;
    return { ...field, document: { ...document, expression: quoteIdentifier(String(column)) } };
  });
}
