import type { ReadKey } from './read-schema.ts';

type FileFormatDefinition = {
  /** The ends of names that show it, after the dot; the first one is that of the documentation. */
  readonly suffixes: readonly [string, ...string[]];
  /** The default delimiter of its values, for text with a line for each row. */
  readonly delimiter?: string;
  /** Whether its columns have an order and are all in each row; their values are texts. */
  readonly isTable: boolean;
  /** The keys of `read` that are for it. */
  readonly reads: readonly ReadKey[];
};

const ROWS = [
  'header',
  'skip_lines',
  'skip_below_header',
  'repeated_headers',
  'footer',
  'nulls',
  'file_name',
] as const;
const DELIMITED = ['encoding', 'delimiter', 'quote', 'escape', ...ROWS, 'member'] as const;
const JSON_TEXT = ['encoding', 'nulls', 'member', 'file_name'] as const;

const FORMATS = {
  csv: { suffixes: ['csv'], delimiter: ',', isTable: true, reads: DELIMITED },
  tsv: { suffixes: ['tsv', 'tab'], delimiter: '\t', isTable: true, reads: DELIMITED },
  xlsx: { suffixes: ['xlsx', 'xlsm'], isTable: true, reads: [...ROWS, 'sheet', 'sheet_name'] },
  parquet: { suffixes: ['parquet', 'pq'], isTable: false, reads: ['nulls', 'member', 'file_name'] },
  ndjson: { suffixes: ['ndjson', 'jsonl'], isTable: false, reads: JSON_TEXT },
  geojson: { suffixes: ['geojson', 'geojsonl', 'geojsons'], isTable: false, reads: JSON_TEXT },
  shapefile: { suffixes: ['shp'], isTable: false, reads: [...JSON_TEXT, 'coordinates'] },
  geopackage: { suffixes: ['gpkg'], isTable: false, reads: ['nulls', 'member', 'file_name'] },
} as const satisfies Readonly<Record<string, FileFormatDefinition>>;

export type FileFormat = keyof typeof FORMATS;

/**
 * The formats of files, of a dataset and of those that steps name: the only list of them. `tsc` names what a format lacks in
 * `ingest/formats`, where it is read, and in `ingest/draft`, where it is recognised.
 */
export const FILE_FORMATS: Readonly<Record<FileFormat, FileFormatDefinition>> = FORMATS;

// Object.keys of a closed record are its keys.
export const FILE_FORMAT_NAMES = Object.keys(FORMATS) as readonly FileFormat[];

/** Whether the files are tables whose columns have an order: their values are texts. */
export function isTable(format: FileFormat | undefined): boolean {
  return format !== undefined && FILE_FORMATS[format].isTable;
}
