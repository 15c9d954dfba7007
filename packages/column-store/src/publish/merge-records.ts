import type { Field } from '@locmetrics/core/domain/field';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { COLUMN_TYPES, ROW_COLUMN } from '../record-table.ts';
import { MERGED_TABLE, SORTED_TABLE } from './import-connection.ts';
import { keptRecordsSql } from './kept-records.ts';
import { asNumber } from './result-row.ts';
import { keyColumns, keyFields, sortedColumn } from './sort-records.ts';
import type { BaseRecords, NewRecords } from './version-writer.ts';

/** A query of a part of the records in the order of the key: `_row`, and `sortedColumn` for each field. */
export type RecordPart = string;

type MergedRecords = Pick<NewRecords, 'connection' | 'dataset'> & { readonly base: BaseRecords };

/**
 * Merges the new records in `SORTED_TABLE` into the kept ones of the base, which have the order of the key
 * already. Gives all of them to `write` in order, part by part; it returns the number of records of a part.
 *
 * Only parts with records of both are sorted. Each has up to `partRows` of either, by default as many as
 * `partBytes` of the base allow: a sort over a union does not spill to disk.
 */
export async function mergeRecords(
  records: MergedRecords,
  options: {
    readonly partRows?: number | undefined;
    readonly write: (part: RecordPart) => Promise<number>;
  },
): Promise<void> {
  const { write } = options;
  const end = await countBoth(records);
  const partRows = options.partRows ?? (await countPartRows(records));
  let ordinal = 0;
  for (let from: Cut = { base: 0, added: 0 }; from.base < end.base || from.added < end.added; ) {
    const to = await findCut(records, { from, end, partRows });
    ordinal += await write(await queryPart(records, { from, to, ordinal }));
    from = to;
  }
}

/** A place between two records of the merged order: the number of records before it, of the base and of the new ones. */
type Cut = { readonly base: number; readonly added: number };

async function countBoth({ connection, base }: MergedRecords): Promise<Cut> {
  const [row] = await connection.list(
    `SELECT (SELECT count(*) FROM ${base.table})::DOUBLE AS base,
        (SELECT count(*) FROM ${SORTED_TABLE})::DOUBLE AS added`,
  );
  return { base: asNumber(row?.['base']), added: asNumber(row?.['added']) };
}

/** By the mean size of the records of either side: their texts, and what each value takes beside its text. */
async function countPartRows(records: MergedRecords): Promise<number> {
  const { fields } = records.dataset;
  const texts = fields.filter(({ type }) => type === 'string');
  const meanOf = async ({ table, column }: Side): Promise<number> => {
    const sizes = texts.map((field) => `coalesce(avg(strlen(${column(field)})), 0)`);
    const [row] = await records.connection.list(
      `SELECT (${['0', ...sizes].join(' + ')})::DOUBLE AS bytes FROM ${table}`,
    );
    return asNumber(row?.['bytes']);
  };
  const { base, added } = sidesOf(records);
  const bytes = Math.max(await meanOf(base), await meanOf(added)) + VALUE_BYTES * fields.length;
  return Math.ceil(records.base.partBytes / bytes);
}

const VALUE_BYTES = 16;

/** The end of the part that begins at a cut. */
async function findCut(
  records: MergedRecords,
  { from, end, partRows }: { readonly from: Cut; readonly end: Cut; readonly partRows: number },
): Promise<Cut> {
  const { base, added } = sidesOf(records);
  const to = {
    base: Math.min(from.base + partRows, end.base),
    added: Math.min(from.added + partRows, end.added),
  };
  // Records of one side alone are not sorted, so they may be many.
  if (from.added === end.added) return records.base.replaced === undefined ? end : to;
  if (from.base === end.base) return end;
  if (to.base < end.base) {
    const key = await readKey(records, base, to.base);
    const before = await countBefore(records, added, { key, from: from.added, to: to.added });
    if (from.added + before < to.added || to.added === end.added) {
      return { base: to.base, added: from.added + before };
    }
  }
  if (to.added === end.added) return end;
  const key = await readKey(records, added, to.added);
  const before = await countBefore(records, base, { key, from: from.base, to: to.base });
  return { base: from.base + before, added: to.added };
}

async function queryPart(
  { connection, dataset, base }: MergedRecords,
  { from, to, ordinal }: { readonly from: Cut; readonly to: Cut; readonly ordinal: number },
): Promise<RecordPart> {
  const columns = dataset.fields.map((_, index) => sortedColumn(index)).join(', ');
  const added = (names: string) =>
    `SELECT ${names} FROM ${SORTED_TABLE} WHERE rowid >= ${from.added} AND rowid < ${to.added}`;
  if (from.base === to.base) {
    return added(`rowid + ${ordinal - from.added} AS ${ROW_COLUMN}, ${columns}`);
  }
  const kept = `${keptRecordsSql(dataset, { ...base, column: sortedColumn, withRow: true })}
    AND ${ROW_COLUMN} >= ${from.base} AND ${ROW_COLUMN} < ${to.base}`;
  if (from.added === to.added && base.replaced === undefined) {
    return `SELECT ${ROW_COLUMN} + ${ordinal - from.base} AS ${ROW_COLUMN}, ${columns} FROM (${kept})`;
  }
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${MERGED_TABLE} AS
      SELECT * FROM (SELECT ${columns} FROM (${kept}) UNION ALL ${added(columns)})
      ORDER BY ${keyColumns(dataset).join(', ')}`,
  );
  return `SELECT rowid + ${ordinal} AS ${ROW_COLUMN}, ${columns} FROM ${MERGED_TABLE}`;
}

/** One of the two sorted tables. */
type Side = {
  readonly table: string;
  /** SQL of the ordinal of a record, and of a field of the key. */
  readonly ordinal: string;
  readonly column: (field: Field) => string;
};

function sidesOf({ dataset, base }: MergedRecords): Readonly<Record<keyof Cut, Side>> {
  return {
    base: {
      table: base.table,
      ordinal: ROW_COLUMN,
      column: ({ name }) => quoteIdentifier(name),
    },
    added: {
      table: SORTED_TABLE,
      ordinal: 'rowid',
      column: (field) => sortedColumn(dataset.fields.indexOf(field)),
    },
  };
}

/** The texts of the values of a key. */
type KeyTexts = readonly string[];

async function readKey(
  { connection, dataset }: MergedRecords,
  { table, ordinal, column }: Side,
  row: number,
): Promise<KeyTexts> {
  const columns = keyFields(dataset).map(
    (field, index) => `${column(field)}::VARCHAR AS key_${index}`,
  );
  const [found] = await connection.list(
    `SELECT ${columns.join(', ')} FROM ${table} WHERE ${ordinal} = ${row}`,
  );
  return columns.map((_, index) => String(found?.[`key_${index}`]));
}

/** The number of records of a range whose key is less. */
async function countBefore(
  { connection, dataset }: MergedRecords,
  { table, ordinal, column }: Side,
  { key, from, to }: { readonly key: KeyTexts; readonly from: number; readonly to: number },
): Promise<number> {
  const isBefore = keyFields(dataset).reduceRight((rest, field, index) => {
    const bound = `$key_${index}::${COLUMN_TYPES[field.type]}`;
    return `(${column(field)} < ${bound} OR (${column(field)} = ${bound} AND ${rest}))`;
  }, 'false');
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS count FROM ${table}
      WHERE ${ordinal} >= ${from} AND ${ordinal} < ${to} AND ${isBefore}`,
    Object.fromEntries(key.map((text, index) => [`key_${index}`, text])),
  );
  return asNumber(row?.['count']);
}
