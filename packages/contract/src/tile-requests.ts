import { type Static, Type } from 'typebox';
import { FilterClauseSchema, filterLogic } from './catalog-requests.ts';
import {
  circleParameter,
  FILTERS_MAX,
  flag,
  polygonParameter,
  repeated,
  repeatedPairs,
  text,
} from './metric-request-parts.ts';
import { closed } from './schema-parts.ts';

const tileBillingContext = text(
  "Id of the caller's organisation. Absent: the organisation of the token.",
);

/** The parameters of `GET /v3/catalog/{dataReferenceName}/tiles/{z}/{x}/{y}.mvt`. */
export const TileQuerySchema = closed({
  filters: text(
    'The filters of listRecords, as a percent-encoded JSON list. A record must match all of them, unless filterLogic combines them otherwise.',
    ['[{"fieldName":"us_state","operator":"==","value":"California"}]'],
  ),
  filterLogic,
  fields: text(
    'The fields of each point in addition to the key, separated by commas. Absent: only the key.',
    ['us_state,us_county'],
  ),
  aggregate: repeated(
    'The values of each cell in addition to its count: sum or mean of a field of numbers, such as sum:population. A sum that would mean nothing is refused, as in groups of records.',
    'sum:population',
  ),
  cells: flag(
    'True: every tile has cells. False: a tile has points up to 10,000 records, and cells only beyond. Absent: points up to 2,000 records.',
  ),
  polygon: polygonParameter('Records whose point lies'),
  circle: circleParameter('Records whose point lies', 'polygon'),
  billingContext: tileBillingContext,
  asOf: text(
    'A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version.',
  ),
});
export type TileQuery = Static<typeof TileQuerySchema>;

/** The parameters of `GET /v1/catalogs/{catalogId}/layers/{layerId}/tiles/{z}/{x}/{y}.mvt`. */
export const LayerTileQuerySchema = closed({
  metric: text('A metric of the layer, whose value each feature has as `value`. Absent: none.'),
  period: text(
    'The first day of the period of the values, or its first and last day: start/end. Absent: the last period that has values.',
  ),
  dimensionFilter: repeatedPairs(
    'A dimension of the metric and the value of it that the values have, such as age:20-29. Repeat it for other dimensions. Absent: the default of each.',
  ),
  billingContext: tileBillingContext,
});
export type LayerTileQuery = Static<typeof LayerTileQuerySchema>;

/** The filters of a tile, once they are parsed. */
export const TileFiltersSchema = closed({
  filters: Type.Array(FilterClauseSchema, { maxItems: FILTERS_MAX }),
});
export type TileFilters = Static<typeof TileFiltersSchema>;
