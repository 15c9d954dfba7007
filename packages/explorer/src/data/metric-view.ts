import type { AddressComponentFilter, DimensionFilter } from '@locmetrics/client';
import { type Classes, readClasses, readHidden } from './map-address.ts';
import { damaged } from './selection.ts';

/**
 * What the chart makes of the values: each year as a line, the change against a year before, totals or means of years,
 * a moving average, an index with the first value as 100, the period of the list in all years, or bars of it.
 */
const COMPARISONS = ['years', 'change', 'totals', 'average', 'index', 'period', 'bars'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** How long the period of the list is: a period of the metric itself, or all that there is. */
const SPANS = ['period', 'month', 'quarter', 'year', 'all'] as const;
export type Span = (typeof SPANS)[number];

/** How the values of a place in a period become one number. */
const AGGREGATIONS = ['sum', 'avg', 'median', 'max', 'min'] as const;
export type ViewAggregation = (typeof AGGREGATIONS)[number];

const SORTS = ['name', 'value', 'change', 'percent'] as const;
export type SortKey = (typeof SORTS)[number];
export type Sort = SortKey | `-${SortKey}`;

/** What the list groups by; absent: each place. */
export type ViewGroup = {
  readonly kind: 'component' | 'dimension';
  readonly id: string;
};

/** The state of the view of a metric. It is in the address, so that a copied address shows the same. */
export type MetricView = {
  /** Ids of places, in the order of their colours. Absent: the view suggests some. */
  readonly features?: readonly string[] | undefined;
  /** Ids of the related places of a metric between places. Absent: all of them. */
  readonly related?: readonly string[] | undefined;
  readonly components?: readonly AddressComponentFilter[] | undefined;
  readonly dimensions?: readonly DimensionFilter[] | undefined;
  /** The first day of the chart, YYYY-MM-DD. */
  readonly from?: string | undefined;
  /** The last day of the chart, YYYY-MM-DD. */
  readonly to?: string | undefined;
  /** The name of a measure. Absent: the main one. */
  readonly measure?: string | undefined;
  readonly compare?: Comparison | undefined;
  /** The id of the place whose years are compared. Absent: the first one. */
  readonly place?: string | undefined;
  readonly group?: ViewGroup | undefined;
  /** Ids of groups of the chart, in the order of their colours. Absent: the view suggests some. */
  readonly groups?: readonly string[] | undefined;
  readonly aggregate?: ViewAggregation | undefined;
  readonly span?: Span | undefined;
  /** A day of the period of the list, YYYY-MM-DD. Absent: the last complete one. */
  readonly at?: string | undefined;
  /** What the period is compared with: one of the words, or a day of any other period. Absent: what there is. */
  readonly against?: string | undefined;
  /** The order of the list, descending with a minus. Absent: the largest values first. */
  readonly sort?: Sort | undefined;
  /** How the values of the map are divided into classes. */
  readonly classes?: Classes | undefined;
  /** The entries of the legend of the map whose places are left out. */
  readonly hidden?: readonly string[] | undefined;
};

/** A change of these gives the map another legend. */
const LEGEND_PARTS = ['measure', 'group', 'aggregate', 'span', 'classes'] as const;

/** The view after a change. Entries that another legend does not have are no longer left out. */
export function changeView(before: MetricView, next: Partial<MetricView>): MetricView {
  const isOtherLegend = LEGEND_PARTS.some((part) => part in next);
  return { ...before, ...(isOtherLegend ? { hidden: undefined } : {}), ...next };
}

/** A chart has a colour for each series, and no more series than that. */
export const MAX_PLACES = 6;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the view from the query of an address. What cannot be read is an error that names it. */
export function readMetricView(query: Readonly<Record<string, unknown>>): MetricView {
  const read: { readonly [Name in keyof MetricView]-?: (given: unknown) => MetricView[Name] } = {
    features: (given) => readPlaces('features', given),
    related: (given) => readPlaces('related', given),
    components: readComponents,
    dimensions: readDimensions,
    from: (given) => readDay('from', given),
    to: (given) => readDay('to', given),
    measure: (given) => readText('measure', given),
    compare: (given) => readWord('compare', given, COMPARISONS),
    place: (given) => readText('place', given),
    group: readGroup,
    groups: (given) => readPlaces('groups', given),
    aggregate: (given) => readWord('aggregate', given, AGGREGATIONS),
    span: (given) => readWord('span', given, SPANS),
    at: (given) => readDay('at', given),
    against: readAgainst,
    sort: (given) => readWord('sort', given, SORT_WORDS),
    classes: readClasses,
    hidden: readHidden,
  };
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, readOne]) =>
      query[name] === undefined ? [] : [[name, readOne(query[name])]],
    ),
  );
}

const SORT_WORDS: readonly Sort[] = SORTS.flatMap((key) => [key, `-${key}`] as const);
const AGAINST = ['none', 'previous', 'last-year'] as const;

/** Whether a text is a day that there is: 2023-02-30 is not. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
  );
}

function readPlaces(name: string, given: unknown): readonly string[] {
  if (isTexts(given) && given.length > 0 && given.length <= MAX_PLACES) return [...new Set(given)];
  throw damaged(name, given, `a list of one to ${MAX_PLACES} ids of places`);
}

function readComponents(given: unknown): readonly AddressComponentFilter[] {
  if (Array.isArray(given) && given.every(isComponentFilter)) return given;
  throw damaged('components', given, 'a list of {component, values}');
}

function readDimensions(given: unknown): readonly DimensionFilter[] {
  if (Array.isArray(given) && given.every(isDimensionFilter)) return given;
  throw damaged('dimensions', given, 'a list of {dimensionId, values}');
}

function readDay(name: string, given: unknown): string {
  if (typeof given === 'string' && isDay(given)) return given;
  throw damaged(name, given, 'a day as YYYY-MM-DD');
}

function readText(name: string, given: unknown): string {
  if (typeof given === 'string') return given;
  throw damaged(name, given, 'a text');
}

function readWord<Word extends string>(name: string, given: unknown, words: readonly Word[]): Word {
  const word = words.find((one) => one === given);
  if (word !== undefined) return word;
  throw damaged(name, given, words.map((one) => `'${one}'`).join(' or '));
}

function readAgainst(given: unknown): string {
  if (typeof given === 'string' && (isDay(given) || AGAINST.some((word) => word === given))) {
    return given;
  }
  throw damaged('against', given, `${AGAINST.map((word) => `'${word}'`).join(', ')} or a day`);
}

function readGroup(given: unknown): ViewGroup {
  if (isObject(given)) {
    const { kind, id } = given;
    if ((kind === 'component' || kind === 'dimension') && typeof id === 'string') {
      return { kind, id };
    }
  }
  throw damaged('group', given, `{kind, id} with the kind 'component' or 'dimension'`);
}

function isTexts(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((one) => typeof one === 'string');
}

function isComponentFilter(given: unknown): given is AddressComponentFilter {
  return isObject(given) && typeof given['component'] === 'string' && isTexts(given['values']);
}

function isDimensionFilter(given: unknown): given is DimensionFilter {
  return isObject(given) && typeof given['dimensionId'] === 'string' && isTexts(given['values']);
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null;
}
