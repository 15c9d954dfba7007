import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { DraftField, Point } from './draft-fields.ts';
import type { PeriodFields } from './draft-period.ts';
import type { FoundKey, KeyField } from './find-key.ts';
import { isCountedName } from './measure-kind.ts';
import { type Stats, TYPED_ROWS } from './typed-rows.ts';

export function toKeyField(
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

const DIMENSION_NAME =
  /(^|_)(hour|age|level|class|type|category|month|quarter|week|weekday|day|year|direction|group|sex|gender)($|_)/;

export const EVENT_NAME =
  /open|found|birth|built|creat|updat|modif|clos|expir|establish|since|regist|retriev|downloaded|last_/;

/** The names that portals and programs for maps give the number of a row. */
const FILE_NUMBER_NAME = /^(_id|objectid|object_id|ogc_fid|fid|index|row_?num(ber)?)$/i;

const ROW_NUMBER_NAME =
  /^(_?id|row(_?(no|num|number|id))?|index|objectid|object_id|fid|ogc_fid|no|nr|column[_ ]\d+|n|num|number)$/;

/** A key of several codes becomes one, so that a layer can have it. */
export async function joinCodes(
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

/** The different values of the fields of the key that can be codes, which tell which files belong together. */
export async function readKeyValues(
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
