import { DatabaseSync } from 'node:sqlite';
import { explainSqlite } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import { damagedFile } from '@locmetrics/data-directory/sqlite/unusable-file';
import { CONTROL_SCHEMA, SCHEMA_VERSION } from './control-schema.ts';
import { findAllDamagedRows, prepareDamage } from './find-damaged-rows.ts';
import type { DamagedRow } from './rights-damaged-error.ts';
import { addRowChecksum } from './row-checksum.ts';

/**
 * The damaged rows of a file, which is only read: it may be a backup. One of an earlier release has no checksums yet.
 * Throws a ControlError if the file itself is damaged.
 */
export function findDamageInFile(path: string): readonly DamagedRow[] {
  return explainSqlite(
    path,
    CONTROL_SCHEMA.name,
  )(() => {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
      if (found !== 'ok') throw damagedFile(path);
      const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
      if (version !== SCHEMA_VERSION) return [];
      addRowChecksum(database);
      return findAllDamagedRows(prepareDamage({ database }));
    } finally {
      database.close();
    }
  });
}
