// Made from the contract by `npm run generate`. Do not edit.

import type {
  StreamMetricValuesRequest,
  StreamRecordsRequest,
} from './schemas.ts';

export type StreamOperations = {
  /** Get all records of a dataset. */
  readonly streamRecords: {
    readonly path: {
      /** Name of the dataset, `<product>.<dataset>`. */
      readonly dataReferenceName: string;
      /** The format of the answer. */
      readonly format: 'csv' | 'ndjson' | 'geojson' | 'parquet' | 'arrow';
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
      readonly format: 'csv' | 'ndjson' | 'parquet' | 'arrow';
    };
    readonly query: {};
    readonly body: StreamMetricValuesRequest;
    readonly answer: unknown;
  };
};

/** The method and the path of each operation. */
export const STREAM_OPERATIONS = {
  streamRecords: ['POST', '/v3/catalog/{dataReferenceName}/records.{format}'],
  streamMetricValues: ['POST', '/v1/catalogs/{catalogId}/metrics/{metricId}/values.{format}'],
} as const;
