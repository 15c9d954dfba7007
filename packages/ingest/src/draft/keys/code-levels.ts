import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { snake } from '../values/valid-name.ts';
import { sumsOfLongerCodes } from './find-nested-totals.ts';
import type { FoundTotal } from './found-total.ts';
import { type Column, GROUPS_SHARE, match, sumsOf } from './sums-of-records.ts';

/**
 * Finds codes of several lengths that begin with shorter ones, if the numbers add up or the name is that of a classification:
 * AT, AT1 and AT11.
 */
export async function findCodeLevels(
  connection: ImportConnection,
  {
    table,
    column,
    values,
    whole,
    dates,
    by,
    measures,
  }: {
    readonly table: string;
    readonly column: Column;
    readonly values: readonly string[];
    /** The code that is known as the total of all. */
    readonly whole: string | undefined;
    readonly dates: readonly Column[];
    readonly by: readonly Column[];
    readonly measures: readonly Column[];
  },
): Promise<FoundTotal | undefined> {
  const { field, sql } = column;
  const codes = codeLevels(values);
  if (codes === undefined) return undefined;
  const { levels, usual: value } = codes;
  const found = { field: field.name, value, kind: 'code_length', levels } as const;
  const lengths = levels.map(({ length }) => length);
  if (measures.length > 0) {
    const text = `CAST(${sql} AS VARCHAR)`;
    const length = `CAST(length(${text}) AS VARCHAR)`;
    const kinds =
      whole === undefined
        ? length
        : `CASE WHEN ${text} <> ${quoteLiteral(whole)} THEN ${length} END`;
    const total = String(levels[0]?.length);
    const level = match(await sumsOf(connection, { table, kinds, by: dates, measures }), measures, {
      total,
      isSure: true,
      partsOf: 'finest',
    });
    const proven =
      level?.proof === undefined
        ? await sumsOfLongerCodes(connection, { table, column, lengths, by, measures })
        : level;
    if (proven?.proof !== undefined) return { ...found, ...proven };
  }
  return CLASSIFICATION_NAME.test(snake(field.column ?? field.name)) ? found : undefined;
}

/** Systems of codes in which longer codes are parts of shorter ones, whatever the numbers are. */
const CLASSIFICATION_NAME =
  /fips|geo_?id|stcou|(^|_)(nuts|naics|isic|nace|noga|sic|soc|isco|coicop|cpv|ags|ars|teryt|huc)(_?\d+)?($|_)/;

type CodeLevels = {
  /** A code of each length. */
  readonly levels: readonly string[];
  /** The length of most codes. */
  readonly usual: string;
};

/** The lengths of codes, if nearly all longer codes begin with a shorter one: AT, AT1, AT11. */
function codeLevels(values: readonly string[]): CodeLevels | undefined {
  const lengths = [
    ...new Set(values.filter((value) => !RANGE.test(value)).map((value) => value.length)),
  ].toSorted((left, right) => left - right);
  const [shortest = 0] = lengths;
  if (lengths.length < 2 || lengths.length > LEVELS_MAX) return undefined;
  const known = new Set(values.flatMap(rangeOf));
  const longer = values.filter((value) => value.length > shortest);
  const parts = longer.filter((value) =>
    lengths.some((length) => length < value.length && known.has(value.slice(0, length))),
  );
  if (parts.length < longer.length * GROUPS_SHARE) return undefined;
  const countOf = (length: number) => values.filter((value) => value.length === length).length;
  const usual = lengths.reduce((best, next) => (countOf(next) >= countOf(best) ? next : best));
  const levels = lengths.map((length) => values.find((value) => value.length === length) ?? '');
  return { levels, usual: String(usual) };
}

const RANGE = /^(\d\d)-(\d\d)$/;

/** Sectors with the codes of several, such as 31-33. */
function rangeOf(code: string): readonly string[] {
  const [, first, last] = RANGE.exec(code) ?? [];
  if (first === undefined) return [code];
  const count = Math.min(Number(last) - Number(first) + 1, 10);
  return Array.from({ length: Math.max(count, 0) }, (_, index) => String(Number(first) + index));
}

const LEVELS_MAX = 8;
