import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { DATE_FORMATS } from '../files/date-formats.ts';

/** Times of a column that lack the hour at midnight, as spreadsheets and programs write them. */
export type BareMidnights = {
  readonly column: string;
  readonly index: number;
  /** What such a day lacks. */
  readonly suffix: string;
  readonly example: string;
};

/** Finds columns with days such as 2023-05-01 between times such as 2023-05-01 01:00. */
export function findBareMidnights(
  columns: readonly { readonly name: string; readonly texts: readonly string[] }[],
): readonly BareMidnights[] {
  return columns.flatMap(({ name, texts }, index) => {
    const bare = texts.filter((text) => !text.includes(':'));
    const [example] = bare;
    if (example === undefined || bare.length === texts.length) return [];
    const suffix = SUFFIXES.find((one) => {
      const all = texts.map((text) => (text.includes(':') ? text.trim() : `${text.trim()}${one}`));
      return TIMES.some(({ matches }) => all.every((text) => matches(text)));
    });
    return suffix === undefined ? [] : [{ column: name, index, suffix, example }];
  });
}

const TIMES = DATE_FORMATS.filter(({ hasTime }) => hasTime);
const SUFFIXES = [' 00:00:00', ' 00:00', 'T00:00:00', 'T00:00', ' 0:00'];

/** SQL of the texts of a column with the midnights. */
export function midnightSql(column: string, { suffix }: BareMidnights): string {
  return `CASE WHEN contains(${column}, ':') OR trim(${column}) = '' THEN ${column} ELSE trim(${column}) || ${quoteLiteral(suffix)} END`;
}

export function midnightStep(found: readonly BareMidnights[]): string {
  const replaced = found.map((one) => {
    const name = quoteIdentifier(one.column);
    return `${midnightSql(name, one)} AS ${name}`;
  });
  return `SELECT * REPLACE (${replaced.join(', ')}) FROM rows`;
}
