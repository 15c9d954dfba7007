import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { isCorner, snake } from './valid-name.ts';

/** A column whose name and values have several names and values: `freq,unit,geo` with A,NR,AT. */
export type JoinedColumn = {
  readonly column: string;
  readonly separator: string;
  /** The names of the columns that it becomes. */
  readonly names: readonly string[];
  /** Whether it also has what all other columns are. */
  readonly isCorner: boolean;
};

/** Finds it by the names, and by as many parts in each value. */
export function findJoinedColumn(
  columns: readonly { readonly name: string; readonly texts: readonly string[] }[],
): JoinedColumn | undefined {
  for (const { name, texts } of columns) {
    for (const separator of SEPARATORS) {
      const words = name.split(separator).map((part) => part.trim());
      if (words.length < 2 || !words.every((part) => NAME.test(part))) continue;
      const names = words.map((part) => part.replace(/\\.*$/, ''));
      const isJoined = texts.every((text) => {
        const parts = text.split(separator);
        return parts.length === names.length && parts.every((part) => part.trim() !== '');
      });
      const others = columns.flatMap((one) => (one.name === name ? [] : snake(one.name)));
      const own = names.map(snake);
      const areNew = new Set([...own, ...others]).size === own.length + others.length;
      if (texts.length > 0 && isJoined && areNew)
        return { column: name, separator, names, isCorner: isCorner(name) };
    }
  }
  return undefined;
}

/** Whether a name can be that of several columns. */
export function isJoinedName(name: string): boolean {
  return SEPARATORS.some((separator) => name.includes(separator));
}

const SEPARATORS = [',', ';', '|'];
/** A word, and after a backslash what the other columns are. */
const NAME = /^\p{L}[\p{L}\d_-]*(\\[\p{L}\d_ -]+)?$/u;

/** SQL of one of its parts. */
export function joinedPartSql({ separator }: JoinedColumn, text: string, index: number): string {
  return `trim(split_part(${text}, ${quoteLiteral(separator)}, ${index + 1}))`;
}

/** The step that makes the columns of it. */
export function joinedColumnQuery(joined: JoinedColumn): string {
  const source = quoteIdentifier(joined.column);
  const parts = joined.names.map(
    (name, index) => `${joinedPartSql(joined, source, index)} AS ${quoteIdentifier(name)}`,
  );
  return `SELECT ${parts.join(', ')}, * EXCLUDE (${source}) FROM rows`;
}
