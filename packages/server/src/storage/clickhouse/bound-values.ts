import type { FieldType } from '../../domain/field.ts';
import type { PresentValue } from '../../domain/value.ts';
import { parameterName } from '../../sql/clickhouse-dialect.ts';
import type { SqlParameter } from '../../sql/sql-dialect.ts';

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
