import { FeatureCollectionSchema } from '@locmetrics/contract';
import { TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import type { LineFormat } from '@locmetrics/core/domain/line-format';
import { type TSchema, Type } from 'typebox';

export type StreamFormat = {
  /** At the end of paths and names of files. */
  readonly extension: LineFormat | 'geojson' | 'parquet' | 'arrow';
  /** Whether only records have it. */
  readonly isOfRecords?: true;
  /** Whether it is written to a file before its first byte is sent. */
  readonly isFile?: true;
  /** A format in which the engine may write the records; absent: it returns their values. */
  readonly lines?: LineFormat;
  /** At the end of the ids of operations. */
  readonly idEnd: string;
  readonly title: string;
  readonly mediaType: string;
  readonly parameters: string;
  readonly description: string;
  /** Absent: a text. */
  readonly answer?: TSchema;
};

/** The formats of streams: the only list of them. */
export const STREAM_FORMATS: readonly StreamFormat[] = [
  {
    extension: 'csv',
    lines: 'csv',
    idEnd: 'Csv',
    ...TABLE_FORMATS.csv,
    description:
      'The first line has the names of the columns. A text that a spreadsheet would run as a formula gets an apostrophe before it.',
  },
  {
    extension: 'ndjson',
    lines: 'ndjson',
    idEnd: 'Ndjson',
    title: 'NDJSON',
    mediaType: 'application/x-ndjson',
    parameters: '; charset=utf-8',
    description:
      'Each line is a JSON object. Numbers and booleans are JSON numbers and booleans, and an absent value is null.',
  },
  {
    extension: 'geojson',
    isOfRecords: true,
    idEnd: 'Geojson',
    title: 'GeoJSON',
    mediaType: 'application/geo+json',
    parameters: '',
    answer: FeatureCollectionSchema,
    description:
      'The answer is a FeatureCollection with a feature for each record: its point, or null, and its values as properties, with the types of NDJSON.',
  },
  {
    extension: 'parquet',
    isFile: true,
    idEnd: 'Parquet',
    title: 'Parquet',
    mediaType: 'application/vnd.apache.parquet',
    parameters: '',
    answer: Type.String({ format: 'binary' }),
    description:
      'The answer is a Parquet file, whose columns have the types of the fields. Its rows are always counted, so trackTotalHits is ignored.',
  },
  {
    extension: 'arrow',
    idEnd: 'Arrow',
    title: 'Arrow',
    mediaType: 'application/vnd.apache.arrow.stream',
    parameters: '',
    answer: Type.String({ format: 'binary' }),
    description:
      'The answer is a stream of Apache Arrow, whose columns have the types of the fields. It ends with the marker of the end, which an interrupted one does not have.',
  },
];
