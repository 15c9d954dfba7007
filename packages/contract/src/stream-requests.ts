import { type Static, Type } from 'typebox';
import { filterLogic } from './catalog-requests.ts';
import { circleParameter, flag, polygonParameter, text } from './metric-request-parts.ts';
import { closed } from './schema-parts.ts';

/** The parameters of `GET /v3/catalog/{dataReferenceName}/records.csv` and of the other formats. */
export const StreamRecordsQuerySchema = closed({
  filters: text(
    'The filters of listRecords, as a percent-encoded JSON list. A record must match all of them, unless filterLogic combines them otherwise.',
    ['[{"fieldName":"us_state","operator":"==","value":"California"}]'],
  ),
  filterLogic,
  fields: text('The fields to return, separated by commas. Absent: those included by default.', [
    'us_state,us_county',
  ]),
  orderBy: text(
    'Fields to order by, separated by commas, each with :DESC for descending order. Records without a value come last in both directions. Absent: key order.',
    ['us_state:DESC', 'us_state,us_county:DESC'],
  ),
  near: text(
    'Orders the records by their distance from a point: longitude,latitude. They have distance_metres after their fields; records without a point come last. Not together with orderBy.',
    ['-118.2,34.1'],
  ),
  boundingBox: text(
    'Records whose point lies inside a box in degrees, edges included: west,south,east,north. A west edge greater than the east edge crosses the antimeridian.',
    ['-125,32,-114,42'],
  ),
  polygon: polygonParameter('Records whose point lies', 'boundingBox'),
  circle: circleParameter('Records whose point lies', 'boundingBox or polygon'),
  trimToPeriodOfExistence: Type.Optional(
    Type.Enum(['TRIM', 'IGNORE'], {
      description:
        'TRIM, the default, leaves out records whose period lies outside the existence of their place. IGNORE keeps them.',
    }),
  ),
  billingContext: text("Id of the caller's organisation. Absent: the organisation of the token."),
  asOf: text(
    'A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version.',
  ),
  trackTotalHits: flag(
    'True to count the records first: Total-Size has their number, and a stream that exceeds a limit is refused before its first record.',
  ),
});
export type StreamRecordsQuery = Static<typeof StreamRecordsQuerySchema>;

/** The answer of `records.geojson`: RFC 7946. */
export const FeatureCollectionSchema = closed(
  {
    type: Type.Literal('FeatureCollection'),
    metadata: closed(
      {
        dataset: Type.String({ description: 'The name of the dataset.' }),
        version: Type.String({ description: 'The version of the records.' }),
        licences: Type.Array(
          closed(
            {
              name: Type.String({ description: 'An SPDX identifier, or another name.' }),
              url: text('The text of the licence.'),
              attribution: text('The text to show wherever the data is used.'),
              termsUrl: text('The terms of use of the data.'),
            },
            { title: 'Licence' },
          ),
          { description: 'The licence of the records, if one is declared.' },
        ),
      },
      { title: 'FeatureCollectionMetadata' },
    ),
    features: Type.Array(
      closed(
        {
          type: Type.Literal('Feature'),
          properties: Type.Record(
            Type.String(),
            Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
            { description: 'The fields of the record.' },
          ),
          geometry: Type.Union(
            [
              closed(
                {
                  type: Type.Literal('Point'),
                  coordinates: Type.Array(Type.Number(), {
                    minItems: 2,
                    maxItems: 2,
                    description: 'Longitude and latitude in degrees.',
                  }),
                },
                { title: 'Point' },
              ),
              Type.Null(),
            ],
            { description: 'The point of the record, or null.' },
          ),
        },
        { title: 'Feature' },
      ),
    ),
  },
  { title: 'FeatureCollection' },
);
