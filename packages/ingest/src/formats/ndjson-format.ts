import { EngineError, shortageOf } from '@locmetrics/column-store/publish/engine-error';
import { type JsonDocuments, jsonDocuments, keepColumns } from './json-documents.ts';
import { JSON_KEY_FUNCTIONS, type JsonKeys, listJsonKeys } from './json-keys.ts';
import { findBrokenJsonLines, locateJsonLines } from './json-lines.ts';
import { jsonPointer, jsonText, readJson, withNulls } from './json-reading.ts';
import { type OpenedRows, type RowFormat, replaceLines } from './row-format.ts';
import { ROW_BYTES_MAX, type SourceScan, scanSourceFile } from './scan-source-file.ts';
import type { SourceFile } from './source-file.ts';

/** JSON: an object on each line, or an array of objects, which was copied to lines. Their keys are the columns. */
export const ndjsonFormat: RowFormat = {
  columnsVary: true,
  functions: JSON_KEY_FUNCTIONS,
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
  source: { reading },
  file,
  limits,
  keptTable,
}: Parameters<RowFormat['open']>[0]): ReturnType<RowFormat['open']> {
  const scanned = await scanSourceFile(file, 'lines', limits);
  if ('found' in scanned) return scanned;
  try {
    const documents = jsonLineDocuments(file);
    const keys = await listJsonKeys(connection, documents, {
      columns: 'json_keys(document)',
      others: [],
      nested: 'document',
    });
    const paths = keys.columns.map((column) => jsonPointer([column]));
    const kept = await keepColumns(connection, documents, { table: keptTable, paths });
    const { nulls } = reading;
    return { rows: openedRows(file, { scan: scanned.scan, documents: kept, keys, nulls }) };
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
    keys: { columns, repeatedReason },
    nulls,
  }: {
    readonly scan: SourceScan;
    readonly documents: JsonDocuments;
    readonly keys: JsonKeys;
    readonly nulls: readonly string[];
  },
): OpenedRows {
  const select = (names: readonly string[]) => {
    const paths = names.map((name) => jsonPointer([name]));
    return withNulls(documents.select(paths), { nulls, indexes: [...names.keys()] });
  };
  const wholeRow = {
    rowReason: `CASE WHEN NOT starts_with(document::VARCHAR, '{') THEN 'is not a JSON object' ELSE ${repeatedReason} END`,
    rowShown: 'left(document::VARCHAR, 1000)',
  };
  return {
    file,
    columns,
    specialColumns: [],
    scan: async () => ({ scan }),
    select: (fields) => ({
      selection: {
        ...select(fields.map(({ source }) => String(source.columns[0]))),
        readings: fields.map((field, index) =>
          readJson(field, `raw_${index}`, `kind_${index}`, String(index)),
        ),
        ...wholeRow,
      },
    }),
    selectTexts: (indexes) => ({
      ...select(indexes.map((index) => columns[index] ?? '')),
      texts: indexes.map((column, index) =>
        column < 0 ? 'NULL' : jsonText(`raw_${index}`, `kind_${index}`),
      ),
      ...wholeRow,
    }),
    findRejects: async () => ({ examples: [], counts: [] }),
    explainFailure: (error) => findBrokenJsonLines(file, error),
    locate: (rows) => locateJsonLines(file, rows),
  };
}

/** The documents of a file with one on each line. */
export function jsonLineDocuments(file: SourceFile): JsonDocuments {
  return jsonDocuments({
    query: `SELECT json AS document FROM read_ndjson_objects($path,
      compression = '${file.isGzip ? 'gzip' : 'uncompressed'}', maximum_object_size = ${ROW_BYTES_MAX + 2},
      hive_partitioning = false)`,
    parameters: { path: file.path },
  });
}
