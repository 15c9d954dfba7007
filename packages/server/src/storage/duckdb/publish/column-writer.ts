import type { Dataset } from '../../../domain/dataset.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import { attachNewSql, attachReadOnlySql } from '../attach-database.ts';
import {
  COLUMN_FILE,
  COLUMN_TYPES,
  foldColumn,
  RECORD_TABLE,
  ROW_COLUMN,
} from '../record-table.ts';
import { openFoldSql } from './fold-sql.ts';
import { SORTED_TABLE } from './import-connection.ts';
import { linkFile } from './link-file.ts';
import { mergeRecords, type RecordPart } from './merge-records.ts';
import { sortedColumn } from './sort-records.ts';
import type { NewRecords, VersionWriter } from './version-writer.ts';

/**
 * Writes the column file. It stays attached to the connection as its main database, so that the records can
 * be read without its name.
 */
export const columnWriter = openColumnWriter();

/** The same with up to so many records of a base, and as many new ones, in a part that is sorted. */
export function openColumnWriter(partRows?: number): VersionWriter {
  return {
    files: [COLUMN_FILE],
    isDerived: false,
    write: (records) => writeColumns(records, partRows),
  };
}

async function writeColumns(records: NewRecords, partRows: number | undefined): Promise<void> {
  const { connection, dataset, folder, base } = records;
  const { run, list } = connection;
  if (base?.isSame === true) {
    await linkFile(COLUMN_FILE, { from: base.folder, to: folder });
    await run(attachReadOnlySql(folder, COLUMN_DATABASE));
    await run(`USE ${COLUMN_DATABASE}`);
    return;
  }
  const fold = await openFoldSql(list);
  const values = dataset.fields.map((_, index) => sortedColumn(index));
  const folds = dataset.fields.flatMap(({ type }, index) =>
    type === 'string' ? [fold(sortedColumn(index))] : [],
  );
  await run(attachNewSql(folder, COLUMN_DATABASE));
  await run(`USE ${COLUMN_DATABASE}`);
  await run(`CREATE TABLE ${RECORD_TABLE} (${columnDefinitions(dataset).join(', ')})`);
  const write = (part: RecordPart) =>
    run(
      `INSERT INTO ${RECORD_TABLE} SELECT ${[ROW_COLUMN, ...values, ...folds].join(', ')} FROM (${part})`,
    );
  if (base === undefined) {
    await write(`SELECT rowid AS ${ROW_COLUMN}, ${values.join(', ')} FROM ${SORTED_TABLE}`);
  } else {
    // Each part is committed: in one transaction, the engine does not keep the order of several inserts.
    await mergeRecords({ ...records, base }, { partRows, write });
  }
  await run('CHECKPOINT');
}

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
