import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField, Period } from '../values/draft-fields.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';
import { isAddressName, isAreaName } from './key-roles.ts';

/** A key that no two rows have, though nothing but chance keeps them from having the same one. */
export type ChanceKey = {
  /** The fields of the key other than the day. */
  readonly parts: readonly string[];
  readonly day: string;
  /** How many different combinations of the parts and the day there could be. */
  readonly combinations: number;
  /** The text field that tells the places of the rows apart. */
  readonly place: string | undefined;
};

/**
 * Finds the key of rows that are events, such as crashes: few combinations of its fields have a row, and the days between
 * two rows of a place differ. Places by day have most of the combinations, or a row every few days.
 */
export async function findChance(
  connection: ImportConnection,
  {
    fields,
    keyFields,
    key,
    period,
    rowCount,
  }: {
    /** In the order of the table of values. */
    readonly fields: readonly DraftField[];
    readonly keyFields: readonly KeyField[];
    readonly key: FoundKey;
    readonly period: Period | undefined;
    readonly rowCount: number;
  },
): Promise<ChanceKey | undefined> {
  const day = fields.findIndex(({ name }) => name === period?.start);
  const isOfDays = period?.unit === 'day' && key.fields.includes(fields[day]?.name ?? '');
  if (!isOfDays || key.repeatedCount > 0 || rowCount < ROWS_MIN) return undefined;
  const names = [...(key.fallback?.first ?? []), ...key.fields];
  const parts = fields.flatMap(({ name }, index) =>
    names.includes(name) && index !== day ? [{ name, sql: `v${index}` }] : [],
  );
  const repeated = keyFields.filter(
    ({ role, type, distinctCount }) =>
      PLACES.includes(role) && type === 'string' && distinctCount > 1 && distinctCount < rowCount,
  );
  // Days alone are those of one place, unless something else tells places apart.
  if (parts.length === 0 && repeated.length === 0) return undefined;
  const place = parts.map(({ sql }) => sql).join(', ');
  const [row] = await connection.list(
    `WITH steps AS (SELECT v${day} AS day, (${place === '' ? "''" : place}) AS place,
        v${day} - lag(v${day}) OVER (PARTITION BY ${place === '' ? "''" : place} ORDER BY v${day}) AS step FROM ${TYPED_ROWS})
      SELECT count(DISTINCT day)::DOUBLE AS days, count(DISTINCT place)::DOUBLE AS places,
        count(step)::DOUBLE AS steps,
        (SELECT coalesce(max(same), 0) FROM (SELECT count(*) AS same FROM steps WHERE step IS NOT NULL GROUP BY step))::DOUBLE AS usual
      FROM steps`,
  );
  if (row === undefined) return undefined;
  const combinations = numberOf(row, 'days') * numberOf(row, 'places');
  const isDense = parts.length > 0 && combinations < rowCount * DENSE;
  const isRegular = numberOf(row, 'usual') > numberOf(row, 'steps') * REGULAR;
  if (isDense || isRegular) return undefined;
  const name = fields[day]?.name ?? '';
  const wanted = [
    ({ name: field }: KeyField) => isAreaName(field),
    ({ name: field }: KeyField) => isAddressName(field),
    ({ name: field }: KeyField) => names.includes(field),
  ];
  const [found] = wanted.flatMap((is) => repeated.find(is) ?? []);
  return { parts: parts.map((part) => part.name), day: name, combinations, place: found?.name };
}

const ROWS_MIN = 8;
/** Of the combinations of places and days, at least every second one has a row. */
const DENSE = 2;
/** The share of the most frequent number of days between two rows of a place. */
const REGULAR = 0.4;
const PLACES: readonly KeyField['role'][] = ['code', 'other_code', 'place', 'name', 'text'];
