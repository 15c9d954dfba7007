import type { Bucket } from '../domain/date-bucket.ts';
import type { FilterClause } from '../domain/filter.ts';
import type { BoundingBox } from '../geometry/bounding-box.ts';
import type { GeoCircle } from '../geometry/circle.ts';
import type { GeoCoordinate, GeoPolygon } from '../geometry/polygon.ts';
import type { TileAddress } from '../geometry/tile.ts';
import type { Aggregation } from './aggregation.ts';
import type { Paging } from './metric-request.ts';

/** The requests of the catalog interface, parsed by an edge and not yet checked. */

export type ListDataReferencesRequest = { readonly billingContext: string };

export type GetDataReferenceRequest = {
  readonly dataReferenceName: string;
  readonly billingContext: string;
};

export type ListRecordsRequest = RowSelection & {
  readonly fields: readonly FieldSelection[];
  /** With these, with aggregations or with `recordCount`, the answer has groups of records. */
  readonly groupBy: readonly GroupSelection[];
  /** Whether the number of records of each group is returned. */
  readonly recordCount: boolean;
  /** On the values of groups. */
  readonly groupFilters: readonly FilterClause[];
  /** The format in which the edge writes the values; it does not change the result. */
  readonly typedValues: boolean;
};

export type SearchFieldValuesRequest = RowSelection & {
  readonly field: FieldSelection;
  /** Empty lists all values. */
  readonly term: string;
};

/** The counts of each observation date. */
export type ListRecordsStatisticsRequest = Pick<
  RowSelection,
  'dataReferenceName' | 'filters' | 'filterLogic' | 'options' | 'billingContext'
>;

/** The counts of one observation date. */
export type GetLayerStatsRequest = Pick<
  RowSelection,
  'dataReferenceName' | 'filters' | 'options' | 'billingContext'
> & {
  readonly observationDate: string;
  /** The names of the fields whose distinct values are counted. */
  readonly dimensions: readonly string[];
};

/** A map tile; an empty text means absent. */
export type ReadTileRequest = Pick<
  RowSelection,
  'dataReferenceName' | 'filters' | 'filterLogic' | 'billingContext' | 'asOf'
> & {
  readonly tile: TileAddress;
  /** The names of the fields of each point, besides the key. */
  readonly fields: readonly string[];
  readonly aggregates: readonly AggregateSelection[];
  /** True: cells in any case. False: cells only for very many records. Absent: cells for many records. */
  readonly cells?: boolean | undefined;
  readonly polygon?: GeoPolygon;
  /** Not together with `polygon`. */
  readonly circle?: GeoCircle;
};

export type AggregateSelection = { readonly function: string; readonly fieldName: string };

/** All records of a request, in one stream. */
export type StreamRecordsRequest = Pick<
  RowSelection,
  'dataReferenceName' | 'filters' | 'filterLogic' | 'options' | 'billingContext' | 'asOf'
> & {
  readonly fields: readonly FieldSelection[];
  /** Whether the number of the records is sent before the first one, and checked against the limits. */
  readonly trackTotalHits: boolean;
};

/** The common part of the requests for rows; an empty text means absent. */
export type RowSelection = Paging & {
  readonly dataReferenceName: string;
  readonly filters: readonly FilterClause[];
  /** See `parseFilterLogic`. Empty: a row must match all filters. */
  readonly filterLogic: string;
  readonly options: RowOptions;
  readonly billingContext: string;
  readonly asOf: string;
  readonly countOnly: boolean;
};

export type FieldSelection = {
  readonly name: string;
  readonly source: string;
  readonly aggregation?: Aggregation | undefined;
  /** The name of the aggregate; an empty text means that of the field. */
  readonly alias?: string | undefined;
  /** From 0 to 1. */
  readonly quantile?: number | undefined;
};

export type AggregatedField = FieldSelection & { readonly aggregation: Aggregation };

export type GroupSelection = {
  readonly fieldName: string;
  readonly bucket?: Bucket | undefined;
};

export type RowOptions = {
  readonly boundingBox?: BoundingBox;
  /** At most one of the box, the polygon and the circle. */
  readonly polygon?: GeoPolygon;
  readonly circle?: GeoCircle;
  /** The records in the order of their distance, only in requests for records. Not together with `orderBy`. */
  readonly near?: GeoCoordinate;
  readonly trimToPeriodOfExistence: TrimToPeriodOfExistence;
  readonly orderBy?: OrderKey;
  /** The order of what `orderBy` and the keys before have equal; absent if there are none. Not without `orderBy`. */
  readonly thenBy?: readonly OrderKey[];
};

export type OrderKey = { readonly fieldName: string; readonly descending: boolean };

/** `trim` is 0 and 1 on the wire: a record outside the existence of its place is left out. */
export type TrimToPeriodOfExistence = 'trim' | 'ignore';
