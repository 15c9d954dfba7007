import type { AggregateTerm } from './read-plan.ts';

/** The number of parts from which an aggregate is computed: see `storage/reference/finish-groups.ts`. */
export function partCountOf({ aggregation }: AggregateTerm): number {
  switch (aggregation) {
    case 'SUM':
    case 'AVG':
      return 4;
    case 'MEDIAN':
    case 'QUANTILE':
      return 3;
    case 'MIN':
    case 'MAX':
    case 'COUNT':
    case 'COUNT_DISTINCT':
      return 1;
  }
}
