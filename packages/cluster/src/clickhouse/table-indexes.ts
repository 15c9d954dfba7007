import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';

/**
 * The indexes and projections in the definition of a table. No statement names them: ClickHouse uses them where they help, so a
 * table that was made without one is answered too, only slower.
 */
export function tableIndexes({
  dataset,
  hasTextIndex,
  foldColumn,
  searchColumn,
}: {
  readonly dataset: Dataset;
  /** Whether the folded texts of a string field have an index. */
  readonly hasTextIndex: (field: Field) => boolean;
  readonly foldColumn: (fieldName: string) => string;
  /** Undefined for a table without texts folded for searches. */
  readonly searchColumn: ((fieldName: string) => string) | undefined;
}): readonly string[] {
  return [
    ...dataset.fields
      // Outlines are long, and never compared.
      .filter(({ outline }) => outline !== true)
      .map(
        ({ name }) =>
          `INDEX ${quoteIdentifier(`_range_${name}`)} ${quoteIdentifier(name)} TYPE minmax GRANULARITY 1`,
      ),
    ...dataset.fields
      .filter(hasTextIndex)
      .flatMap(({ name }) => [
        textIndex(`_text_${name}`, foldColumn(name)),
        ...(searchColumn === undefined ? [] : [textIndex(`_find_${name}`, searchColumn(name))]),
      ]),
    ...boxProjection(dataset),
  ];
}

function textIndex(name: string, column: string): string {
  return `INDEX ${quoteIdentifier(name)} ${quoteIdentifier(column)} TYPE text(tokenizer = ngrams(${TEXT_LENGTH}))`;
}

/** The letters of the texts in a text index. A shorter term finds no index. */
const TEXT_LENGTH = 3;

/**
 * All columns once more, in the order of the point: the records of a bounding box are then neighbours, with all that is asked
 * of them. It doubles the table, so that only a table of places has it, whose key is one field: one of visits would repeat
 * the point of a place with each period.
 */
function boxProjection({ point, key }: Dataset): readonly string[] {
  if (point === undefined || key.length > 1) return [];
  const order = [point.latitude, point.longitude].map(quoteIdentifier).join(', ');
  return [`PROJECTION "_box" (SELECT * ORDER BY ${order})`];
}
