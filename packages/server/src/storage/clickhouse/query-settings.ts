import type { ClickhouseSettings } from './clickhouse-driver.ts';

/** The settings under which ClickHouse reads numbers as they are written, in parameters and in inserted rows. */
export const READ_SETTINGS: ClickhouseSettings = {
  // Otherwise the last digit of a double is sometimes lost.
  precise_float_parsing: 1,
};

/** The settings under which statements of `sql/clickhouse-dialect.ts` mean what the same plan means elsewhere. */
export const QUERY_SETTINGS: ClickhouseSettings = {
  ...READ_SETTINGS,
  // An aggregate of no rows is absent, not 0.
  aggregate_functions_null_for_empty: 1,
  // A column is meant where an alias has its name, as in standard SQL.
  prefer_column_name_to_alias: 1,
  // Absent values are never in a list.
  transform_null_in: 0,
  // JSON has whole numbers of up to 53 bits.
  output_format_json_quote_64bit_integers: 1,
};
