import { TABLE_FORMATS } from '@locmetrics/contract/table-formats';

/** A format of the files of an export, by its extension. */
export type ExportFormat = 'csv' | 'ndjson' | 'geojson' | 'parquet' | 'arrow' | 'avro';

export type ExportFormatDefinition = {
  /** On the wire. */
  readonly name: 'CSV' | 'JSON' | 'GEOJSON' | 'PARQUET' | 'ARROW' | 'AVRO';
  readonly mediaType: string;
};

export const EXPORT_FORMATS: Readonly<Record<ExportFormat, ExportFormatDefinition>> = {
  csv: { name: 'CSV', mediaType: TABLE_FORMATS.csv.mediaType + TABLE_FORMATS.csv.parameters },
  ndjson: { name: 'JSON', mediaType: 'application/x-ndjson' },
  avro: { name: 'AVRO', mediaType: 'application/avro' },
  parquet: { name: 'PARQUET', mediaType: 'application/vnd.apache.parquet' },
  arrow: { name: 'ARROW', mediaType: 'application/vnd.apache.arrow.stream' },
  geojson: { name: 'GEOJSON', mediaType: 'application/geo+json' },
};

// Object.keys of a closed record are its keys.
export const EXPORT_FORMAT_KEYS = Object.keys(EXPORT_FORMATS) as readonly ExportFormat[];

/** The format with a name of the wire; CSV if none is given. */
export function exportFormatOf(name: string | undefined): ExportFormat {
  return EXPORT_FORMAT_KEYS.find((key) => EXPORT_FORMATS[key].name === name) ?? 'csv';
}
