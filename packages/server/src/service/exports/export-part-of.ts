import type { ExportFormat } from '@locmetrics/core/domain/export-format';
import { metadataTexts } from '@locmetrics/core/domain/table-metadata';
import { LINE_FORMATS, type RecordLineFormat } from '@locmetrics/core/encoding/record-lines';
import { geojsonLines } from '@locmetrics/core/encoding/records-geojson';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { OpenTableFile } from '@locmetrics/core/storage/table-file';
import type { TableStream } from '../stream-records.ts';
import { openLinePart } from './open-line-part.ts';
import type { OpenPart } from './open-parts.ts';
import { openTablePart } from './open-table-part.ts';

/** How the files of an export are written: with the content of a stream. */
export function exportPartOf(
  format: ExportFormat,
  {
    columns,
    geojsonColumns,
    metadata,
  }: Pick<TableStream, 'columns' | 'geojsonColumns' | 'metadata'>,
  file: {
    readonly bytesMax: number;
    readonly openFile: OpenTableFile;
    readonly signal: StopSignal;
  },
): OpenPart {
  if (format === 'parquet') {
    const table = { ...file, columns, metadata: metadataTexts(metadata) };
    return (path) => openTablePart(path, table);
  }
  const encoding = encodingOf(format, geojsonColumns, metadata);
  return (path) => openLinePart(path, { columns, encoding, bytesMax: file.bytesMax });
}

function encodingOf(
  format: Exclude<ExportFormat, 'parquet'>,
  geojsonColumns: TableStream['geojsonColumns'],
  metadata: TableStream['metadata'],
): RecordLineFormat {
  if (format !== 'geojson') return LINE_FORMATS[format];
  if (geojsonColumns === undefined) throw new Error('GeoJSON needs the columns of the point.');
  return geojsonLines(geojsonColumns, metadata);
}
