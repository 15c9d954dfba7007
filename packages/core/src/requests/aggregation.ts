import type { Field, FieldType } from '../domain/field.ts';

/** How the values of a field in a group of records become one. Absent values are left out. */
export const AGGREGATIONS = [
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'COUNT',
  'COUNT_DISTINCT',
  'MEDIAN',
  'QUANTILE',
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

const OF_NUMBERS: readonly Aggregation[] = ['SUM', 'AVG', 'MEDIAN', 'QUANTILE'];
const OF_ORDERED: readonly Aggregation[] = ['MIN', 'MAX'];

/** The aggregations of a field, in the published order. */
export function aggregationsOf({
  type,
  outline,
}: Pick<Field, 'type' | 'outline'>): readonly Aggregation[] {
  if (outline === true) return [];
  const isNumber = type === 'integer' || type === 'float';
  return AGGREGATIONS.filter((one) => {
    if (OF_NUMBERS.includes(one)) return isNumber;
    return OF_ORDERED.includes(one) ? type !== 'boolean' : true;
  });
}

/** The type of an aggregate of a field. */
export function aggregatedType(aggregation: Aggregation, type: FieldType): FieldType {
  switch (aggregation) {
    case 'SUM':
    case 'MIN':
    case 'MAX':
      return type;
    case 'COUNT':
    case 'COUNT_DISTINCT':
      return 'integer';
    case 'AVG':
    case 'MEDIAN':
    case 'QUANTILE':
      return 'float';
  }
}
