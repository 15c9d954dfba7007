import { EngineError, shortageOf } from '../../storage/duckdb/publish/engine-error.ts';
import type { ImportConnection } from '../../storage/duckdb/publish/import-connection.ts';
import { textOf } from '../../storage/duckdb/publish/result-row.ts';
import { type JsonDocuments, jsonDocuments, keepColumns } from './json-documents.ts';
import { findBrokenJsonLines, locateJsonLines } from './json-lines.ts';
import { jsonPointer, jsonText, readJson } from './json-reading.ts';
import { type OpenedRows, type RowFormat, replaceLines } from './row-format.ts';
import { ROW_BYTES_MAX, type SourceScan, scanSourceFile } from './scan-source-file.ts';
import type { SourceFile } from './source-file.ts';

/** JSON: an object on each line, or an array of objects, which was copied to lines. Their keys are the columns. */
export const ndjsonFormat: RowFormat = {
  columnsVary: true,
  open: async (context) => {
    const { rowOfLine } = context.file;
    const opened = await openLines(context);
    return rowOfLine === undefined
      ? opened
      : replaceLines(opened, (line) => ({ row: rowOfLine(line) }));
  },
};

async function openLines({
  connection,
  file,
  limits,
  keptTable,
}: Parameters<RowFormat['open']>[0]): ReturnType<RowFormat['open']> {
  const scanned = await scanSourceFile(file, 'lines', limits);
  if ('found' in scanned) return scanned;
  try {
    const documents = jsonLineDocuments(file);
    const columns = await listJsonKeys(connection, documents);
    const paths = columns.map((column) => jsonPointer([column]));
    const kept = await keepColumns(connection, documents, { table: keptTable, paths });
    return { rows: openedRows(file, { scan: scanned.scan, documents: kept, columns }) };
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    return { found: await findBrokenJsonLines(file, error) };
  }
}

function openedRows(
  file: SourceFile,
  {
    scan,
    documents,
    columns,
  }: {
    readonly scan: SourceScan;
    readonly documents: JsonDocuments;
    readonly columns: readonly string[];
  },
): OpenedRows {
  return {
    file,
    columns,
    specialColumns: [],
    scan: async () => ({ scan }),
    select: (fields) => ({
      selection: {
        ...documents.select(fields.map(({ source }) => jsonPointer([String(source.columns[0])]))),
        readings: fields.map((field, index) =>
          readJson(field, `raw_${index}`, `kind_${index}`, String(index)),
        ),
        ...WHOLE_ROW,
      },
    }),
    selectTexts: (indexes) => ({
      ...documents.select(indexes.map((index) => jsonPointer([columns[index] ?? '']))),
      texts: indexes.map((column, index) =>
        column < 0 ? 'NULL' : jsonText(`raw_${index}`, `kind_${index}`),
      ),
      ...WHOLE_ROW,
    }),
    findRejects: async () => ({ examples: [], counts: [] }),
    explainFailure: (error) => findBrokenJsonLines(file, error),
    locate: (rows) => locateJsonLines(file, rows),
  };
}

const WHOLE_ROW = {
  rowReason: `CASE WHEN NOT starts_with(document::VARCHAR, '{') THEN 'is not a JSON object' END`,
  rowShown: 'left(document::VARCHAR, 1000)',
};

/** The documents of a file with one on each line. */
export function jsonLineDocuments(file: SourceFile): JsonDocuments {
  return jsonDocuments({
    query: `SELECT json AS document FROM read_ndjson_objects($path,
      compression = '${file.isGzip ? 'gzip' : 'uncompressed'}', maximum_object_size = ${ROW_BYTES_MAX + 2},
      hive_partitioning = false)`,
    parameters: { path: file.path },
  });
}

/** The keys of all documents, the most frequent first. */
async function listJsonKeys(
  connection: ImportConnection,
  { query, parameters }: JsonDocuments,
): Promise<readonly string[]> {
  const rows = await connection.list(
    `SELECT key FROM (SELECT unnest(json_keys(document)) AS key FROM (${query}))
      GROUP BY key ORDER BY count(*) DESC, key`,
    parameters,
  );
  return rows.map((row) => textOf(row, 'key'));
}
