import type { FileFormat } from '../manifest/file-formats.ts';
import { csvFormat } from './csv-format.ts';
import { featureFormat } from './features/feature-format.ts';
import { geojsonFormat } from './features/geojson-format.ts';
import { ndjsonFormat } from './ndjson-format.ts';
import { parquetFormat } from './parquet-format.ts';
import type { RowFormat } from './row-format.ts';
import { xlsxFormat } from './sheets/xlsx-format.ts';

export const ROW_FORMATS: Readonly<Record<FileFormat, RowFormat>> = {
  csv: csvFormat,
  tsv: csvFormat,
  xlsx: xlsxFormat,
  ndjson: ndjsonFormat,
  geojson: geojsonFormat,
  parquet: parquetFormat,
  shapefile: featureFormat,
  geopackage: featureFormat,
};
