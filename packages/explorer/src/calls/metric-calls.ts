import type { Metric, ValueSpec } from '@locmetrics/client';
import type { AggregatesRequest } from './call.ts';
import { ABOUT_ADDITIVE, type Additive, READY_PAGE_SIZE, type ReadyCall } from './ready-call.ts';

/** Calls for the values of a metric: aggregates that a measure allows, a comparison, ranks, and slim values. */
export function metricCalls(metric: Metric, measure: ValueSpec): readonly ReadyCall[] {
  const { catalogId, id: metricId } = metric;
  return [
    ...(measure.valueKind === 'CATEGORY' ? [] : aggregateCalls(metric, measure)),
    {
      title: 'Values without names and points',
      about:
        'Leaves out the address components and the points of the places, for a program that already knows the places.',
      call: {
        operation: 'searchMetricValues',
        request: {
          catalogId,
          metricId,
          addressComponentWhitelist: [''],
          skipGeo: true,
          pageSize: READY_PAGE_SIZE,
        },
      },
    },
  ];
}

function aggregateCalls(metric: Metric, measure: ValueSpec): readonly ReadyCall[] {
  const additive = additiveOf(measure);
  const { catalogId, id: metricId } = metric;
  const aggregation = additive === 'none' ? 'MEDIAN' : 'SUM';
  const name = `${aggregation.toLowerCase()}_${measure.name}`;
  const words = additive === 'none' ? 'Medians' : 'Sums';
  const common = {
    catalogId,
    metricId,
    aggregates: [{ valueName: measure.name, aggregation }],
    pageSize: READY_PAGE_SIZE,
  } as const;
  const { id: areaId, label: area, isPlace } = areaOf(metric, additive);
  const byArea = isPlace ? ({ kind: 'FEATURE' } as const) : { id: areaId };
  const year = lastYear(metric);
  const later = year === undefined ? {} : { observationPeriodFilter: year };
  const byYear =
    additive === 'places'
      ? ({ kind: 'PERIOD' } as const)
      : ({ kind: 'PERIOD', bucket: 'YEAR' } as const);
  return [
    aggregates({
      title: `${words} by ${area} and ${additive === 'places' ? 'period' : 'year'}`,
      about: ABOUT_ADDITIVE[additive],
      request: { ...common, groupBy: [byArea, byYear] },
    }),
    ...(year === undefined
      ? []
      : [
          aggregates({
            title: 'Compare with a year earlier',
            about:
              'Compares each group with the same period of the previous year; the largest decreases come first. periodsWithValues says how many periods a number covers.',
            request: {
              ...common,
              groupBy: [byArea, { kind: 'PERIOD' }],
              observationPeriodFilter: year,
              compare: 'SAME_PERIOD_LAST_YEAR',
              orderBy: [{ name: `${name}.percent` }],
            },
          }),
        ]),
    aggregates({
      title: `Rank by ${additive === 'places' ? 'period' : area}`,
      about: 'Each group has its rank, and how far it is from the mean of all groups.',
      request: {
        ...common,
        groupBy: [additive === 'places' ? { kind: 'PERIOD' } : byArea],
        ...later,
        compare: 'MEAN_OF_GROUPS',
        rankBy: name,
        orderBy: [{ name, direction: 'DESC' }],
      },
    }),
  ];
}

function aggregates({
  request,
  ...ready
}: Omit<ReadyCall, 'call'> & { readonly request: AggregatesRequest }): ReadyCall {
  return { ...ready, call: { operation: 'searchMetricAggregates', request } };
}

/** A service that publishes another word is newer than this page: nothing is added up. */
function additiveOf({ additive }: ValueSpec): Additive {
  return additive === 'all' || additive === 'periods' || additive === 'places' ? additive : 'none';
}

/** An address component of the places; the places themselves if there is none, or they must not be added up. */
function areaOf({ layer }: Metric, additive: Additive) {
  const components = layer?.addressComponentsList ?? [];
  const areas = components.filter(({ kind }) => kind === 'MAP');
  const area = areas[0] ?? components[0];
  return area === undefined || additive === 'periods'
    ? { id: '', label: 'place', isPlace: true }
    : { id: area.component, label: area.displayName || area.component, isPlace: false };
}

/** The year that ends with the last value; undefined if the values span no two years, or have no cadence. */
function lastYear({ spec, firstObservationDate: first, lastObservationDate: last }: Metric) {
  if (spec.cadence === 'UNSPECIFIED' || first === '' || last === '') return undefined;
  const start = new Date(`${last}T00:00:00Z`);
  start.setUTCDate(start.getUTCDate() + 1);
  start.setUTCFullYear(start.getUTCFullYear() - 1);
  const from = start.toISOString().slice(0, 10);
  return from <= first ? undefined : { start: from, end: last };
}
