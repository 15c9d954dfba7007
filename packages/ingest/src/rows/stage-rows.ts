import {
  type ImportConnection,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { COLUMN_TYPES } from '@locmetrics/column-store/record-table';
import { type Dataset, findField } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import { EMPTY_OUTLINE, OUTLINE_FUNCTION } from '../formats/features/outline-problem.ts';
import { type FieldReading, withinDegrees, withinLatitudes } from '../formats/field-reading.ts';
import type { RowSelection } from '../formats/row-format.ts';
import { isNormalised, NFC_FUNCTION, readInNfc } from './nfc-texts.ts';

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

/**
 * Reads the rows of one file into the stage, and returns their number. Computed fields have a function of the point
 * by their name; all others have a reading, in the order of the fields.
 */
export async function stageRows(
  connection: ImportConnection,
  dataset: Dataset,
  {
    selection,
    computed,
  }: { readonly selection: RowSelection; readonly computed: ReadonlyMap<string, string> },
): Promise<number> {
  const read = dataset.fields.filter(({ name }) => !computed.has(name));
  const unlimited = read.map((field, index) => {
    const reading = selection.readings[index];
    if (reading === undefined) throw new Error(`No reading for the field ${field.name}.`);
    return { field, reading };
  });
  const longitude = unlimited.find(({ field }) => field.name === dataset.point?.longitude);
  const readings = unlimited.map(({ field, reading }, index) => {
    if (isNormalised(dataset, field)) return readInNfc(reading, `text_${index}`);
    if (field.outline === true) return checkOutline(reading, `outline_${index}`);
    if (field === longitude?.field) return withinDegrees(reading, 180);
    if (field.name !== dataset.point?.latitude) return reading;
    return withinLatitudes(reading, longitude?.reading);
  });
  const readingOf = new Map(read.map(({ name }, index) => [name, readings[index]]));
  const values = readings.map(
    ({ value }, index) => `(${value}) AS ${columnOf(dataset, read[index])}`,
  );
  // A refusal is only searched in a row without the value, so it costs little.
  const refusals = dataset.fields.map((field) => {
    const reading = readingOf.get(field.name);
    if (reading === undefined) return { condition: 'false', refusal: 'NULL' };
    const { isAbsent, shown, reason } = reading;
    return {
      condition: `(${columnOf(dataset, field)} IS NULL AND NOT (${isAbsent}))`,
      refusal: `struct_pack(shown := (${shown}), reason := (${reason}))`,
    };
  });
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
  const staged = dataset.fields.map((_, index) => valueColumn(index));
  const rows = `(SELECT *, ${values.join(', ')} FROM ${preparedRows(selection, readings)})`;
  return connection.run(
    `INSERT INTO ${STAGE_TABLE}
      SELECT ${staged.join(', ')}, CASE WHEN ${isAnyRefused} THEN [${refused.join(', ')}] END
        ${selection.sourceRow === undefined ? '' : `, ${selection.sourceRow}, ${selection.sourceNote ?? 'NULL'}`}
      FROM ${withComputed(dataset, rows, computed)}`,
    selection.parameters,
  );
}

/** Keeps only outlines. The name is that of the column with the reason why a text is not one. */
function checkOutline(reading: FieldReading, name: string): FieldReading {
  const { prepared = [], value, isAbsent, shown, reason } = reading;
  return {
    prepared: [...prepared, { name, sql: `${OUTLINE_FUNCTION}(${value})` }],
    value: `CASE WHEN ${name} = '' THEN (${value}) END`,
    isAbsent: `(${isAbsent} OR coalesce(${name}, '') = '${EMPTY_OUTLINE}')`,
    shown: `left(${shown}, ${OUTLINE_SHOWN_LENGTH})`,
    reason: `coalesce(${name}, ${reason})`,
  };
}

const OUTLINE_SHOWN_LENGTH = 1000;

function columnOf({ fields }: Dataset, field: Field | undefined): string {
  return valueColumn(fields.findIndex(({ name }) => name === field?.name));
}

/** The rows with the fields that follow from their points. */
function withComputed(
  dataset: Dataset,
  rows: string,
  computed: ReadonlyMap<string, string>,
): string {
  if (computed.size === 0 || dataset.point === undefined) return rows;
  const { latitude, longitude } = dataset.point;
  const point = [latitude, longitude].map((name) => columnOf(dataset, findField(dataset, name)));
  const values = dataset.fields.flatMap((field) => {
    const name = computed.get(field.name);
    if (name === undefined) return [];
    const value = `${name}(${point.join(', ')})`;
    return `${isNormalised(dataset, field) ? `${NFC_FUNCTION}(${value})` : value} AS ${columnOf(dataset, field)}`;
  });
  return `(SELECT *, ${values.join(', ')} FROM ${rows})`;
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
