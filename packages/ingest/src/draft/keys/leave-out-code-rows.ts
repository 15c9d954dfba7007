import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { RAW_ROWS, textColumn } from '../../steps/staged-rows.ts';
import type { BlankRows } from './find-total-rows.ts';

/**
 * Leaves out every second row if it has the same label and only codes of the numbers of the row above it, as tables of INSEE
 * have. Returns the condition for the others.
 */
export async function leaveOutCodeRows(
  connection: ImportConnection,
  columns: readonly string[],
): Promise<BlankRows | undefined> {
  if (columns.length < 2) return undefined;
  const [first, ...others] = columns.map((_, index) => `trim(coalesce(${textColumn(index)}, ''))`);
  const [found] = await connection.list(
    `SELECT ${first} AS label, count(*)::DOUBLE AS count,
        (SELECT count(*)::DOUBLE FROM ${RAW_ROWS}) AS rows
      FROM ${RAW_ROWS} WHERE ${first} <> '' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
  );
  if (found === undefined) return undefined;
  const count = numberOf(found, 'count');
  const label = String(found['label']);
  if (count < ROWS_MIN || count * 2 !== numberOf(found, 'rows')) return undefined;
  const isCode = `${first} = ${quoteLiteral(label)}`;
  const cells = (pattern: string) =>
    others.map((text) => `CAST(regexp_full_match(${text}, '${pattern}') AS INTEGER)`).join(' + ');
  const [row] = await connection.list(
    `SELECT count(*) FILTER (WHERE is_code = (place % 2 = 0))::DOUBLE AS alternating,
        count(*) FILTER (WHERE is_code AND numbers = 0 AND codes > 0)::DOUBLE AS coded,
        count(*) FILTER (WHERE NOT is_code AND numbers > 0)::DOUBLE AS numbered
      FROM (SELECT row_number() OVER (ORDER BY rowid) AS place, ${isCode} AS is_code,
        ${cells('[+-]?[0-9][0-9 .,]*')} AS numbers, ${cells('[A-Za-z]{1,2}')} AS codes FROM ${RAW_ROWS})`,
  );
  if (row === undefined) return undefined;
  const areCodes =
    numberOf(row, 'alternating') === count * 2 &&
    numberOf(row, 'coded') === count &&
    numberOf(row, 'numbered') === count;
  if (!areCodes) return undefined;
  const texts = others
    .map((text) => `SELECT ${text} AS code FROM ${RAW_ROWS} WHERE ${isCode}`)
    .join(' UNION ALL ');
  const codes = await connection.list(
    `SELECT code FROM (${texts}) WHERE code <> '' GROUP BY code ORDER BY count(*) DESC, code LIMIT 10`,
  );
  await connection.run(`DELETE FROM ${RAW_ROWS} WHERE ${isCode}`);
  return {
    condition: `coalesce(trim(${quoteIdentifier(columns[0] ?? '')}), '') <> ${quoteLiteral(label)}`,
    count,
    example: `'${label}' has codes of the numbers above it: ${codes.map(({ code }) => String(code)).join(', ')}`,
  };
}

const ROWS_MIN = 2;
