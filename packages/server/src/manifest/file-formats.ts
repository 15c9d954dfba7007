/** The formats of files, of a dataset and of those that steps name. */
export const FILE_FORMATS = [
  'csv',
  'tsv',
  'xlsx',
  'parquet',
  'ndjson',
  'geojson',
  'shapefile',
  'geopackage',
] as const;
