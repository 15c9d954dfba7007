import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import {
  COUNTED_GROUPS_MAX,
  COUNTED_VALUES_MAX,
  type CountedGroups,
  type RowFacts,
  type StoredValue,
} from '../row-file.ts';

/**
 * Counts the records with each combination of the days of the period, and of these with the values of each marked
 * field that has a counter. A field with too many combinations is left out with a notice.
 */
export async function countGroups(
  { connection, dataset, onNotice }: Omit<NewRecords, 'folder'>,
  counters: RowFacts['counters'],
): Promise<readonly CountedGroups[]> {
  const days = periodFields(dataset);
  if (days.length === 0) return [];
  const marked = dataset.fields.filter(
    (field) => !days.includes(field) && Object.hasOwn(counters, field.name),
  );
  const groups: CountedGroups[] = [];
  for (const fields of [
    ...(days.length > 1 ? [days] : []),
    ...marked.map((one) => [...days, one]),
  ]) {
    const found = await countGroup(connection, fields);
    if (found !== undefined) groups.push(found);
    else
      onNotice?.(
        `Totals by ${fields.map(({ name }) => name).join(' and ')} are not counted at publish: there are more than ${COUNTED_GROUPS_MAX} combinations of values.`,
      );
  }
  return groups;
}

function periodFields({ fields, period }: Dataset): readonly Field[] {
  const days = Object.values(period ?? {});
  return fields.filter(({ name }) => days.includes(name));
}

async function countGroup(
  { list }: NewRecords['connection'],
  fields: readonly Field[],
): Promise<CountedGroups | undefined> {
  const columns = fields.map(({ name }) => quoteIdentifier(name)).join(', ');
  const texts = fields.map((field, index) => `${storedText(field)} AS _value_${index}`);
  const rows = await list(
    `SELECT ${texts.join(', ')}, count(*)::DOUBLE AS _records FROM ${RECORD_TABLE}
      GROUP BY ${columns} ORDER BY ${columns} LIMIT ${COUNTED_GROUPS_MAX + 1}`,
  );
  if (rows.length > COUNTED_GROUPS_MAX) return undefined;
  const indexes = fields.map(() => new Map<StoredValue | null, number>());
  const counts = rows.flatMap((row) => [
    ...indexes.map((known, field) => {
      const value = row[`_value_${field}`] as StoredValue | null;
      const index = known.get(value) ?? known.size;
      known.set(value, index);
      return index;
    }),
    Number(row['_records']),
  ]);
  return {
    fields: fields.map(({ name }) => name),
    values: indexes.map((known) => [...known.keys()]),
    counts,
  };
}

/** Counts the records with each value, of the days of the period and the marked fields that have few values. */
export async function countValues(
  connection: NewRecords['connection'],
  dataset: Dataset,
): Promise<RowFacts['counters']> {
  const counters: Record<string, readonly (readonly [StoredValue, number])[]> = {};
  for (const field of countedFields(dataset)) {
    const column = quoteIdentifier(field.name);
    const found = await connection.list(
      `SELECT ${storedText(field)} AS value, count(*)::DOUBLE AS records FROM ${RECORD_TABLE}
        WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY ${column}
        LIMIT ${COUNTED_VALUES_MAX + 1}`,
    );
    if (found.length > COUNTED_VALUES_MAX) continue;
    counters[field.name] = found.map((row) => [
      row['value'] as StoredValue,
      Number(row['records']),
    ]);
  }
  return counters;
}

function countedFields({ fields, period }: Dataset): readonly Field[] {
  const days = Object.values(period ?? {});
  return fields.filter(
    ({ name, sorted, searchable }) => sorted === true || searchable === true || days.includes(name),
  );
}

/** The SQL of a value as it is stored in JSON. */
function storedText({ type, name }: Field): string {
  const column = quoteIdentifier(name);
  return type === 'float' ? column : `CAST(${column} AS VARCHAR)`;
}
