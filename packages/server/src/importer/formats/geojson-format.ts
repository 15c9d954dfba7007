import { listValue } from '@duckdb/node-api';
import type { ColumnName } from '../../manifest/field-source.ts';
import { EngineError, shortageOf } from '../../storage/duckdb/publish/engine-error.ts';
import type { ImportConnection } from '../../storage/duckdb/publish/import-connection.ts';
import { textOf } from '../../storage/duckdb/publish/result-row.ts';
import { type FoundProblems, foundProblem } from '../problems/found-problems.ts';
import { type FieldReading, withinDegrees } from './field-reading.ts';
import { findBrokenJsonLines, locateJsonLines } from './json-lines.ts';
import { jsonPointer, rawJsonColumns, readJson } from './json-reading.ts';
import { lineOfOffset } from './line-of-offset.ts';
import { jsonLineDocuments } from './ndjson-format.ts';
import type { FieldColumn, OpenedRows, RowFormat, RowSelection } from './row-format.ts';
import {
  documentFound,
  ROW_BYTES_MAX,
  type SourceScan,
  scanSourceFile,
} from './scan-source-file.ts';
import { readBytes, type SourceFile } from './source-file.ts';
import { encodingHint, notUtf8Reason, type WrongByte } from './utf8-meter.ts';

/**
 * GeoJSON: a FeatureCollection, or a Feature on each line. The columns are the properties, and
 * `$id`, `$longitude` and `$latitude` from the id and the point of a feature.
 */
export const geojsonFormat: RowFormat = {
  columnsVary: true,
  open: async ({ connection, file, limits }) => {
    const hasLines = await hasFeatureLines(file);
    const documentBytesMax = Math.floor(limits.memoryLimitBytes / DOCUMENT_MEMORY_FACTOR);
    const scanned = await scanSourceFile(file, hasLines ? 'lines' : 'document', {
      ...limits,
      documentBytesMax,
    });
    if ('found' in scanned) return scanned;
    const [wrong] = scanned.scan.wrongBytes;
    if (wrong !== undefined && !hasLines) return { found: await notUtf8Found(file, wrong) };
    const layout = hasLines ? FEATURE_LINES : featureCollection(scanned.scan.unpackedBytes);
    try {
      if (!(await layout.isReadable(connection, file))) return { found: neither(file) };
      const keys = await connection.list(
        `SELECT key FROM (SELECT unnest(json_keys(document, '/properties')) AS key
          FROM (${layout.documents(file)})) GROUP BY key ORDER BY count(*) DESC, key`,
        { path: file.path },
      );
      const columns = keys.map((row) => textOf(row, 'key'));
      return { rows: openedRows(file, scanned.scan, layout, columns) };
    } catch (error) {
      if (!(error instanceof EngineError) || shortageOf(error) === 'disk') throw error;
      return { found: await layout.explainFailure(file, error) };
    }
  },
};

/** The engine needs the memory of a document several times to parse it. */
const DOCUMENT_MEMORY_FACTOR = 4;

async function notUtf8Found(file: SourceFile, wrong: WrongByte): Promise<FoundProblems> {
  return foundProblem(file.number, {
    file: file.label,
    line: await lineOfOffset(file, wrong.offset),
    reason: notUtf8Reason(wrong, file),
    hint: encodingHint(wrong),
  });
}

/** The layout of the features in a file. */
type Layout = {
  /** A query of the features; the path of the file is its parameter `$path`. */
  readonly documents: (file: SourceFile) => string;
  readonly isReadable: (connection: ImportConnection, file: SourceFile) => Promise<boolean>;
  readonly explainFailure: (file: SourceFile, error: Error) => Promise<FoundProblems>;
  readonly locate: (file: SourceFile, rows: readonly number[]) => ReturnType<OpenedRows['locate']>;
};

const FEATURE_LINES: Layout = {
  documents: jsonLineDocuments,
  isReadable: async () => true,
  explainFailure: findBrokenJsonLines,
  locate: locateJsonLines,
};

/** The whole collection is one JSON document, so it must fit into memory. */
const featureCollection = (bytes: number): Layout => ({
  documents: (file) => `SELECT unnest(features) AS document FROM (${collections(file, bytes)})`,
  isReadable: async (connection, file) => {
    const rows = await connection.list(
      `SELECT (type = 'FeatureCollection' AND features IS NOT NULL)::VARCHAR AS is_collection
        FROM (${collections(file, bytes)})`,
      { path: file.path },
    );
    return rows.length === 1 && rows[0]?.['is_collection'] === 'true';
  },
  explainFailure: async (file, error) =>
    shortageOf(error) === 'memory' ? documentFound(file) : neither(file),
  locate: async (_file, rows) => new Map(rows.map((row) => [row, { feature: row + 1 }])),
});

