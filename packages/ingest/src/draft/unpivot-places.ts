import type { Directions } from './keys/find-directions.ts';
import type { PlaceColumns } from './keys/find-place-columns.ts';
import { type WideColumns, wideOfPlaces } from './values/find-wide-columns.ts';
import { distinctName, validName } from './values/valid-name.ts';

type Drafted = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly placeColumns: PlaceColumns | undefined;
  readonly keyValues: ReadonlyMap<string, ReadonlySet<string>>;
  readonly alternatives: ReadonlyMap<string, ReadonlySet<string>>;
  readonly key: { readonly fields: readonly string[] };
};

/** The columns of a dataset that become rows, because each is a place: one of another dataset, or as it seems. */
export function unpivotPlaces(
  dataset: Drafted,
  datasets: readonly Drafted[],
): WideColumns | undefined {
  const { placeColumns } = dataset;
  if (placeColumns === undefined) return undefined;
  const { columns, sums, otherSumCount, others, seemPlaces, directions } = placeColumns;
  if (directions !== undefined) return wideOfDirections(dataset.columns, placeColumns, directions);
  const affixes = affixesOf(columns);
  const found = affixes.flatMap((affix) =>
    datasets.flatMap((other) => (other === dataset ? [] : matchesOf(placeColumns, other, affix))),
  );
  const best = found.toSorted((left, right) => right.matched - left.matched)[0];
  const affix = best?.affix ?? NO_AFFIX;
  if (best === undefined && !seemPlaces) return undefined;
  const used = best?.used ?? columns;
  const wide = wideOfPlaces(dataset.columns, { used, sums, ...affix, valueNameOf });
  const repeatedColumns = others.filter((column) => !used.includes(column));
  const repeated =
    repeatedColumns.length === 0
      ? []
      : [`Each of the new rows repeats the values of its period: ${repeatedColumns.join(', ')}.`];
  const unequal =
    otherSumCount === 0
      ? []
      : [
          `In ${otherSumCount} rows, ${sums.join(', ')} is not the sum of the columns that become rows.`,
        ];
  const common = { ...wide, repeated: repeatedColumns };
  if (best === undefined) {
    const shown = columns.slice(0, SHOWN_MAX).join(', ');
    const more = columns.length > SHOWN_MAX ? ` and ${columns.length - SHOWN_MAX} more` : '';
    return {
      ...common,
      doubts: [
        `Each of the columns ${shown}${more} seems to be a place, so they become rows. If they are measures, delete this step and declare each as a field.`,
        ...repeated,
        ...unequal,
      ],
    };
  }
  const { other, field, missing } = best;
  return {
    ...common,
    notes: [`The columns are places of ${other.name}, by its ${field}.`, ...repeated],
    doubts:
      missing.length === 0
        ? unequal
        : [
            `Not among the places of ${other.name}: ${missing.slice(0, SHOWN_MAX).join(', ')}.`,
            ...unequal,
          ],
  };
}

/** A row for each place, with a measure for each direction. */
function wideOfDirections(
  columns: readonly string[],
  { others }: PlaceColumns,
  { places, ends, sums }: Directions,
): WideColumns {
  const used = ends.flatMap(({ end }) => places.map((place) => `${place}${end}`));
  const taken = new Set(
    columns.filter((column) => !used.includes(column)).map((column) => column.toLowerCase()),
  );
  const name = distinctName('place', taken);
  const values = ends.map((one) => ({
    name: distinctName(one.name, new Set([...taken, name])),
    columns: `*${one.end}`,
  }));
  const shown = places.slice(0, SHOWN_MAX).join(', ');
  const more = places.length > SHOWN_MAX ? ` and ${places.length - SHOWN_MAX} more` : '';
  const repeated = others.filter((column) => !used.includes(column));
  return {
    name,
    values,
    used,
    sums,
    repeated,
    doubts: [
      `Each of ${shown}${more} seems to be a place with two directions, so they become rows.${sums.length === 0 ? '' : ' Their sums are left out.'} If they are measures, delete this step and declare each as a field.`,
      ...(repeated.length === 0
        ? []
        : [`Each of the new rows repeats the values of its period: ${repeated.join(', ')}.`]),
    ],
  };
}

const SHOWN_MAX = 5;

/** The texts that each place of a dataset has for itself. */
function placesOf({ keyValues, alternatives, key }: Drafted) {
  const [field, ...more] = key.fields;
  const own = field === undefined || more.length > 0 ? undefined : keyValues.get(field);
  return [
    ...(own === undefined || field === undefined ? [] : [{ field, values: own }]),
    ...[...alternatives].map(([name, values]) => ({ field: name, values })),
  ];
}

/** The field whose values the names of the columns are, for at least half of them. */
function matchesOf({ columns, others }: PlaceColumns, other: Drafted, affix: Affix) {
  return placesOf(other).flatMap(({ field, values }) => {
    const isKnown = (column: string) => values.has(partOf(column, affix));
    // A street can have a name such as that of a measure.
    const used = [...columns, ...others.filter(isKnown)];
    const missing = used.filter((column) => !isKnown(column));
    const matched = used.length - missing.length;
    const isMost = matched >= 2 && matched * 2 >= used.length;
    return isMost ? [{ affix, other, field, used, missing, matched }] : [];
  });
}

type Affix = { readonly prefix: string; readonly suffix: string };

const NO_AFFIX: Affix = { prefix: '', suffix: '' };

/** Nothing, and what all columns begin and end with, as far as it is of whole words. */
function affixesOf(columns: readonly string[]): readonly Affix[] {
  const [first = ''] = columns;
  const isShared = (is: (column: string) => boolean) => columns.every(is);
  const lengths = Array.from({ length: first.length }, (_, index) => first.length - index);
  const prefix =
    lengths
      .map((length) => first.slice(0, length))
      .find((text) => /[_ .:-]$/.test(text) && isShared((one) => one.startsWith(text))) ?? '';
  const suffix =
    lengths
      .map((length) => first.slice(-length))
      .find((text) => /^[_ .:-]/.test(text) && isShared((one) => one.endsWith(text))) ?? '';
  const isInside = isShared((one) => one.length > prefix.length + suffix.length);
  const isSafe = !/[#*]/.test(prefix + suffix);
  return prefix + suffix === '' || !isInside || !isSafe
    ? [NO_AFFIX]
    : [NO_AFFIX, { prefix, suffix }];
}

function partOf(column: string, { prefix, suffix }: Affix): string {
  return column.slice(prefix.length, column.length - suffix.length);
}

/** What the words around the places say about their values. */
function valueNameOf({ prefix, suffix }: Affix): string {
  const words = `${prefix} ${suffix}`.replaceAll(
    /(^|[^\p{L}])(site|station|place|id|no|nr|sensor|shop|store|location)(?=$|[^\p{L}])/giu,
    ' ',
  );
  return /\p{L}{2}/u.test(words) ? validName(words) : 'value';
}
