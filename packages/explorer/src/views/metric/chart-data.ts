/** A place on the time axis of a chart, and a row of the table beside it. */
export type Point = {
  /** The first day, YYYY-MM-DD; the part of the year where years are compared. */
  readonly key: string;
  /** The last day; the same as `key` where years are compared. */
  readonly last: string;
  /** Seconds since 1970, in UTC. */
  readonly time: number;
  readonly label: string;
};

/**
 * A value at a point. Null: absent, a gap of the line. Undefined: the point does not exist here, such as 29 February
 * in most years, and the line goes on.
 */
export type PointValue = number | null | undefined;

/** How a line is drawn: in the colour of its place, or as a year of the past, the older the lighter. */
export type Tone =
  | { readonly kind: 'series'; readonly index: number }
  | { readonly kind: 'past'; readonly strength: number };

export type Series = {
  readonly id: string;
  readonly placeId: string;
  readonly name: string;
  /** Identifies the series beside its name, such as the id of its place. */
  readonly title: string;
  readonly tone: Tone;
  /** A value for each point. */
  readonly values: readonly PointValue[];
  /** The indexes of the points whose value is absent because it is withheld. */
  readonly withheld?: ReadonlySet<number> | undefined;
};

/** The values on the screen: the chart draws them, the table lists them, the file of CSV has them. */
export type ChartData = {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  /** Of the values: People; `%` of changes. Empty: none. */
  readonly unit: string;
  /** The heading of the points: Month. */
  readonly pointWord: string;
  /** Whether the points are parts of a year. */
  readonly isByYear: boolean;
  /** Whether neighbouring points are joined: a metric without a cadence has points alone. */
  readonly isJoined: boolean;
  /** How many more series there are than are shown. */
  readonly hiddenSeries: number;
};

/** The index of the last point with a value: it is announced while there is no cursor. */
export function lastWithValue({ points, series }: ChartData): number {
  const isThere = (index: number): boolean =>
    series.some(({ values }) => typeof values[index] === 'number');
  const index = points.findLastIndex((_, at) => isThere(at));
  return index === -1 ? points.length - 1 : index;
}

/** The colour of a line in CSS, such as `var(--series-1)`. */
export function toneColour(tone: Tone): string {
  return tone.kind === 'series' ? `var(--series-${tone.index + 1})` : 'var(--ink-muted)';
}

export function toneOpacity(tone: Tone): number {
  return tone.kind === 'series' ? 1 : tone.strength;
}

/** The share of a change needs its sign: +12.3. */
const CHANGE = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const VALUE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** The text of a value that is absent. */
const ABSENT = '–';

/** A value with separators, without its unit. */
export function formatValue(value: PointValue, { unit }: Pick<ChartData, 'unit'>): string {
  if (value === null || value === undefined) return ABSENT;
  return unit === CHANGE_UNIT ? CHANGE.format(value) : VALUE.format(value);
}

/** The text of a value of a series, with separators. */
export function valueText(
  { values, withheld }: Pick<Series, 'values' | 'withheld'>,
  index: number,
  chart: Pick<ChartData, 'unit'>,
): string {
  return withheld?.has(index) ? 'withheld' : formatValue(values[index], chart);
}

/** Whether a value of the chart is withheld. */
export function hasWithheld({ series }: ChartData): boolean {
  return series.some(({ withheld }) => withheld !== undefined && withheld.size > 0);
}

/** The unit of changes against a year before. */
export const CHANGE_UNIT = '%';