function collections(file: SourceFile, bytes: number): string {
  // DuckDB allocates a buffer for the largest object at once, so it gets the size of the file.
  return `SELECT type, features FROM read_json($path, format = 'unstructured', records = true,
    columns = {type: 'VARCHAR', features: 'JSON[]'}, maximum_object_size = ${bytes + 1},
    compression = '${file.isGzip ? 'gzip' : 'uncompressed'}', hive_partitioning = false)`;
}

function neither(file: SourceFile): FoundProblems {
  return foundProblem(file.number, {
    file: file.label,
    reason: 'is neither a GeoJSON FeatureCollection nor a GeoJSON Feature on each line',
    hint: 'Check that it is whole, in UTF-8 without a byte order mark, and of type FeatureCollection.',
  });
}

/** Whether the first line is a complete Feature. */
async function hasFeatureLines(file: SourceFile): Promise<boolean> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(file)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (chunk.includes('\n') || bytes > ROW_BYTES_MAX) break;
  }
  const [line] = Buffer.concat(chunks).toString('utf8').trimStart().split('\n', 1);
  try {
    const value: unknown = JSON.parse(line ?? '');
    return (
      typeof value === 'object' && value !== null && 'type' in value && value.type === 'Feature'
    );
  } catch {
    return false;
  }
}

const ID_COLUMN = '$id';
const LONGITUDE_COLUMN = '$longitude';
const LATITUDE_COLUMN = '$latitude';

function openedRows(
  file: SourceFile,
  scan: SourceScan,
  layout: Layout,
  columns: readonly string[],
): OpenedRows {
  return {
    file,
    columns,
    specialColumns: [ID_COLUMN, LONGITUDE_COLUMN, LATITUDE_COLUMN],
    scan: async () => ({ scan }),
    select: (fields) => ({ selection: select(file, layout, fields) }),
    findRejects: async () => ({ examples: [], counts: [] }),
    explainFailure: (error) => layout.explainFailure(file, error),
    locate: (rows) => layout.locate(file, rows),
  };
}

function select(file: SourceFile, layout: Layout, fields: readonly FieldColumn[]): RowSelection {
  // The paths of the fields are followed by those of the types of the geometry and of the feature.
  const paths = [
    ...fields.map(({ source }) => columnPath(source.columns[0])),
    jsonPointer(['geometry', 'type']),
    jsonPointer(['type']),
  ];
  const geometry = `raw_${fields.length}`;
  const type = `raw_${fields.length + 1}`;
  return {
    query: rawJsonColumns(layout.documents(file), paths.length),
    parameters: { path: file.path, paths: listValue(paths) },
    readings: fields.map((field, index) => {
      const [column] = field.source.columns;
      const reading = readJson(field, `raw_${index}`, `kind_${index}`, String(index));
      if (column === LONGITUDE_COLUMN) return ofPoint(withinDegrees(reading, 180), geometry);
      return column === LATITUDE_COLUMN ? ofPoint(withinDegrees(reading, 90), geometry) : reading;
    }),
    rowReason: `CASE WHEN ${type} IS DISTINCT FROM 'Feature' THEN 'is not a GeoJSON Feature' END`,
    rowShown: 'left(document::VARCHAR, 1000)',
  };
}

function columnPath(column: ColumnName | undefined): string {
  switch (column) {
    case ID_COLUMN:
      return jsonPointer(['id']);
    case LONGITUDE_COLUMN:
      return jsonPointer(['geometry', 'coordinates', '0']);
    case LATITUDE_COLUMN:
      return jsonPointer(['geometry', 'coordinates', '1']);
    default:
      return jsonPointer(['properties', String(column)]);
  }
}

/** Reads a coordinate of a Point. It is absent without a geometry, and refused for other geometries. */
function ofPoint(reading: FieldReading, geometry: string): FieldReading {
  return {
    ...reading,
    value: `CASE WHEN ${geometry} = 'Point' THEN (${reading.value}) END`,
    isAbsent: `(${geometry} IS NULL)`,
    shown: `CASE WHEN ${geometry} = 'Point' THEN coalesce(${reading.shown}, 'Point')
      ELSE ${geometry} END`,
    reason: `CASE WHEN ${geometry} <> 'Point' THEN 'is a geometry without one point'
      WHEN (${reading.shown}) IS NULL THEN 'is a geometry without this coordinate'
      ELSE (${reading.reason}) END`,
  };
}
