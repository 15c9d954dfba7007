import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { TYPED_ROWS } from '../values/typed-rows.ts';

/** Columns for both directions of each place, as counters of bicycles have: `Quay IN` and `Quay OUT`. */
export type Directions = {
  readonly places: readonly string[];
  /** The ends of the column names, such as `IN`, each with the name of its measure. */
  readonly ends: readonly { readonly end: string; readonly name: string }[];
  /** The columns with the sums of both. */
  readonly sums: readonly string[];
};

/** Finds them if each place has both, and nothing else but the sum of both. */
export async function findDirections(
  connection: ImportConnection,
  numbers: readonly { readonly column: string; readonly value: string }[],
): Promise<Directions | undefined> {
  for (const [one, other] of PAIRS) {
    const valueIn = (name: string) => numbers.find(({ column }) => column === name)?.value;
    const places = numbers.flatMap(({ column }) =>
      column.endsWith(one) ? column.slice(0, -one.length) : [],
    );
    const areBoth = places.every((place) => valueIn(`${place}${other}`) !== undefined);
    const sums = places.filter((place) => valueIn(place) !== undefined);
    const count = places.length * 2 + sums.length;
    if (places.length < PLACES_MIN || !areBoth || count !== numbers.length) continue;
    const isOther = sums.map(
      (place) =>
        `${valueIn(place)} IS DISTINCT FROM ${valueIn(`${place}${one}`)} + ${valueIn(`${place}${other}`)}`,
    );
    const [row] =
      sums.length === 0
        ? [{ other: 0 }]
        : await connection.list(
            `SELECT count(*) FILTER (WHERE ${isOther.join(' OR ')})::DOUBLE AS other FROM ${TYPED_ROWS}`,
          );
    if (row === undefined || numberOf(row, 'other') > 0) continue;
    const ends = [one, other].map((end) => ({
      end,
      name: end.trim().toLowerCase().replace(/^_/, ''),
    }));
    return { places, ends, sums };
  }
  return undefined;
}

const PLACES_MIN = 2;
const PAIRS = [
  [' IN', ' OUT'],
  [' In', ' Out'],
  [' in', ' out'],
  ['_in', '_out'],
  [' Inbound', ' Outbound'],
  [' Northbound', ' Southbound'],
  [' Eastbound', ' Westbound'],
] as const;
