import type { Dataset } from '../../domain/dataset.ts';
import type { Field } from '../../domain/field.ts';
import {
  type ImportConnection,
  STAGE_TABLE,
} from '../../storage/duckdb/publish/import-connection.ts';
import { COLUMN_TYPES } from '../../storage/duckdb/record-table.ts';
import { type FieldReading, withinDegrees } from '../formats/field-reading.ts';
import type { RowSelection } from '../formats/row-format.ts';

/**
 * The staged rows in file order, so that `rowid` counts them over all files. Each has a typed value for each
 * field, and a list of the refused values, which is NULL in a valid row.
 */
export function valueColumn(fieldIndex: number): string {
  return `value_${fieldIndex}`;
}

/** SQL of the refused value of a field, with the members `shown` and `reason`; NULL if none was refused. */
export function refusedValue(fieldIndex: number): string {
  return `refused[${fieldIndex + 1}]`;
}

/** SQL of whether a field was refused. For a valid row, as most are, the list is not searched. */
export function isRefused(fieldIndex: number): string {
  return `(refused IS NOT NULL AND ${refusedValue(fieldIndex)} IS NOT NULL)`;
}

/** The same for a row that is invalid as a whole. */
export function refusedRow(dataset: Dataset): string {
  return refusedValue(dataset.fields.length);
}

export function isRefusedRow(dataset: Dataset): string {
  return isRefused(dataset.fields.length);
}

/** Creates the stage. After steps, it also has the number of the row of the files that a row came from. */
export async function createStage(
  connection: ImportConnection,
  dataset: Dataset,
  { isStepped }: { readonly isStepped: boolean },
): Promise<void> {
  const columns = dataset.fields.map(
    (field, index) => `${valueColumn(index)} ${COLUMN_TYPES[field.type]}`,
  );
  await connection.run(
    `CREATE TABLE ${STAGE_TABLE}
      (${columns.join(', ')}, refused STRUCT(shown VARCHAR, reason VARCHAR)[]
        ${isStepped ? ', source_row BIGINT, source_note VARCHAR' : ''})`,
  );
}

/** Reads the rows of one file into the stage, and returns their number. */
export async function stageRows(
  connection: ImportConnection,
  dataset: Dataset,
  selection: RowSelection,
): Promise<number> {
  const readings = dataset.fields.map((field, index) => {
    const reading = selection.readings[index];
    if (reading === undefined) throw new Error(`No reading for the field ${field.name}.`);
    return withinPoint(dataset, field, reading);
  });
  const values = readings.map(({ value }, index) => `(${value}) AS ${valueColumn(index)}`);
  // A refusal is only searched in a row without the value, so it costs little.
  const refusals = readings.map(({ isAbsent, shown, reason }, index) => ({
    condition: `(${valueColumn(index)} IS NULL AND NOT (${isAbsent}))`,
    refusal: `struct_pack(shown := (${shown}), reason := (${reason}))`,
  }));
  const { rowReason, rowShown } = selection;
  if (rowReason !== undefined && rowShown !== undefined) {
    refusals.push({
      condition: `((${rowReason}) IS NOT NULL)`,
      refusal: `struct_pack(shown := (${rowShown}), reason := (${rowReason}))`,
    });
  }
  const isAnyRefused = refusals.map(({ condition }) => condition).join(' OR ');
  const refused = refusals.map(
    ({ condition, refusal }) => `CASE WHEN ${condition} THEN ${refusal} END`,
  );
  const staged = readings.map((_, index) => valueColumn(index));
  return connection.run(
    `INSERT INTO ${STAGE_TABLE}
      SELECT ${staged.join(', ')}, CASE WHEN ${isAnyRefused} THEN [${refused.join(', ')}] END
        ${selection.sourceRow === undefined ? '' : `, ${selection.sourceRow}, ${selection.sourceNote ?? 'NULL'}`}
      FROM (SELECT *, ${values.join(', ')} FROM ${preparedRows(selection, readings)})`,
    selection.parameters,
  );
}

/** The raw columns, with what the readings compute first; each step may use those before it. */
export function preparedRows({ query }: RowSelection, readings: readonly FieldReading[]): string {
  const steps = readings.map(({ prepared = [] }) => prepared);
  const depth = Math.max(0, ...steps.map(({ length }) => length));
  return Array.from({ length: depth }).reduce<string>((rows, _, level) => {
    const columns = steps.flatMap((prepared) => prepared[level] ?? []);
    return `(SELECT *, ${columns.map(({ name, sql }) => `(${sql}) AS ${name}`).join(', ')} FROM ${rows})`;
  }, `(${query})`);
}

function withinPoint(dataset: Dataset, field: Field, reading: FieldReading): FieldReading {
  if (field.name === dataset.point?.latitude) return withinDegrees(reading, 90);
  return field.name === dataset.point?.longitude ? withinDegrees(reading, 180) : reading;
}
