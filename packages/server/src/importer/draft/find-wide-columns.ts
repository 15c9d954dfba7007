import { DATE_FORMATS } from './date-formats.ts';
import { distinctName, validName } from './valid-name.ts';

/** Columns that become rows, as the manifest declares them. */
export type WideColumns = {
  readonly name: string;
  readonly values: readonly {
    readonly name: string;
    readonly columns: string | readonly string[];
  }[];
  /** The columns that are used up. */
  readonly used: readonly string[];
};

/** Finds a column for each year or date, of one measure or of several. */
export function findWideColumns(columns: readonly string[]): WideColumns | undefined {
  return findYears(columns) ?? findDates(columns);
}

type Found = { readonly column: string; readonly pattern: string; readonly year: string };

function findYears(columns: readonly string[]): WideColumns | undefined {
  const found = columns.flatMap((column): Found | readonly [] => {
    const years = [...column.matchAll(/(?<!\d)(1[6-9]|20|21)\d\d(?!\d)/g)];
    const [only] = years;
    if (only === undefined || years.length > 1) return [];
    const pattern = `${column.slice(0, only.index)}####${column.slice(only.index + 4)}`;
    return { column, pattern, year: only[0] };
  });
  const groups = [...Map.groupBy(found, ({ pattern }) => pattern)].filter(
    // The placeholders of a pattern must be those of the year.
    ([pattern, same]) => same.length >= COLUMNS_MIN && !/[#*]/.test(pattern.replace('####', '')),
  );
  const longest = groups.reduce(
    (left, right) => (right[1].length > left[1].length ? right : left),
    ['', [] as readonly Found[]] as readonly [string, readonly Found[]],
  );
  if (longest[1].length === 0) return undefined;
  const main = new Set(longest[1].map(({ year }) => year));
  const together = groups.filter(([, same]) => same.some(({ year }) => main.has(year)));
  const used = together.flatMap(([, same]) => same.map(({ column }) => column));
  const kept = columns.filter((column) => !used.includes(column)).map(lower);
  const taken = new Set([...kept, 'year']);
  const values = together.map(([pattern]) => {
    const rest = pattern.replace('####', ' ').trim();
    const name = distinctName(rest === '' || rest.length === 1 ? 'value' : validName(rest), taken);
    taken.add(name);
    return { name, columns: pattern };
  });
  return { name: distinctName('year', new Set(kept)), values, used };
}

function findDates(columns: readonly string[]): WideColumns | undefined {
  for (const { matches, hasTime } of DATE_FORMATS) {
    if (hasTime) continue;
    const used = columns.filter((column) => matches(column));
    if (used.length < COLUMNS_MIN) continue;
    const patterns = new Set(used.map((column) => column.replaceAll(/\d/g, '#')));
    const [pattern = ''] = patterns;
    const isOne = patterns.size === 1 && /^#.*#$/.test(pattern);
    const kept = new Set(columns.filter((column) => !used.includes(column)).map(lower));
    return {
      name: distinctName('date', kept),
      values: [{ name: distinctName('value', kept), columns: isOne ? pattern : used }],
      used,
    };
  }
  return undefined;
}

const COLUMNS_MIN = 3;

function lower(column: string): string {
  return column.toLowerCase();
}
