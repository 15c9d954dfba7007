import { randomBytes } from 'node:crypto';
import type { ExportFormat } from '@locmetrics/core/domain/export-format';
import { metadataTexts } from '@locmetrics/core/domain/table-metadata';
import { lineFormatOf } from '@locmetrics/core/encoding/line-format-of';
import { AVRO_MARKER_BYTES, avroBlocks } from '@locmetrics/core/encoding/records-avro';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { OpenTableFile } from '@locmetrics/core/storage/table-file';
import type { TableStream } from '../streams/stream-records.ts';
import { openLinePart } from './open-line-part.ts';
import type { OpenPart } from './open-parts.ts';
import { openTablePart } from './open-table-part.ts';

/** How the files of an export are written: with the content of a stream. */
export function exportPartOf(
  format: ExportFormat,
  table: Pick<TableStream, 'columns' | 'geojsonColumns' | 'metadata'>,
  file: {
    readonly bytesMax: number;
    readonly openFile: OpenTableFile;
    readonly signal: StopSignal;
  },
): OpenPart {
  const { columns } = table;
  if (format === 'parquet') {
    const metadata = metadataTexts(table.metadata);
    return (path) => openTablePart(path, { ...file, columns, metadata });
  }
  const encoding =
    format === 'avro'
      ? avroBlocks(table, randomBytes(AVRO_MARKER_BYTES))
      : lineFormatOf(format, table);
  return (path) => openLinePart(path, { columns, encoding, bytesMax: file.bytesMax });
}
