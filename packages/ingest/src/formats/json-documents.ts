import { listValue } from '@duckdb/node-api';
import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { Parameters } from '@locmetrics/column-store/publish/watched-connection';
import { rawJsonColumns } from './json-reading.ts';

/** A query with its parameters. */
type Query = { readonly query: string; readonly parameters: Parameters };

/** A query with a JSON document in each row, as its column `document`. */
export type JsonDocuments = Query & {
  /** The raw columns of some paths, and the document. */
  readonly select: (paths: readonly string[]) => Query;
};

export function jsonDocuments(documents: Query): JsonDocuments {
  return {
    ...documents,
    select: (paths) => ({
      query: rawJsonColumns(documents.query, paths.length),
      parameters: { ...documents.parameters, paths: listValue(paths) },
    }),
  };
}

/** Copies the raw columns of all paths to a table, so that a file that is queried many times is parsed once. */
export async function keepColumns(
  connection: ImportConnection,
  documents: JsonDocuments,
  { table, paths }: { readonly table: string | undefined; readonly paths: readonly string[] },
): Promise<JsonDocuments> {
  if (table === undefined) return documents;
  const { query, parameters } = documents.select(paths);
  await connection.run(`CREATE TABLE ${table} AS ${query}`, parameters);
  return {
    query: `SELECT document FROM ${table}`,
    parameters: {},
    select: (wanted) => {
      const columns = wanted.map((path, index) => {
        const kept = paths.indexOf(path);
        return kept < 0
          ? `NULL::VARCHAR AS raw_${index}, NULL::VARCHAR AS kind_${index}`
          : `raw_${kept} AS raw_${index}, kind_${kept} AS kind_${index}`;
      });
      return { query: `SELECT document, ${columns.join(', ')} FROM ${table}`, parameters: {} };
    },
  };
}
