import type { Dataset } from '../../../domain/dataset.ts';
import type { Field } from '../../../domain/field.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import type { NewRecords } from '../../duckdb/publish/version-writer.ts';
import { RECORD_TABLE } from '../../duckdb/record-table.ts';
import { COUNTED_VALUES_MAX, type RowFacts, type StoredValue } from '../row-file.ts';

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
export function storedText({ type, name }: Field): string {
  const column = quoteIdentifier(name);
  return type === 'float' ? column : `CAST(${column} AS VARCHAR)`;
}
