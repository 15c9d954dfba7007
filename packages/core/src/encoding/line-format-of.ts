import type { GeojsonColumns } from '../domain/geojson-columns.ts';
import type { LineFormat } from '../domain/line-format.ts';
import type { TableMetadata } from '../domain/table-metadata.ts';
import type { TypedColumn } from '../domain/value-visitor.ts';
import { LINE_FORMATS, type RecordLineFormat } from './record-lines.ts';
import { arrowBatches } from './records-arrow.ts';
import { geojsonLines } from './records-geojson.ts';

/** How the records of a table are written one after the other. GeoJSON is for a table with the columns of points. */
export function lineFormatOf(
  format: LineFormat | 'geojson' | 'arrow',
  table: {
    readonly columns: readonly TypedColumn[];
    readonly geojsonColumns?: GeojsonColumns | undefined;
    readonly metadata: TableMetadata;
  },
): RecordLineFormat {
  if (format === 'arrow') return arrowBatches(table);
  if (format !== 'geojson') return LINE_FORMATS[format];
  if (table.geojsonColumns === undefined)
    throw new Error('GeoJSON needs the columns of the point.');
  return geojsonLines(table.geojsonColumns, table.metadata);
}
