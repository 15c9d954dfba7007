import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { CODE_NAME } from './code-names.ts';
import { ABSENT, findFlags, flagPattern, haveAbsent } from './flagged-numbers.ts';
import type { ReadRows } from './open-rows.ts';
import { isReadable, proposals, type TypedColumn } from './propose-types.ts';
import { snake, validName } from './valid-name.ts';

/** The number and the flag of a column of texts that have both, such as 12.3 p; undefined for others. */
export async function divideFlags(
  connection: ImportConnection,
  rows: ReadRows,
  typed: TypedColumn,
): Promise<readonly TypedColumn[] | undefined> {
  const { column, place, document, texts, isCode } = typed;
  const isText = document.type === 'string' && !isCode && !HOUSE_NAME.test(snake(column));
  if (!isText || !rows.hasTexts || rows.members.size > 0 || CODE_NAME.test(snake(column))) {
    return undefined;
  }
  const found = findFlags(texts);
  if (found === undefined) return undefined;
  const { numbers, flags } = found;
  const { decimalMark, hasSemicolons } = rows;
  const source = quoteIdentifier(typeof place === 'number' ? `column ${place}` : place);
  const pattern = quoteLiteral(flagPattern(found));
  const number = `trim(regexp_replace(trim(${source}), ${pattern}, ''))`;
  for (const proposal of proposals(column, numbers, { decimalMark, hasSemicolons })) {
    const { type } = proposal.document;
    if ((type !== 'integer' && type !== 'float') || proposal.expression !== undefined) continue;
    const value = {
      ...proposal.document,
      expression: haveAbsent(found) ? `nullif(${number}, '${ABSENT}')` : number,
    };
    if (!(await isReadable(connection, rows, value))) continue;
    const name = validName(column);
    return [
      {
        ...typed,
        document: value,
        doubts: [flagDoubt(flags, `${name}_flag`), ...(proposal.doubts ?? [])],
      },
      {
        ...typed,
        fieldName: `${name}_flag`,
        document: {
          type: 'string',
          expression: `trim(regexp_extract(trim(${source}), ${pattern}))`,
        },
        doubts: [],
      },
    ];
  }
  return undefined;
}

/** What a house or a flat has. */
const HOUSE_NAME =
  /(^|_)(house|haus|huis|street|strassen?|building|flat|apt|apartment|unit)(_|nr|no|num)/;

function flagDoubt(flags: ReadonlyMap<string, string>, field: string): string {
  const shown = [...flags].map(([flag, text]) => `'${flag}' (${text})`);
  return `Some numbers have a flag behind them, which ${field} has: ${shown.join(', ')}. Find out what they mean, for example that a value is provisional, or no value to add up.`;
}
