import { columnWriter } from '../storage/duckdb/publish/column-writer.ts';
import type { VersionWriter } from '../storage/duckdb/publish/version-writer.ts';
import { rowWriter } from '../storage/sqlite/publish/row-writer.ts';

/** Writes what each engine of the service reads. */
export const VERSION_WRITERS: readonly VersionWriter[] = [columnWriter, rowWriter];

/** The names of the files that are made from the others of a version: row files. */
export const DERIVED_FILES: readonly string[] = VERSION_WRITERS.filter(
  ({ isDerived }) => isDerived,
).flatMap(({ files }) => files);
