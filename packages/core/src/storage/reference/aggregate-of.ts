import { type ExactSum, floatSumOf, integerSumOf, meanOf } from '../../domain/exact-sum.ts';
import type { TileAggregate } from '../../plan/read-plan.ts';

/** The value of an aggregate of a cell: the same in every engine, because the sum is exact. */
export function aggregateOf(
  { function: name, field }: TileAggregate,
  sum: ExactSum,
): bigint | number | null {
  switch (name) {
    case 'sum':
      return field.type === 'integer' ? integerSumOf(sum) : floatSumOf(sum);
    case 'mean':
      return meanOf(sum);
  }
}
