import type { ExportFormat } from '@locmetrics/core/domain/export-format';
import { LINE_FORMATS, type RecordLineFormat } from '@locmetrics/core/encoding/record-lines';
import { geojsonLines } from '@locmetrics/core/encoding/records-geojson';
import type { TableStream } from '../stream-records.ts';

/** How the files of an export are written: the same bytes as those of a stream. */
export function exportEncoding(
  format: ExportFormat,
  { geojsonColumns, metadata }: Pick<TableStream, 'geojsonColumns' | 'metadata'>,
): RecordLineFormat {
  if (format !== 'geojson') return LINE_FORMATS[format];
  if (geojsonColumns === undefined) throw new Error('GeoJSON needs the columns of the point.');
  return geojsonLines(geojsonColumns, metadata);
}
