import type { Field } from '@locmetrics/core/domain/field';
import { valueText } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { ROW_COLUMN } from '../record-table.ts';
import type { AttachedRecords } from './check-records.ts';
import { asNumber, type ResultRow } from './result-row.ts';

/** The differences between the records of two versions, matched by key. */
export type RecordComparison = {
  readonly rows: {
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    readonly same: number;
  };
  /** The compared fields that differ in any record, in their order. */
  readonly changedFields: readonly { readonly field: string; readonly rows: number }[];
  /** Some records of each kind, from different parts of the key, in key order. */
  readonly examples: {
    readonly added: readonly RecordKey[];
    readonly removed: readonly RecordKey[];
    readonly changed: readonly (RecordKey & { readonly fields: readonly ChangedValue[] })[];
  };
};

/** Values in text form, as on the wire. */
export type RecordKey = { readonly key: Readonly<Record<string, string>> };

export type ChangedValue = {
  readonly field: string;
  /** Null if absent. */
  readonly before: string | null;
  readonly after: string | null;
};

/** The fields that both versions have with the same type. */
export type ComparedFields = {
  readonly key: readonly Field[];
  /** Without those of the key. */
  readonly others: readonly Field[];
};

const EXAMPLES_MAX = 10;

/**
 * Compares the records of two versions that are attached to one instance. They are joined once, by key;
 * the engine spills the join to disk if memory is short.
 */
export async function compareRecords(
  before: AttachedRecords,
  after: AttachedRecords,
  { key, others }: ComparedFields,
): Promise<RecordComparison> {
  const [first = ''] = key.map(columnOf);
  const [isAdded, isRemoved] = [`b.${first} IS NULL`, `a.${first} IS NULL`];
  const differs = others
    .map(columnOf)
    .map((name) => `(b.${first} = a.${first} AND b.${name} IS DISTINCT FROM a.${name})`);
  const isChanged = `(${['false', ...differs].join(' OR ')})`;
  const counted = (condition: string, name: string) =>
    `count(*) FILTER (${condition})::DOUBLE AS ${name}`;
  // The first records would be of one place. A multiple of the golden ratio scatters the ordinals.
  const listed = (row: string, condition: string, name: string) =>
    `min_by(${row}.${ROW_COLUMN}, (${row}.${ROW_COLUMN} * 2654435769) % 4294967296, ${EXAMPLES_MAX})
      FILTER (${condition})::VARCHAR AS ${name}`;
  const [counts = {}] = await after.connection.list(
    `SELECT count(*)::DOUBLE AS total,
        ${[
          counted(isAdded, 'added'),
          counted(isRemoved, 'removed'),
          counted(isChanged, 'changed'),
          ...differs.map((condition, index) => counted(condition, `field_${index}`)),
          listed('a', isAdded, 'added_rows'),
          listed('b', isRemoved, 'removed_rows'),
          listed('a', isChanged, 'changed_rows'),
        ].join(', ')}
      FROM ${before.table} AS b FULL OUTER JOIN ${after.table} AS a
        ON ${sameKey(key)}`,
  );
  const numbers = {
    added: asNumber(counts['added']),
    removed: asNumber(counts['removed']),
    changed: asNumber(counts['changed']),
  };
  const { added, removed, changed } = numbers;
  const same = asNumber(counts['total']) - added - removed - changed;
  return {
    rows: { ...numbers, same },
    changedFields: others
      .map(({ name }, index) => ({ field: name, rows: asNumber(counts[`field_${index}`]) }))
      .filter(({ rows }) => rows > 0),
    examples: {
      added: await listKeys(after, key, rowsOf(counts['added_rows'])),
      removed: await listKeys(before, key, rowsOf(counts['removed_rows'])),
      changed: await listChanges({ before, after, key, others }, rowsOf(counts['changed_rows'])),
    },
  };
}

function sameKey(key: readonly Field[]): string {
  return key
    .map(columnOf)
    .map((name) => `b.${name} = a.${name}`)
    .join(' AND ');
}

/** Parses the list of ordinals from the text of the engine; none is NULL. */
function rowsOf(text: Cell | undefined): readonly string[] {
  return String(text ?? '').match(/\d+/g) ?? [];
}

async function listKeys(
  { connection, table }: AttachedRecords,
  key: readonly Field[],
  rows: readonly string[],
): Promise<readonly RecordKey[]> {
  if (rows.length === 0) return [];
  const found = await connection.list(
    `SELECT ${selectTexts(key, 'r', 'key').join(', ')} FROM ${table} AS r
      WHERE ${isOneOf('r', rows)} ORDER BY r.${ROW_COLUMN}`,
  );
  return found.map((row) => ({ key: readKey(key, row) }));
}

async function listChanges(
  {
    before,
    after,
    key,
    others,
  }: ComparedFields & { readonly before: AttachedRecords; readonly after: AttachedRecords },
  rows: readonly string[],
): Promise<RecordComparison['examples']['changed']> {
  if (rows.length === 0) return [];
  const columns = [
    ...selectTexts(key, 'a', 'key'),
    ...selectTexts(others, 'b', 'before'),
    ...selectTexts(others, 'a', 'after'),
  ];
  const found = await after.connection.list(
    `SELECT ${columns.join(', ')}
      FROM ${after.table} AS a JOIN ${before.table} AS b ON ${sameKey(key)}
      WHERE ${isOneOf('a', rows)} ORDER BY a.${ROW_COLUMN}`,
  );
  return found.map((row) => ({
    key: readKey(key, row),
    fields: others
      .map(({ name }, index) => ({
        field: name,
        before: textOf(row[`before_${index}`]),
        after: textOf(row[`after_${index}`]),
      }))
      .filter((value) => value.before !== value.after),
  }));
}

type Cell = ResultRow[string];

/** Columns with the text of fields; a float stays a number, because its text on the wire differs. */
function selectTexts(fields: readonly Field[], table: string, name: string): readonly string[] {
  return fields.map((field, index) => {
    const cast = field.type === 'float' ? '' : '::VARCHAR';
    return `${table}.${columnOf(field)}${cast} AS ${name}_${index}`;
  });
}

function isOneOf(table: string, rows: readonly string[]): string {
  return `${table}.${ROW_COLUMN} IN (${rows.join(', ')})`;
}

function readKey(key: readonly Field[], row: ResultRow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    key.map(({ name }, index) => [name, textOf(row[`key_${index}`]) ?? '']),
  );
}

function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : valueText(cell);
}

function columnOf({ name }: Field): string {
  return quoteIdentifier(name);
}
