// Made from the contract by `npm run generate`. Do not edit.

import type {
  StreamRecordsRequest,
} from './schemas.ts';

export type StreamOperations = {
  /** Get all records of a dataset. */
  readonly streamRecords: {
    readonly path: {
      /** Name of the dataset, `<product>.<dataset>`. */
      readonly dataReferenceName: string;
      /** The format of the answer. */
      readonly format: 'csv' | 'ndjson';
    };
    readonly query: {};
    readonly body: StreamRecordsRequest;
    readonly answer: unknown;
  };
  /** Get all values of a metric. */
  readonly streamMetricValues: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
      /** The format of the answer. */
      readonly format: 'csv' | 'ndjson';
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext: string;
      /** Ids of features. An unknown id matches nothing. Absent: all features. */
      readonly featureFilter?: readonly string[] | undefined;
      /** Ids of related features of an origin–destination metric. Absent: all. */
      readonly relatedFeatureFilter?: readonly string[] | undefined;
      /** True to reverse the order (by feature, then by start of the period). */
      readonly invertSortOrder?: boolean | undefined;
      /** True to return the other values, instead of an error, if a filter names values that the caller may not see. */
      readonly bestEffortQueryWhenNotAllowed?: boolean | undefined;
      /** The version of an earlier answer, a version of one of the datasets of the metric, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
      readonly asOf?: string | undefined;
      /** The address components to return with each feature. Absent: all. A single empty text: none. */
      readonly addressComponentWhitelist?: readonly string[] | undefined;
      /** True to leave out the points of the features. */
      readonly skipGeo?: boolean | undefined;
      /** Values whose period lies within two days, both included: start/end. A side may be empty or `..`. */
      readonly observationPeriodFilter?: string | undefined;
      /** A component and a value of it, such as us_state_2020:06. Repeat the same component for OR, and another one for AND. */
      readonly addressComponentFilter?: readonly string[] | undefined;
      /** A dimension and a value of it, such as age:20-29; repeated in the same way. */
      readonly dimensionFilter?: readonly string[] | undefined;
      /** A component of the related feature and a value of it; repeated in the same way. */
      readonly relatedAddressComponentFilter?: readonly string[] | undefined;
      /** Values whose measure is at least a number, such as person_count>=1000. */
      readonly valueFilter?: readonly string[] | undefined;
      /** True to count the values first: Total-Size has their number, and a stream that exceeds a limit is refused before its first value. */
      readonly trackTotalHits?: boolean | undefined;
    };
    readonly body: undefined;
    readonly answer: unknown;
  };
};

/** The method and the path of each operation. */
export const STREAM_OPERATIONS = {
  streamRecords: ['POST', '/v3/catalog/{dataReferenceName}/records.{format}'],
  streamMetricValues: ['GET', '/v1/catalogs/{catalogId}/metrics/{metricId}/values.{format}'],
} as const;
