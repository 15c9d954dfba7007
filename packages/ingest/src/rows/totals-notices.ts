import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';

/** Tells of declared totals that no record has: with a misspelled one, callers would add up parts and totals. */
export async function totalsNotices(
  connection: ImportConnection,
  { fields }: Dataset,
): Promise<readonly string[]> {
  const labelled = fields.flatMap(({ name, totalLabel: label }) =>
    label === undefined ? [] : [{ name, label }],
  );
  if (labelled.length === 0) return [];
  const counts = labelled.map(
    ({ name, label }, index) =>
      `count(*) FILTER (CAST(${quoteIdentifier(name)} AS VARCHAR) = ${quoteLiteral(label)})::DOUBLE AS n${index}`,
  );
  const [row = {}] = await connection.list(`SELECT ${counts.join(', ')} FROM ${RECORD_TABLE}`);
  return labelled
    .filter((_, index) => numberOf(row, `n${index}`) === 0)
    .map(
      ({ name, label }) =>
        `no record has the total '${label}' in ${name} (totals). Correct the text, or remove it.`,
    );
}
