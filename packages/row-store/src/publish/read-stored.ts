import type { ReadChunk } from '@locmetrics/column-store/publish/read-chunks';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import type { Field } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';

/** No stored text has it, and none is empty: an empty part is an absent value. */
const SEPARATOR = '\u0000';

/**
 * Reads the ordinals of records, and the values of fields as the encoder of blocks takes them. The columns of a
 * chunk are the ordinals, then the fields. `rest` is the SQL after the table.
 *
 * Each text costs a microsecond, whatever its length, so the texts of a record are read as one, except that of
 * a field of which few are read.
 */
export async function* readStored(
  connection: NewRecords['connection'],
  fields: readonly Field[],
  { rest = '', rarelyRead }: { readonly rest?: string; readonly rarelyRead?: Field } = {},
): AsyncGenerator<ReadChunk> {
  const joined = fields.filter((field) => field.type === 'string' && field !== rarelyRead);
  const alone = fields.filter((field) => !joined.includes(field));
  const columns = [quoteIdentifier(ROW_COLUMN), ...(await storedColumns(connection, alone))];
  if (joined.length > 0) {
    const texts = joined.map(({ name }) => `coalesce(${quoteIdentifier(name)}, '')`);
    columns.push(texts.join(` || chr(${SEPARATOR.charCodeAt(0)}) || `));
  }
  const places = fields.map((field) => ({
    column: alone.indexOf(field) + 1,
    part: joined.indexOf(field),
  }));
  for await (const chunk of connection.read(
    `SELECT ${columns.join(', ')} FROM ${RECORD_TABLE} ${rest}`,
  )) {
    const texts = joined.length === 0 ? [] : splitTexts(chunk, columns.length - 1);
    yield {
      count: chunk.count,
      column: (index) => {
        const place = places[index - 1];
        if (place === undefined || place.part === -1) return chunk.column(place?.column ?? 0);
        const { part } = place;
        return (row): Value => texts[row]?.[part] || null;
      },
    };
  }
}

function splitTexts(chunk: ReadChunk, column: number): readonly (readonly string[])[] {
  const textAt = chunk.column(column);
  return Array.from({ length: chunk.count }, (_, row) => String(textAt(row)).split(SEPARATOR));
}

/**
 * The SQL of fields as the encoder of blocks takes them: a date is the number of days since 1970, and an integer
 * is a float if all its values are exact as such, because these are read in half the time.
 */
async function storedColumns(
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
