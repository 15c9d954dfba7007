import type { FieldType } from '@locmetrics/core/domain/field';
import type { PresentValue } from '@locmetrics/core/domain/value';
import { parameterName } from '@locmetrics/core/sql/clickhouse-dialect';
import type { SqlParameter } from '@locmetrics/core/sql/sql-dialect';

/** A value as a driver binds it. */
export type BoundValue = SingleValue | readonly SingleValue[];
type SingleValue = string | bigint | number | boolean;

/** The parameters of a statement by name. Days are numbers since 1970, as in the table. */
export function boundValues(
  parameters: readonly SqlParameter[],
): Readonly<Record<string, BoundValue>> {
  return Object.fromEntries(
    parameters.map(({ type, value }, index) => [
      parameterName(index + 1),
      typeof value === 'object'
        ? value.map((one) => boundValue(type, one))
        : boundValue(type, value),
    ]),
  );
}

const MS_PER_DAY = 86_400_000;

function boundValue(type: FieldType, value: PresentValue): SingleValue {
  return type === 'date' ? Date.parse(String(value)) / MS_PER_DAY : value;
}
