import { EngineError, shortageOf } from '@locmetrics/column-store/publish/engine-error';
import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { type FoundProblems, fileProblem } from '../../problems/found-problems.ts';
import { type FieldReading, withinDegrees } from '../field-reading.ts';
import { type JsonDocuments, jsonDocuments, keepColumns } from '../json-documents.ts';
import {
  JSON_KEY_FUNCTIONS,
  type JsonKeys,
  listJsonKeys,
  repeatedMemberReason,
} from '../json-keys.ts';
import { findBrokenJsonLines, locateJsonLines } from '../json-lines.ts';
import { jsonPointer, jsonText, readJson, withNulls } from '../json-reading.ts';
import { lineOfOffset } from '../line-of-offset.ts';
import { jsonLineDocuments } from '../ndjson-format.ts';
import {
  type FieldColumn,
  type OpenedRows,
  type RowFormat,
  type RowSelection,
  replaceLines,
  type TextSelection,
} from '../row-format.ts';
import {
  documentFound,
  ROW_BYTES_MAX,
  type SourceScan,
  scanSourceFile,
} from '../scan-source-file.ts';
import { readBytes, type SourceFile } from '../source-file.ts';
import { encodingHint, notUtf8Reason, type WrongByte } from '../utf8-meter.ts';
import { geojsonPoint } from './geojson-point.ts';

/** The function of the engine that computes the point of an outline. */
const POINT_FUNCTION = 'geojson_point';

/**
 * GeoJSON: a FeatureCollection, or a Feature on each line, or a sequence of Features, which was copied to lines. The columns are the properties, and
 * from the id and the geometry of a feature `$id`, `$longitude` and `$latitude` of its point, or of a point on its
 * outline, and `$outline`.
 */
export const geojsonFormat: RowFormat = {
  columnsVary: true,
  functions: { ...JSON_KEY_FUNCTIONS, [POINT_FUNCTION]: geojsonPoint },
  open: async (context) => {
    const opened = await openGeojson(context, {
      hasLines: await hasFeatureLines(context.file),
      outlineMember: 'geometry',
    });
    const { rowOfLine } = context.file;
    return rowOfLine === undefined
      ? opened
      : replaceLines(opened, (line) => ({ feature: rowOfLine(line) }));
  },
};

/** Opens a file with a Feature on each line, or with one FeatureCollection. */
export async function openGeojson(
  { connection, source: { reading }, file, limits, keptTable }: Parameters<RowFormat['open']>[0],
  {
    hasLines,
    outlineMember,
  }: {
    readonly hasLines: boolean;
    /** The member of a feature with its outline. */
    readonly outlineMember: string;
  },
): ReturnType<RowFormat['open']> {
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
    const unreadable = await layout.findProblem(connection, file);
    if (unreadable !== undefined) return { found: unreadable };
    const documents = layout.documents(file);
    const keys = await listJsonKeys(connection, documents, {
      columns: `json_keys(document, '/properties')`,
      others: ['json_keys(document)', `json_keys(document, '/geometry')`],
      nested: `document->'/properties'`,
    });
    const { columns } = keys;
    const kept = await keepColumns(connection, documents, {
      table: keptTable,
      paths: [...columns, ...SPECIAL_COLUMNS]
        .map((column) => columnPath(column, outlineMember))
        .concat(FEATURE_PATHS),
    });
    const rows = openedRows(file, {
      scan: scanned.scan,
      layout: { ...layout, documents: () => kept },
      keys,
      nulls: reading.nulls,
      outlineMember,
    });
    return { rows };
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) === 'disk') throw error;
    return { found: await layout.explainFailure(file, error) };
  }
}

/** The engine needs the memory of a document several times to parse it. */
const DOCUMENT_MEMORY_FACTOR = 4;

async function notUtf8Found(file: SourceFile, wrong: WrongByte): Promise<FoundProblems> {
  return fileProblem(file, {
    line: await lineOfOffset(file, wrong.offset),
    reason: notUtf8Reason(wrong, file),
    hint: encodingHint(wrong),
  });
}

/** The layout of the features in a file. */
type Layout = {
  /** The features, each a document. */
  readonly documents: (file: SourceFile) => JsonDocuments;
  /** Why the file as a whole cannot be read; undefined if it can be. */
  readonly findProblem: (
    connection: ImportConnection,
    file: SourceFile,
  ) => Promise<FoundProblems | undefined>;
  readonly explainFailure: (file: SourceFile, error: Error) => Promise<FoundProblems>;
  readonly locate: (file: SourceFile, rows: readonly number[]) => ReturnType<OpenedRows['locate']>;
};

const FEATURE_LINES: Layout = {
  documents: jsonLineDocuments,
  findProblem: async () => undefined,
  explainFailure: findBrokenJsonLines,
  locate: locateJsonLines,
};

