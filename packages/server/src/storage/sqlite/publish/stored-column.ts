import type { Field } from '../../../domain/field.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import type { NewRecords } from '../../duckdb/publish/version-writer.ts';
import { RECORD_TABLE } from '../../duckdb/record-table.ts';

/**
 * The SQL of fields as the encoder of blocks takes them: a date is the number of days since 1970, and an integer
 * is a float if all its values are exact as such, because these are read in half the time.
 */
export async function storedColumns(
  { list }: NewRecords['connection'],
  fields: readonly Field[],
): Promise<readonly string[]> {
  const integers = fields.filter(({ type }) => type === 'integer');
  const ranges = integers.map(({ name }) => {
    const column = quoteIdentifier(name);
    return `coalesce(min(${column}) >= -${EXACT_MAX} AND max(${column}) <= ${EXACT_MAX}, true)::DOUBLE`;
  });
  const [row = {}] =
    integers.length === 0
      ? []
      : await list(
          `SELECT ${ranges.map((range, index) => `${range} AS _${index}`).join(', ')} FROM ${RECORD_TABLE}`,
        );
  return fields.map((field) => {
    const column = quoteIdentifier(field.name);
    switch (field.type) {
      case 'date':
        return `CAST(${column} - DATE '1970-01-01' AS INTEGER)`;
      case 'integer':
        return row[`_${integers.indexOf(field)}`] === 1 ? `CAST(${column} AS DOUBLE)` : column;
      default:
        return column;
    }
  });
}

/** Every whole number up to it is exact as a float. */
const EXACT_MAX = 2 ** 53;
