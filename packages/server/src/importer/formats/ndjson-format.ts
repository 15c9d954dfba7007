import { listValue } from '@duckdb/node-api';
import { EngineError, shortageOf } from '../../storage/duckdb/publish/engine-error.ts';
import type { ImportConnection } from '../../storage/duckdb/publish/import-connection.ts';
import { textOf } from '../../storage/duckdb/publish/result-row.ts';
import type { FoundProblems } from '../problems/found-problems.ts';
import { findBrokenJsonLines, locateJsonLines } from './json-lines.ts';
import { jsonPointer, jsonText, rawJsonColumns, readJson } from './json-reading.ts';
import { replaceLines } from './replace-places.ts';
import type { OpenedRows, RowFormat } from './row-format.ts';
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
}: Parameters<RowFormat['open']>[0]): ReturnType<RowFormat['open']> {
  const scanned = await scanSourceFile(file, 'lines', limits);
  if ('found' in scanned) return scanned;
  const keys = await listJsonKeys(connection, file, 'document');
  return 'found' in keys ? keys : { rows: openedRows(file, scanned.scan, keys.columns) };
}

function openedRows(file: SourceFile, scan: SourceScan, columns: readonly string[]): OpenedRows {
  return {
    file,
    columns,
    specialColumns: [],
    scan: async () => ({ scan }),
    select: (fields) => ({
      selection: {
        query: rawJsonColumns(jsonLineDocuments(file), fields.length),
        parameters: {
          path: file.path,
          paths: listValue(fields.map(({ source }) => jsonPointer([String(source.columns[0])]))),
        },
        readings: fields.map((field, index) =>
          readJson(field, `raw_${index}`, `kind_${index}`, String(index)),
        ),
        ...WHOLE_ROW,
      },
    }),
    selectTexts: (indexes) => ({
      query: rawJsonColumns(jsonLineDocuments(file), indexes.length),
      parameters: {
        path: file.path,
        paths: listValue(indexes.map((index) => jsonPointer([columns[index] ?? '']))),
      },
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

/** A query of the documents of a file with one per line. The path is the parameter `$path`. */
export function jsonLineDocuments(file: SourceFile): string {
  return `SELECT json AS document FROM read_ndjson_objects($path,
    compression = '${file.isGzip ? 'gzip' : 'uncompressed'}', maximum_object_size = ${ROW_BYTES_MAX + 2},
    hive_partitioning = false)`;
}

/** The keys of an object in all documents of a file, the most frequent first. */
async function listJsonKeys(
  connection: ImportConnection,
  file: SourceFile,
  object: string,
): Promise<{ readonly columns: readonly string[] } | { readonly found: FoundProblems }> {
  try {
    const rows = await connection.list(
      `SELECT key FROM (SELECT unnest(json_keys(${object})) AS key FROM (${jsonLineDocuments(file)}))
        GROUP BY key ORDER BY count(*) DESC, key`,
      { path: file.path },
    );
    return { columns: rows.map((row) => textOf(row, 'key')) };
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    return { found: await findBrokenJsonLines(file, error) };
  }
}
