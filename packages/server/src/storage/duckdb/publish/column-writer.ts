import type { Dataset } from '../../../domain/dataset.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import { attachNewSql } from '../attach-database.ts';
import {
  COLUMN_FILE,
  COLUMN_TYPES,
  foldColumn,
  RECORD_TABLE,
  ROW_COLUMN,
} from '../record-table.ts';
import { openFoldSql } from './fold-sql.ts';
import { SORTED_TABLE } from './import-connection.ts';
import { sortedColumn } from './sort-records.ts';
import type { VersionWriter } from './version-writer.ts';

/**
 * Writes the column file. It stays attached to the connection as its main database, so that the records can
 * be read without its name.
 */
export const columnWriter: VersionWriter = {
  files: [COLUMN_FILE],
  isDerived: false,
  write: async ({ connection: { run, list }, dataset, folder }) => {
    const fold = await openFoldSql(list);
    const values = dataset.fields.map((_, index) => sortedColumn(index));
    const folds = dataset.fields.flatMap(({ type }, index) =>
      type === 'string' ? [fold(sortedColumn(index))] : [],
    );
    await run(attachNewSql(folder, COLUMN_DATABASE));
    await run(`USE ${COLUMN_DATABASE}`);
    await run(`CREATE TABLE ${RECORD_TABLE} (${columnDefinitions(dataset).join(', ')})`);
    await run(
      `INSERT INTO ${RECORD_TABLE}
        SELECT ${['rowid', ...values, ...folds].join(', ')} FROM ${SORTED_TABLE}`,
    );
    await run('CHECKPOINT');
  },
};

const COLUMN_DATABASE = 'kept';

function columnDefinitions(dataset: Dataset): readonly string[] {
  return [
    `${ROW_COLUMN} BIGINT NOT NULL`,
    ...dataset.fields.map((field) => {
      const presence = dataset.key.includes(field.name) ? ' NOT NULL' : '';
      return `${quoteIdentifier(field.name)} ${COLUMN_TYPES[field.type]}${presence}`;
    }),
    ...dataset.fields
      .filter((field) => field.type === 'string')
      .map((field) => `${quoteIdentifier(foldColumn(field.name))} VARCHAR`),
  ];
}
