import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { COMPONENTS } from '../dataset/manifest.ts';
import { placeId } from '../dataset/world.ts';
import { drawIndex, type Random } from '../seeded-random.ts';
import { ORGANISATION } from './organisation.ts';
import { list, member, members } from './read-json.ts';
import type {
  Answer,
  Context,
  Facts,
  Question,
  RequestWorkload,
  Shape,
  System,
} from './workload.ts';

export const VALUES_PATH = '/v1/catalogs/bench/metrics/visits_monthly/values';

export const SERIES_SOURCE: SeriesSource = {
  draw: (random, { world }) => placeId(drawIndex(random, world.places)),
  path: `${VALUES_PATH}?billingContext=${ORGANISATION}`,
  file: 'visits',
  table: 'visits',
  sameShape: 'series',
};

/** W1: all months of one place, each with the components of the place. */
export const SERIES: RequestWorkload = {
  id: 'W1',
  title: 'series of one place',
  protocol: 'http',
  shapes: seriesShapes(SERIES_SOURCE),
};

/** W1 with fewer and with more requests in flight. */
export const SERIES_IN_FLIGHT: readonly RequestWorkload[] = [8, 32].map((inFlight) => ({
  ...SERIES,
  id: `W1c${inFlight}`,
  title: `series of one place, ${inFlight} in flight`,
  inFlight,
}));

/** The series that a workload asks for, and where the systems have them. */
export type SeriesSource = {
  readonly draw: (random: Random, context: Context) => string;
  /** The path of our requests, to which the place is added. */
  readonly path: string;
  /** The file of the right answers. */
  readonly file: string;
  /** The table of the plain rows. */
  readonly table: string;
  /** The function that answers in our shape. */
  readonly sameShape: string;
  /** The components and values that the caller does not see. Default: none. */
  readonly hidden?: ReadonlySet<string>;
  /** Default: as they are named. */
  readonly systems?: { readonly ours: System; readonly postgrest: System };
};

/** The ways to ask for a series over HTTP. */
export function seriesShapes({
  draw,
  path,
  file,
  table,
  sameShape,
  hidden = new Set(),
  systems = { ours: 'ours', postgrest: 'postgrest' },
}: SeriesSource): ReadonlyMap<string, Shape> {
  const shape = (
    system: System,
    pathOf: (place: string) => string,
    read: Question['read'],
  ): Shape => ({
    system,
    ask: (random, context) => {
      const place = draw(random, context);
      return {
        request: { protocol: 'http', method: 'GET', path: pathOf(place) },
        read,
        expect: (dataset) => expectSeries(dataset, place, { file, hidden }),
      };
    },
  });
  const columns = columnsOf(hidden);
  return new Map([
    ['ours', shape(systems.ours, (place) => `${path}&featureFilter=${place}`, readMetricValues)],
    [
      'postgrest',
      shape(
        systems.postgrest,
        (place) => `/${table}?location_id=eq.${place}&order=observation_start_date`,
        ({ body }) => ({ series: list(body).map((row) => members(row, columns)) }),
      ),
    ],
    [
      'postgrestSameShape',
      shape(systems.postgrest, (place) => `/rpc/${sameShape}?place=${place}`, readMetricValues),
    ],
  ]);
}

/** The columns of a row in the files and in the tables, besides the place. */
function columnsOf(hidden: ReadonlySet<string>): readonly string[] {
  const seen = ['observation_start_date', 'observation_end_date', 'visits', 'visitors'];
  return hidden.has('median_duration') ? seen : [...seen, 'median_minutes'];
}

/** The values of one place in the files of the dataset, without what is hidden from the caller. */
export async function expectSeries(
  dataset: DatasetReader,
  place: string,
  {
    file = 'visits',
    hidden = new Set(),
  }: { readonly file?: string; readonly hidden?: ReadonlySet<string> } = {},
): Promise<Facts> {
  const series = await dataset.rows(
    `SELECT observation_start_date, observation_end_date, visits::INTEGER, visitors::INTEGER${hidden.has('median_duration') ? '' : ', median_minutes'}
     FROM ${file} WHERE location_id = $1 ORDER BY observation_start_date`,
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
  ]).filter((_, index) => !hidden.has(COMPONENTS[index] ?? ''));
  return { series, total: series.length, features: series.map(() => [place, name, components]) };
}

/** The facts of an answer in the shape of the metric query interface. */
export function readMetricValues({ body }: Answer): Facts {
  const values = list(member(body, 'valuesList'));
  return {
    total: member(body, 'totalSize'),
    series: values.map((value) => {
      const { start, end } = readPeriod(member(value, 'observationPeriod'));
      return [
        start,
        end,
        member(member(value, 'value'), 'count'),
        ...list(member(value, 'supportingValuesList')).map((supporting) =>
          member(supporting, member(supporting, 'unit') === 'Minutes' ? 'number' : 'count'),
        ),
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
