import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { snake } from '../values/valid-name.ts';
import type { FoundKey } from './find-key.ts';
import type { KeyField, KeyRows } from './key-field.ts';

/**
 * Adds the codes of the areas around it to a key with the short code of a county, a tract or a site: county 001 is in many
 * states, even if it is in one of this file.
 */
export async function withOuterAreas(
  connection: ImportConnection,
  key: FoundKey,
  {
    fields,
    columns,
    table,
  }: {
    readonly fields: readonly KeyField[];
    /** The names of the columns of the fields. */
    readonly columns: readonly (string | undefined)[];
  } & Pick<KeyRows, 'table'>,
): Promise<FoundKey> {
  const levels = LEVELS.flatMap(({ names, digits }) => {
    const index = fields.findIndex(
      ({ name, type, isFilled }, at) =>
        type === 'string' && isFilled && names.test(snake(columns[at] ?? name)),
    );
    const field = fields[index];
    return field === undefined ? [] : [{ field, digits }];
  });
  // Sites have numbers of their own, unless counties count them.
  const hasCounty = levels.some(({ digits }) => digits === COUNTY_DIGITS);
  if (
    levels.length < 2 ||
    !hasCounty ||
    !levels.some(({ field }) => key.fields.includes(field.name))
  )
    return key;
  const [row] = await connection.list(
    `SELECT ${levels.map(({ field: { value } }, index) => `max(CASE WHEN regexp_full_match(${value}::VARCHAR, '[0-9]+') THEN length(${value}::VARCHAR) ELSE 99 END)::DOUBLE AS digits_${index}`).join(', ')} FROM ${table}`,
  );
  // A whole code such as 01001 has that of the state in it.
  const areShort =
    row !== undefined &&
    levels.every(({ digits }, index) => numberOf(row, `digits_${index}`) <= digits);
  if (!areShort || key.repeatedCount > 0) return key;
  const added = levels.flatMap(({ field: { name } }) => (key.fields.includes(name) ? [] : [name]));
  const names = levels.map(({ field: { name } }) => name);
  const rest = key.fields.filter((name) => !names.includes(name));
  return added.length === 0 ? key : { ...key, fields: [...names, ...rest] };
}

const COUNTY_DIGITS = 3;

/** From the largest on, with the most digits of a code that is unique only within the larger one. */
const LEVELS = [
  { names: /^state_?(code|fips|fp|id|num(ber)?)?\d*$/, digits: 2 },
  { names: /^(county|cnty)_?(code|fips|fp|id|num(ber)?)?\d*$/, digits: COUNTY_DIGITS },
  { names: /^(site|tract)_?(code|ce|num|number|no|id)?\d*$/, digits: 6 },
];
