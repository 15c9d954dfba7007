import type { FieldType } from '../domain/field.ts';
import type { PresentValue } from '../domain/value.ts';
import type { SqlDialect, SqlParameter } from './sql-dialect.ts';

/** Collects the parameters of a statement while its text is built. */
export type ParameterList = {
  /** The dialect of the statement. */
  readonly dialect: SqlDialect;
  /** Adds a value and returns its placeholder. */
  readonly bind: (type: FieldType, value: PresentValue) => string;
  /** Adds a list of values and returns a subquery of them. */
  readonly bindList: (type: FieldType, values: readonly PresentValue[]) => string;
  /** Adds lists of whole numbers, by the names of their columns, and returns a subquery of them. */
  readonly bindTable: (columns: Readonly<Record<string, readonly number[]>>) => string;
  /** Adds a list of values and returns the one with this number, an expression, from 1. */
  readonly bindItem: (type: FieldType, values: readonly PresentValue[], number: string) => string;
  readonly parameters: readonly SqlParameter[];
};

export function openParameterList(dialect: SqlDialect): ParameterList {
  const parameters: SqlParameter[] = [];
  return {
    dialect,
    bind: (type, value) => {
      parameters.push({ type, value });
      return dialect.placeholder(parameters.length, type);
    },
    bindList: (type, values) => {
      parameters.push({ type, value: values });
      return dialect.listPlaceholder(parameters.length, type);
    },
    bindTable: (columns) =>
      dialect.listTable(
        Object.entries(columns).map(([name, values]) => ({
          name,
          number: parameters.push({ type: 'integer', value: values.map(BigInt) }),
        })),
      ),
    bindItem: (type, values, number) => {
      parameters.push({ type, value: values });
      return dialect.listItem(parameters.length, type, number);
    },
    parameters,
  };
}
