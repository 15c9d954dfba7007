import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { COMPONENTS } from '../dataset/manifest.ts';
import { placeId } from '../dataset/world.ts';
import { drawIndex } from '../seeded-random.ts';
import { ORGANISATION } from './organisation.ts';
import { list, member, members } from './read-json.ts';
import type { Answer, Facts, Question, RequestWorkload, Shape } from './workload.ts';

/** W1: all months of one place, each with the components of the place. */
export const SERIES: RequestWorkload = {
  id: 'W1',
  title: 'series of one place',
  protocol: 'http',
  shapes: new Map<string, Shape>([
    [
      'ours',
      shape('ours', (place) => ({
        request: {
          protocol: 'http',
          method: 'GET',
          path: `${VALUES_PATH}?billingContext=${ORGANISATION}&featureFilter=${place}`,
        },
        read: readMetricValues,
      })),
    ],
    [
      'postgrest',
      shape('postgrest', (place) => ({
        request: {
          protocol: 'http',
          method: 'GET',
          path: `/visits?location_id=eq.${place}&order=observation_start_date`,
        },
        read: ({ body }) => ({ series: list(body).map((row) => members(row, SERIES_COLUMNS)) }),
      })),
    ],
    [
      'postgrestSameShape',
      shape('postgrest', (place) => ({
        request: { protocol: 'http', method: 'GET', path: `/rpc/series?place=${place}` },
        read: readMetricValues,
      })),
    ],
  ]),
};

const SERIES_COLUMNS = [
  'observation_start_date',
  'observation_end_date',
  'visits',
  'visitors',
  'median_minutes',
];

function shape(system: Shape['system'], ask: (place: string) => Omit<Question, 'expect'>): Shape {
  return {
    system,
    ask: (random, { world }) => {
      const place = placeId(drawIndex(random, world.places));
      return { ...ask(place), expect: (dataset) => expectSeries(dataset, place) };
    },
  };
}

export const VALUES_PATH = '/v1/catalogs/bench/metrics/visits_monthly/values';

/** The values of one place in the files of the dataset. */
export async function expectSeries(dataset: DatasetReader, place: string): Promise<Facts> {
  const series = await dataset.rows(
    `SELECT observation_start_date, observation_end_date, visits::INTEGER, visitors::INTEGER, median_minutes
     FROM visits WHERE location_id = $1 ORDER BY observation_start_date`,
    [place],
  );
  const [features = []] = await dataset.rows(
    `SELECT location_name, ${COMPONENTS.map((id) => `coalesce(${id}::VARCHAR, '')`).join(', ')}, region, us_state, us_county, us_cbsa
     FROM places WHERE location_id = $1`,
    [place],
  );
  const [name, ...values] = features;
  const [region, state, county, area] = values.splice(COMPONENTS.length);
  const names = new Map([
    ['us_state_2020', [region, state]],
    ['us_county_2020', ['', county]],
    ['us_cbsa_2023', ['', area]],
  ]);
  const components = COMPONENTS.map((id, index) => [
    id,
    values[index],
    ...(names.get(id) ?? ['', '']),
  ]);
  return { series, total: series.length, features: series.map(() => [place, name, components]) };
}

/** The facts of an answer in the shape of the metric query interface. */
export function readMetricValues({ body }: Answer): Facts {
  const values = list(member(body, 'valuesList'));
  return {
    total: member(body, 'totalSize'),
    series: values.map((value) => {
      const { start, end } = readPeriod(member(value, 'observationPeriod'));
      const [visitors, minutes] = list(member(value, 'supportingValuesList'));
      return [
        start,
        end,
        member(member(value, 'value'), 'count'),
        member(visitors, 'count'),
        member(minutes, 'number'),
      ];
    }),
    features: values.map((value) => {
      const feature = member(value, 'mapFeatureV2');
      const components = list(member(feature, 'addressComponentsList'));
      return [
        member(feature, 'featureId'),
        member(feature, 'name'),
        components.map((component) =>
          members(component, ['component', 'value', 'shortName', 'displayName']),
        ),
      ];
    }),
  };
}

function readPeriod(period: unknown): { readonly start: string; readonly end: string } {
  const day = (name: string): string =>
    members(member(period, name), ['year', 'month', 'day'])
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  return { start: day('start'), end: day('end') };
}