/** The whole collection is one JSON document, so it must fit into memory. */
const featureCollection = (bytes: number): Layout => ({
  documents: (file) =>
    jsonDocuments({
      query: `SELECT unnest(features) AS document FROM (${collections(file, bytes)})`,
      parameters: { path: file.path },
    }),
  findProblem: async (connection, file) => {
    const [listed] = await connection.list(
      `SELECT to_json(json_keys(json))::VARCHAR AS keys FROM (${objects(file, bytes)}) LIMIT 1`,
      { path: file.path },
    );
    const repeated = firstRepeated(listed?.['keys']);
    if (repeated !== undefined) {
      return fileProblem(file, {
        reason: repeatedMemberReason(repeated),
        hint: 'Write it once.',
      });
    }
    const rows = await connection.list(
      `SELECT (type = 'FeatureCollection' AND features IS NOT NULL)::VARCHAR AS is_collection
        FROM (${collections(file, bytes)})`,
      { path: file.path },
    );
    return rows.length === 1 && rows[0]?.['is_collection'] === 'true' ? undefined : neither(file);
  },
  explainFailure: async (file, error) =>
    shortageOf(error) === 'memory' ? documentFound(file) : neither(file),
  locate: async (_file, rows) => new Map(rows.map((row) => [row, { feature: row + 1 }])),
});

/** The first text that is in a list of JSON twice. */
function firstRepeated(list: unknown): string | undefined {
  const keys: unknown = typeof list === 'string' ? JSON.parse(list) : [];
  const seen = new Set<unknown>();
  const repeated = (Array.isArray(keys) ? keys : []).find(
    (key) => seen.size === seen.add(key).size,
  );
  return typeof repeated === 'string' ? repeated : undefined;
}

function objects(file: SourceFile, bytes: number): string {
  return `SELECT json FROM read_json_objects($path, format = 'unstructured',
    maximum_object_size = ${bytes + 1}, compression = '${file.isGzip ? 'gzip' : 'uncompressed'}',
    hive_partitioning = false)`;
}

function collections(file: SourceFile, bytes: number): string {
  // DuckDB allocates a buffer for the largest object at once, so it gets the size of the file.
  return `SELECT type, features FROM read_json($path, format = 'unstructured', records = true,
    columns = {type: 'VARCHAR', features: 'JSON[]'}, maximum_object_size = ${bytes + 1},
    compression = '${file.isGzip ? 'gzip' : 'uncompressed'}', hive_partitioning = false)`;
}

