import type { DatabaseSync } from 'node:sqlite';
import { CONTROL_SCHEMA } from './control-schema.ts';
import { openSqliteFile } from './open-sqlite-file.ts';

/** Opens the control store's file; creates it when absent. */
export function openControlDatabase(path: string): DatabaseSync {
  return openSqliteFile(path, CONTROL_SCHEMA);
}
