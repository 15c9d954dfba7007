import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { DraftField, Point } from '../values/draft-fields.ts';
import { type Stats, TYPED_ROWS } from '../values/typed-rows.ts';
import { snake } from '../values/valid-name.ts';
import { EVENT_NAME, PERIOD_NAME, type PeriodFields } from './draft-period.ts';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';
import { isRecordId, type KeyRole, keyRole, PLACE_NAME } from './key-roles.ts';
import type { PlaceCode } from './place-code.ts';

export function toKeyField(
  { name, document, isCode, hasTime, column }: DraftField,
  index: number,
  {
    stats: { rowCount, fields },
    point,
    pair,
    hasPeriod,
    hasAddress,
    isFileNumber,
  }: {
    readonly stats: Stats;
    readonly point: Point | undefined;
    readonly pair: PeriodFields | undefined;
    readonly hasPeriod: boolean;
    readonly hasAddress: boolean;
    /** Whether the id of a feature is the number of its row. */
    readonly isFileNumber: boolean;
  },
): KeyField {
  const found = fields[index] ?? {
    filled: 0,
    distinct: 0,
    least: 0,
    greatest: 0,
    words: 0,
  };
  const isPoint = name === point?.latitude || name === point?.longitude;
  const counts =
    found.distinct === rowCount &&
    found.least >= 0 &&
    found.least <= 1 &&
    found.greatest - found.least === rowCount - 1;
  const isPeriod =
    document.type === 'date' &&
    !EVENT_NAME.test(name) &&
    (pair === undefined
      ? document.as !== undefined || found.distinct < rowCount || PERIOD_NAME.test(name)
      : name === pair.start);
  const isRowNumber =
    found.distinct === rowCount &&
    (FILE_NUMBER_NAME.test(column ?? '') ||
      (column === '$id' && isFileNumber) ||
      (hasPeriod &&
        counts &&
        // Places are often numbered from one.
        !(point !== undefined && /^id$/i.test(column ?? name)) &&
        ROW_NUMBER_NAME.test(String(column ?? name).toLowerCase())));
  const role = (): KeyRole => {
    if (isPoint) return 'measure';
    if (isRowNumber) return 'row_number';
    if (isPeriod) return 'period';
    return keyRole({
      words: snake(column ?? name),
      type: document.type,
      isCode,
      isFirst: index === 0,
      isFilled: found.filled === rowCount,
      hasAddress,
      distinctCount: found.distinct,
      rowCount,
      least: found.least,
      greatest: found.greatest,
      wordCount: found.words,
    });
  };
  return {
    name,
    value: `v${index}`,
    type: isPoint ? 'point' : document.type,
    role: role(),
    span: hasTime
      ? undefined
      : pair !== undefined || document.as !== undefined
        ? 'declared'
        : PERIOD_NAME.test(name)
          ? 'named'
          : undefined,
    filledCount: found.filled,
    isFilled: found.filled === rowCount,
    distinctCount: found.distinct,
  };
}

/** A plain id of each row, beside the code of a place that rows repeat, only counts the rows. */
export function withRecordIds(fields: readonly KeyField[], rowCount: number): readonly KeyField[] {
  const repeatsPlace = fields.some(
    ({ name, role, distinctCount }) =>
      (role === 'code' || role === 'place') &&
      PLACE_NAME.test(name) &&
      distinctCount > 1 &&
      distinctCount < rowCount,
  );
  const hasPeriod = fields.some(({ role }) => role === 'period');
  const isOwn = (field: KeyField) => isRecordId(field.name) && field.distinctCount === rowCount;
  if (!repeatsPlace || !hasPeriod || !fields.some(isOwn)) return fields;
  return fields.map((field) => (isOwn(field) ? { ...field, role: 'row_number' } : field));
}

/** A day that is written is that of the place, and the seconds since 1970 beside it are those of UTC. */
export function withoutMoments(
  keyFields: readonly KeyField[],
  fields: readonly DraftField[],
): readonly KeyField[] {
  const isMoment = (index: number) => {
    const { document, hasTime } = fields[index] ?? {};
    return document?.type === 'date' && document.expression !== undefined && hasTime === true;
  };
  const hasDay = keyFields.some(({ role }, index) => role === 'period' && !isMoment(index));
  if (!hasDay) return keyFields;
  return keyFields.map((field, index) =>
    field.role === 'period' && isMoment(index) ? { ...field, role: 'measure' } : field,
  );
}

/** Days on which rows changed, as periods; undefined if there are none, or other periods. */
export function changesAsPeriods(
  keyFields: readonly KeyField[],
  fields: readonly DraftField[],
): readonly KeyField[] | undefined {
  const isChange = ({ name, distinctCount, isFilled }: KeyField, index: number) =>
    fields[index]?.document.type === 'date' &&
    CHANGE_NAME.test(name) &&
    isFilled &&
    distinctCount > 1;
  if (keyFields.some(({ role }) => role === 'period') || !keyFields.some(isChange))
    return undefined;
  return keyFields.map((field, index) =>
    isChange(field, index) ? { ...field, role: 'period' } : field,
  );
}

/** Says that a day of a change is taken for the period. */
export function doubtChanges(fields: readonly DraftField[], key: FoundKey): readonly DraftField[] {
  return fields.map((field) =>
    field.document.type === 'date' &&
    CHANGE_NAME.test(field.name) &&
    key.fields.includes(field.name)
      ? {
          ...field,
          doubts: [
            ...field.doubts,
            'Its name is that of a change, but the rows of a place differ by it, so it is their period. If it is only when the row was written, choose another key.',
          ],
        }
      : field,
  );
}

const CHANGE_NAME = /updat|modif|retriev|downloaded|last_/;

/** The names that portals and programs for maps give the number of a row. */
const FILE_NUMBER_NAME = /^(_id|objectid|object_id|ogc_fid|fid|index|row_?num(ber)?)$/i;

const ROW_NUMBER_NAME =
  /^(_?id|row(_?(no|num|number|id))?|index|objectid|object_id|fid|ogc_fid|no|nr|column[_ ]\d+|n|num|number)$/;

/** The different values of the fields of the key that can be codes, which tell which files belong together. */
export async function readKeyValues(
  connection: ImportConnection,
  fields: readonly DraftField[],
  key: FoundKey,
  code: PlaceCode | undefined,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const kept = key.fields.filter((name) => code?.replaces.includes(name) !== true);
  const indexes = kept.map((name) => fields.findIndex((field) => field.name === name));
  const wanted = [
    ...(code === undefined ? [] : [{ name: code.field.name, sql: code.sql }]),
    ...indexes
      .filter((index) => ['string', 'integer'].includes(fields[index]?.document.type ?? ''))
      .map((index) => ({ name: fields[index]?.name ?? '', sql: `v${index}` })),
  ];
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
export async function readAlternatives(
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