function neither(file: SourceFile): FoundProblems {
  return fileProblem(file, {
    reason: 'is neither a GeoJSON FeatureCollection nor a GeoJSON Feature on each line',
    hint: 'Check that it is complete, in UTF-8, and of type FeatureCollection.',
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
export const OUTLINE_COLUMN = '$outline';
const SPECIAL_COLUMNS: readonly string[] = [
  ID_COLUMN,
  LONGITUDE_COLUMN,
  LATITUDE_COLUMN,
  OUTLINE_COLUMN,
];
/** The types of the geometry and of the feature. */
const FEATURE_PATHS: readonly string[] = [jsonPointer(['geometry', 'type']), jsonPointer(['type'])];
/** The columns of a point with the limits of their degrees, in the order of coordinates. */
const COORDINATE_LIMITS: ReadonlyMap<string, 90 | 180> = new Map([
  [LONGITUDE_COLUMN, 180],
  [LATITUDE_COLUMN, 90],
]);

type OpenedFeatures = {
  readonly scan: SourceScan;
  readonly layout: Layout;
  readonly keys: JsonKeys;
  readonly nulls: readonly string[];
  readonly outlineMember: string;
};

function openedRows(file: SourceFile, opened: OpenedFeatures): OpenedRows {
  const {
    scan,
    layout,
    keys: { columns },
  } = opened;
  return {
    file,
    columns,
    specialColumns: SPECIAL_COLUMNS,
    scan: async () => ({ scan }),
    select: (fields) => ({ selection: select(file, opened, fields) }),
    selectTexts: (indexes) => {
      const names = [...columns, ...SPECIAL_COLUMNS];
      return selectTexts(
        file,
        opened,
        indexes.map((index) => names[index]),
      );
    },
    findRejects: async () => ({ examples: [], counts: [] }),
    explainFailure: (error) => layout.explainFailure(file, error),
    locate: (rows) => layout.locate(file, rows),
  };
}

function select(
  file: SourceFile,
  opened: OpenedFeatures,
  fields: readonly FieldColumn[],
): RowSelection {
  const columns = fields.map(({ source }) => String(source.columns[0]));
  return {
    ...selectDocuments(file, opened, columns),
    readings: fields.map((field, index) => {
      const reading = readJson(field, `raw_${index}`, `kind_${index}`, String(index));
      const limit = COORDINATE_LIMITS.get(columns[index] ?? '');
      return limit === undefined ? reading : ofPoint(withinDegrees(reading, limit), columns);
    }),
  };
}

function selectTexts(
  file: SourceFile,
  opened: OpenedFeatures,
  columns: readonly (string | undefined)[],
): TextSelection {
  const geometry = `raw_${columns.length}`;
  return {
    ...selectDocuments(
      file,
      opened,
      columns.map((column) => column ?? ''),
    ),
    texts: columns.map((column, index) => {
      if (column === undefined) return 'NULL';
      const text = jsonText(`raw_${index}`, `kind_${index}`);
      if (!COORDINATE_LIMITS.has(column)) return text;
      // A wrong geometry matters only if a field uses it, so its reason is a text that is no number.
      return `CASE WHEN raw_${index} LIKE '!%' THEN ${geometry} || ' ' || substr(raw_${index}, 2) ELSE ${text} END`;
    }),
  };
}

/** The raw columns, followed by the type of the geometry. */
function selectDocuments(
  file: SourceFile,
  { layout, keys, nulls, outlineMember }: OpenedFeatures,
  columns: readonly string[],
): Pick<RowSelection, 'query' | 'parameters' | 'rowReason' | 'rowShown'> {
  const geometry = `raw_${columns.length}`;
  const type = `raw_${columns.length + 1}`;
  const paths = columns.map((column) => columnPath(column, outlineMember));
  const documents = layout.documents(file).select([...paths, ...FEATURE_PATHS]);
  // A coordinate is not a text of the owner.
  const indexes = [...columns.keys()].filter(
    (index) => !COORDINATE_LIMITS.has(columns[index] ?? ''),
  );
  const { query, parameters } = withNulls(documents, { nulls, indexes });
  return {
    query: withOutlinePoints(query, geometry, columns),
    parameters,
    rowReason: `CASE WHEN ${type} IS DISTINCT FROM 'Feature' THEN 'is not a GeoJSON Feature' ELSE ${keys.repeatedReason} END`,
    rowShown: 'left(document::VARCHAR, 1000)',
  };
}

/** Replaces the coordinates of a geometry that is not a point by those of a point on it, or by the reason. */
function withOutlinePoints(rows: string, geometry: string, columns: readonly string[]): string {
  const coordinates = columns.flatMap((column, index) => {
    const part = [...COORDINATE_LIMITS.keys()].indexOf(column) + 1;
    return part === 0 ? [] : [{ raw: `raw_${index}`, kind: `kind_${index}`, part }];
  });
  if (coordinates.length === 0) return rows;
  const replaced = coordinates.flatMap(({ raw, kind, part }) => [
    `CASE WHEN outline_point IS NULL THEN ${raw} WHEN outline_point LIKE '!%' THEN outline_point
      ELSE split_part(outline_point, ' ', ${part}) END AS ${raw}`,
    `CASE WHEN outline_point IS NULL THEN ${kind} WHEN outline_point LIKE '!%' THEN '"'
      WHEN outline_point <> '' THEN '0' END AS ${kind}`,
  ]);
  return `SELECT * REPLACE (${replaced.join(', ')}) FROM (SELECT *,
    CASE WHEN ${geometry} <> 'Point' THEN ${POINT_FUNCTION}((document->'/geometry')::VARCHAR) END
      AS outline_point FROM (${rows}))`;
}

function columnPath(column: string, outlineMember: string): string {
  switch (column) {
    case OUTLINE_COLUMN:
      return jsonPointer([outlineMember]);
    case ID_COLUMN:
      return jsonPointer(['id']);
    case LONGITUDE_COLUMN:
      return jsonPointer(['geometry', 'coordinates', '0']);
    case LATITUDE_COLUMN:
      return jsonPointer(['geometry', 'coordinates', '1']);
    default:
      return jsonPointer(['properties', column]);
  }
}

/**
 * Reads a coordinate. It is absent without a geometry or with an empty one, and refused for a geometry that has no
 * point.
 */
function ofPoint(reading: FieldReading, columns: readonly string[]): FieldReading {
  const geometry = `raw_${columns.length}`;
  // Of an empty point, both are missing: "coordinates": [].
  const parts = [...COORDINATE_LIMITS.keys()].map((column) => columns.indexOf(column));
  const isEmpty = parts.includes(-1)
    ? 'false'
    : `coalesce(${[
        `${geometry} = 'Point'`,
        ...parts.map((index) => `kind_${index} IS NULL`),
        `json_type(document, '/geometry/coordinates') = 'ARRAY'`,
      ].join(' AND ')}, false)`;
  const isWrong = `starts_with(outline_point, '!')`;
  return {
    ...reading,
    isAbsent: `(${geometry} IS NULL OR coalesce(outline_point, '!') = '' OR ${isEmpty})`,
    shown: `CASE WHEN ${isWrong} THEN ${geometry} ELSE coalesce(${reading.shown}, ${geometry}) END`,
    reason: `CASE WHEN ${isWrong} THEN substr(outline_point, 2)
      WHEN (${reading.shown}) IS NULL THEN 'is a geometry without this coordinate'
      ELSE (${reading.reason}) END`,
  };
}
