import { Type } from 'typebox';
import { CHECKED_LATER, closed } from './schema-parts.ts';

/** Members that several requests of the metric query interface share. */

export const FILTERS_MAX = 100;
export const FILTER_VALUES_MAX = 10_000;

export const text = (description: string, examples: readonly string[] = []) =>
  Type.Optional(Type.String({ description, ...(examples.length === 0 ? {} : { examples }) }));
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The polygon as a parameter of a GET; `selected` is what lies inside, `box` the parameter that excludes it. */
export const polygonParameter = (selected: string, box = '') =>
  text(
    `${selected} inside a polygon in degrees, edges included: a percent-encoded GeoJSON Polygon of one ring with 4 to 500 points.${box === '' ? '' : ` Not together with ${box}.`}`,
    [
      '{"type":"Polygon","coordinates":[[[-118.7,33.7],[-117.6,33.7],[-118.1,34.4],[-118.7,33.7]]]}',
    ],
  );

/** The circle as a parameter of a GET; `areas` are the parameters that exclude it. */
export const circleParameter = (selected: string, areas: string) =>
  text(
    `${selected} at most so many metres from a centre: longitude,latitude,metres. Not together with ${areas}.`,
    ['-118.2,34.1,5000'],
  );

export const billingContext = text("Id of the caller's organisation.", ['demo']);

export const featureFilter = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: FILTER_VALUES_MAX,
    description: 'Ids of features. An unknown id matches nothing. Absent: all features.',
    examples: [['ACAD']],
  }),
);

export const repeated = (description: string, example?: string, pattern?: string) =>
  Type.Optional(
    Type.Array(Type.String(pattern === undefined ? {} : { [CHECKED_LATER]: { pattern } }), {
      maxItems: FILTER_VALUES_MAX,
      description,
      ...(example === undefined ? {} : { examples: [[example]] }),
    }),
  );

/** Two texts with a colon between them. */
const PAIR = '^[^:]+:';

/** Without an example if the sample has none. */
export const repeatedPairs = (description: string, example?: string) =>
  repeated(description, example, PAIR);

export const filterValues = Type.Array(Type.String(), { maxItems: FILTER_VALUES_MAX });

export const componentFilters = (description: string) =>
  Type.Optional(
    Type.Array(
      closed(
        { component: Type.String(), values: filterValues },
        { title: 'AddressComponentFilter' },
      ),
      { maxItems: FILTERS_MAX, description },
    ),
  );
