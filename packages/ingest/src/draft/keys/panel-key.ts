import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { type FoundKey, findKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';
import { PLACE_NAME } from './key-roles.ts';

/**
 * The key of places by period, instead of a code that each row has of its own: if nearly all combinations of its fields
 * have a row, the rows are no events. Undefined if there is none.
 */
export async function panelKey(
  connection: ImportConnection,
  fields: readonly KeyField[],
  key: FoundKey,
  rows: Parameters<typeof findKey>[2],
): Promise<FoundKey | undefined> {
  const { rowCount } = rows;
  const isOfPeriods = fields.some(
    ({ role, distinctCount }) =>
      role === 'period' && distinctCount > 1 && distinctCount * ROWS_MIN <= rowCount,
  );
  const own = fields.find(
    ({ name, role, distinctCount }) =>
      key.fields.includes(name) &&
      role !== 'period' &&
      distinctCount === rowCount &&
      !PLACE_NAME.test(name),
  );
  if (!isOfPeriods || own === undefined) return undefined;
  const others = fields.map((field) =>
    field === own ? { ...field, role: 'row_number' as const } : field,
  );
  const found = await findKey(connection, others, { ...rows, mayLeaveOut: false });
  const used = fields.filter(({ name }) => found.fields.includes(name));
  const combinations = used.reduce((product, { distinctCount }) => product * distinctCount, 1);
  const isPanel =
    found.repeatedCount === 0 &&
    used.some(({ role }) => role === 'period') &&
    used.some(({ role, distinctCount }) => PLACES.includes(role) && distinctCount < rowCount) &&
    used.every(({ role, distinctCount }) => role === 'period' || distinctCount < rowCount) &&
    combinations <= rowCount * COMBINATIONS_MAX;
  return isPanel ? found : undefined;
}

/** Whether a key without the ids of rows is one by chance: far fewer of its combinations have a row than of places by period. */
export async function isByChance(
  connection: ImportConnection,
  fields: readonly KeyField[],
  rows: Parameters<typeof findKey>[2],
): Promise<boolean> {
  const found = await findKey(connection, fields, { ...rows, mayLeaveOut: false });
  const used = fields.filter(({ name }) => found.fields.includes(name));
  const combinations = used.reduce((product, { distinctCount }) => product * distinctCount, 1);
  return combinations > rows.rowCount * CHANCE;
}

const CHANCE = 10;

/** The rows of a period, in the mean. */
const ROWS_MIN = 2;
const COMBINATIONS_MAX = 1.5;
const PLACES: readonly KeyField['role'][] = ['code', 'place', 'name', 'number'];
