import { columnWriter } from '../storage/duckdb/publish/column-writer.ts';
import type { VersionWriter } from '../storage/duckdb/publish/version-writer.ts';
import { rowWriter } from '../storage/sqlite/publish/row-writer.ts';

/** Writes what each engine of the service reads. */
export const VERSION_WRITERS: readonly VersionWriter[] = [columnWriter, rowWriter];
