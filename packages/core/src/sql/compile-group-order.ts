import { FRACTIONS } from '../domain/exact-sum.ts';
import type { AggregateTerm, GroupNumber } from '../plan/read-plan.ts';
import type { ParameterList } from './parameter-list.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** A number of a group for ORDER BY. */
export type GroupOrder = {
  readonly expression: string;
  /** Whether it is a whole number. Absent: it is not a number. */
  readonly isWhole?: boolean;
  /** Numbers that doubles must have: where one is beyond `WHOLE_MAX`, the expression can differ from the number. */
  readonly limited: readonly string[];
};

/** Doubles have all whole numbers up to this one. */
const WHOLE_MAX = 2 ** 53;

/**
 * The value of an aggregate from the names of its parts, as `aggregateValue` of `storage/reference/finish-groups.ts`
 * computes it. Each operation rounds once, as in JavaScript, so the order is the same.
 */
export function compileNumber(
  { aggregation, field, quantile }: AggregateTerm,
  parts: readonly string[],
  { dialect, bind }: ParameterList,
): GroupOrder {
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const { double } = dialect;
  switch (aggregation) {
    case 'COUNT':
    case 'COUNT_DISTINCT':
      return { expression: first, isWhole: true, limited: [] };
    case 'MIN':
    case 'MAX':
      return {
        expression: first,
        ...(field?.type === 'integer' || field?.type === 'float'
          ? { isWhole: field.type === 'integer' }
          : {}),
        limited: [],
      };
    case 'SUM':
    case 'AVG': {
      const [whole, fraction, count, added] = [first, second, third, fourth];
      if (aggregation === 'SUM' && field?.type === 'integer') {
        return {
          expression: `CASE WHEN ${count} > 0 THEN ${whole} END`,
          isWhole: true,
          limited: [],
        };
      }
      const carried = dialect.wholeQuotient(fraction, FRACTIONS);
      const all = field?.type === 'integer' ? whole : `(${whole} + ${carried})`;
      // The rest is below 1, and doubles have it as well as the whole part: their sum rounds once.
      const sum =
        field?.type === 'integer'
          ? double(all)
          : `(${double(all)} + ${double(`(${fraction} - ${carried} * ${FRACTIONS})`)} / ${FRACTIONS}.0)`;
      const value = aggregation === 'AVG' ? `${sum} / ${double(count)}` : sum;
      return {
        expression: `CASE WHEN ${count} > 0 AND ${added} = ${count} THEN ${value} END`,
        isWhole: false,
        limited: [all],
      };
    }
    case 'MEDIAN':
    case 'QUANTILE': {
      const [count, lower, upper] = [first, double(second), double(third)];
      const place = `(${double(`(${count} - 1)`)} * ${bind('float', quantile)})`;
      const fraction = `(${place} - trunc(${place}))`;
      return {
        expression: `CASE WHEN ${count} > 0 THEN ${lower} + (${upper} - ${lower}) * ${fraction} END`,
        isWhole: false,
        limited: [second, third],
      };
    }
  }
}

/** How a number compares with another: see `storage/reference/compared-number.ts`. */
export function compileComparison(
  part: NonNullable<GroupNumber['part']>,
  {
    value,
    base,
    hasBase,
  }: { readonly value: GroupOrder; readonly base: GroupOrder; readonly hasBase: string },
  { double, wide }: SqlDialect,
): GroupOrder {
  const limited = [...value.limited, ...base.limited];
  const isWhole = value.isWhole ?? false;
  const change = isWhole
    ? `(${wide(value.expression)} - ${wide(base.expression)})`
    : `(${double(value.expression)} - ${double(base.expression)})`;
  const compared = double(base.expression);
  if (part === 'change') {
    const isSaid = isWhole ? hasBase : `${hasBase} AND ${compileFinite(change)}`;
    return { expression: `CASE WHEN ${isSaid} THEN ${change} END`, isWhole, limited };
  }
  const percent = `${double(change)} * 100 / ${compared}`;
  return {
    // The 0 that is added makes -0 of it: both zeros are equal.
    expression: `CASE WHEN ${hasBase} AND ${compared} <> 0 AND ${compileFinite(percent)} THEN ${percent} + 0 END`,
    isWhole: false,
    limited: isWhole ? [...limited, change, base.expression] : limited,
  };
}

/** Whether a double is neither infinite nor NaN. */
function compileFinite(number: string): string {
  return `abs(${number}) <= ${Number.MAX_VALUE}`;
}

/** 1 for a group one of whose numbers is beyond what doubles have. */
export function compileUnsure(limited: readonly string[]): string {
  const beyond = [...new Set(limited)].map(
    (number) => `${number} NOT BETWEEN -${WHOLE_MAX} AND ${WHOLE_MAX}`,
  );
  return `CASE WHEN ${beyond.join(' OR ')} THEN 1 END`;
}
