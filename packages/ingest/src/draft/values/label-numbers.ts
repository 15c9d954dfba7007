import type { DraftField } from './draft-fields.ts';
import { COUNT_NAME, isCountedName, STOCK_NAME } from './measure-kind.ts';
import type { Stats } from './typed-rows.ts';
import { snake } from './valid-name.ts';

/** Why whole numbers may name something, such as a level or a year, and are no amounts. */
export type Label =
  | { readonly kind: 'same' | 'year' }
  | { readonly kind: 'few'; readonly count: number }
  /** The part of the date of its row. */
  | { readonly kind: 'part'; readonly part: string }
  /** From zero on without a gap, as small counts are. */
  | { readonly kind: 'small'; readonly count: number };

/** The whole numbers that may be no amounts, by their values: nothing in their names says that they are. */
export function labelNumbers(
  fields: readonly DraftField[],
  { fields: stats, rowCount }: Stats,
  /** Names of fields that are amounts. */
  amounts: readonly string[],
): ReadonlyMap<string, Label> {
  const found = new Map<string, Label>();
  for (const [index, field] of fields.entries()) {
    const { distinct = 0, least = 0, greatest = 0 } = stats[index] ?? {};
    if (field.document.type !== 'integer' || amounts.includes(field.name)) continue;
    if (isAmount(field)) continue;
    const areFew =
      distinct > 1 &&
      distinct <= FEW &&
      rowCount >= distinct * (distinct <= LEVELS ? 4 : REPEATED_MIN);
    const isSmall = least === 0 && greatest === distinct - 1 && distinct > 2;
    if (distinct === 1 && least !== 0 && rowCount >= ROWS_MIN)
      found.set(field.name, { kind: 'same' });
    else if (least >= 1900 && greatest <= 2100 && distinct * 2 <= rowCount)
      found.set(field.name, { kind: 'year' });
    else if (areFew) found.set(field.name, { kind: isSmall ? 'small' : 'few', count: distinct });
  }
  return found;
}

/** The names of those that are rather no amounts. */
export function labelNames(labels: ReadonlyMap<string, Label>): ReadonlySet<string> {
  return new Set([...labels].flatMap(([name, { kind }]) => (kind === 'small' ? [] : name)));
}

/** Whether the name of a number is that of a count. */
export function isAmount({ name, column = name, label }: DraftField): boolean {
  const words = snake(label ?? column);
  return isCountedName(words) || [COUNT_NAME, STOCK_NAME, UNNAMED].some((name) => name.test(words));
}

/** Columns of tables of statistics with the one value of a row. */
const UNNAMED = /(^|_)(values?|val|obs|figure|wert|valor|valore|valeur|waarde|varde|data|n)$/;

const FEW = 12;
const LEVELS = 5;
const REPEATED_MIN = 6;
const ROWS_MIN = 4;
