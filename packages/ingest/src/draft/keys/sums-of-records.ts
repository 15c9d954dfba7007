import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf, type ResultRow } from '@locmetrics/column-store/publish/result-row';
import type { DraftField } from '../values/draft-fields.ts';

/** A field with its column of the table of values. */
export type Column = { readonly field: DraftField; readonly sql: string };

/** The measure that adds up, and in how many of the groups of records it does. */
export type Proof = { readonly measure: string; readonly equal: number; readonly groups: number };

/** The sums of the measures by the kind of a record, in each group of records. */
export async function sumsOf(
  connection: ImportConnection,
  {
    table,
    kinds,
    by,
    measures,
  }: {
    readonly table: string;
    readonly kinds: string;
    readonly by: readonly Column[];
    readonly measures: readonly Column[];
  },
): Promise<readonly (readonly ResultRow[])[]> {
  const parts = by.map(({ sql }) => `coalesce(CAST(${sql} AS VARCHAR), '')`);
  const sums = measures.map(
    ({ sql }, index) =>
      `coalesce(sum(${sql}), 0)::DOUBLE AS ${sumName(index)}, (count(*) - count(${sql}))::DOUBLE AS absent_${index}`,
  );
  const rows = await connection.list(
    `SELECT concat_ws('|', ${["''", ...parts].join(', ')}) AS part_of, kind, count(*)::DOUBLE AS count, ${sums.join(', ')}
      FROM (SELECT *, ${kinds} AS kind FROM ${table}) WHERE kind IS NOT NULL
      GROUP BY ALL LIMIT ${GROUPS_MAX}`,
  );
  return [...Map.groupBy(rows, (row) => String(row['part_of'])).values()];
}

export function sumName(index: number): string {
  return `sum_${index}`;
}

/** Without a proof the sums only come close. */
export type Match = { readonly proof?: Proof };

/** Whether the sums of the totals are those of their parts. Several levels of parts each have the whole sum. */
export function match(
  grouped: readonly (readonly ResultRow[])[],
  measures: readonly Column[],
  {
    total,
    isSure,
    partsOf,
  }: {
    /** The kind of the totals. */
    readonly total: string;
    /** Whether a name says that there are totals, so that few equal sums are enough. */
    readonly isSure: boolean;
    readonly partsOf: 'all' | 'finest';
  },
): Match | undefined {
  const pairs = grouped.flatMap((group) => toPair(group, total, { partsOf, isSure }));
  const checked = measures.map(({ field }, index) => {
    const all = pairs.flatMap(({ whole, parts }) => {
      const sum = numberOf(whole, sumName(index));
      const ofParts = parts.reduce((all, part) => all + numberOf(part, sumName(index)), 0);
      // Parts without a value, which an office keeps secret, make up the difference.
      const lacks = parts.some((part) => numberOf(part, `absent_${index}`) > 0);
      return sum === 0 ? [] : [{ sum, ofParts, isOpen: lacks && sum >= ofParts }];
    });
    const whole = all.filter(({ isOpen }) => !isOpen);
    const sums = whole.length > 0 ? whole : all;
    const near = (tolerance: number, multiples: readonly number[]) =>
      sums.filter(({ sum, ofParts }) =>
        multiples.some(
          (times) =>
            Math.abs(ofParts - times * sum) <= tolerance * Math.abs(ofParts) ||
            Math.abs(sum - times * ofParts) <= tolerance * Math.abs(sum),
        ),
      ).length;
    return {
      measure: field.name,
      equal: near(isSure ? ROUNDED : EXACT, isSure && partsOf === 'all' ? MULTIPLES : [1]),
      close: whole.length > 0 ? near(CLOSE, [1]) : sums.length,
      groups: sums.length,
      largest: Math.max(0, ...sums.map(({ sum }) => Math.abs(sum))),
    };
  });
  const isMost = (count: number, groups: number) => groups > 0 && count >= groups * GROUPS_SHARE;
  const proof = checked
    .filter(({ equal, groups }) => isMost(equal, groups))
    .filter(({ equal, largest }) => isSure || equal > 2 || largest >= LARGE)
    .toSorted((left, right) => right.equal - left.equal)[0];
  if (proof !== undefined) {
    const { measure, equal, groups } = proof;
    return { proof: { measure, equal, groups } };
  }
  return checked.some(({ close, groups }) => isMost(close, groups)) ? {} : undefined;
}

/** The total of a group of records, and its parts: all others, or the most of one kind. */
function toPair(
  group: readonly ResultRow[],
  kind: string,
  { partsOf, isSure }: { readonly partsOf: 'all' | 'finest'; readonly isSure: boolean },
): readonly { readonly whole: ResultRow; readonly parts: readonly ResultRow[] }[] {
  const whole = group.find((row) => row['kind'] === kind);
  const others = group.filter((row) => row !== whole);
  const counts = others.map((row) => numberOf(row, 'count'));
  if (whole === undefined || others.length === 0) return [];
  const most = Math.max(...counts);
  const parts = partsOf === 'all' ? others : others.slice(counts.indexOf(most)).slice(0, 1);
  const count = parts.reduce((sum, row) => sum + numberOf(row, 'count'), 0);
  // A single record that equals another one is not its total.
  const isWhole =
    count > 1 && (partsOf === 'all' || count > (isSure ? 1 : 2) * numberOf(whole, 'count'));
  return isWhole ? [{ whole, parts }] : [];
}

const GROUPS_MAX = 200_000;
export const GROUPS_SHARE = 0.9;
/** Rounded parts differ a little from a rounded total; suppressed ones are missing. */
const ROUNDED = 0.002;
const EXACT = 1e-9;
const CLOSE = 0.1;
const MULTIPLES = [1, 2, 3];
/** Such sums are not equal by chance. */
const LARGE = 1000;
