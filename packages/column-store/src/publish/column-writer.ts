import { strict as assert } from 'node:assert';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { isFolded } from '@locmetrics/core/domain/field';
import { VECTOR_COLUMNS } from '@locmetrics/core/sql/compile-chord';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { foldForSearch } from '@locmetrics/core/text/search-fold';
import { foldCharacter } from '@locmetrics/core/text/text-fold';
import { attachNewSql, attachReadOnlySql } from '../attach-database.ts';
import {
  COLUMN_FILE,
  COLUMN_TYPES,
  foldColumn,
  RECORD_TABLE,
  ROW_COLUMN,
  searchColumn,
} from '../record-table.ts';
import { SORTED_TABLE } from './import-connection.ts';
import { linkFile } from './link-file.ts';
import { mergeRecords, type RecordPart } from './merge-records.ts';
import { sortedColumn } from './sort-records.ts';
import { VECTOR_VALUES, withVectors } from './vector-columns.ts';
import type { NewRecords, VersionWriter } from './version-writer.ts';
import type { ListRows } from './watched-connection.ts';

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
  const folds = dataset.fields.flatMap((field, index) =>
    isFolded(field) ? [fold(sortedColumn(index))] : [],
  );
  const vectors = dataset.vectors === undefined ? [] : VECTOR_VALUES;
  const searches = dataset.searchRule === 2 ? searchFolds(connection, dataset, fold) : [];
  await run(attachNewSql(folder, COLUMN_DATABASE));
  await run(`USE ${COLUMN_DATABASE}`);
  await run(createRecordsSql(RECORD_TABLE, dataset));
  const write = (part: RecordPart) =>
    run(
      `INSERT INTO ${RECORD_TABLE} SELECT ${[ROW_COLUMN, ...values, ...folds, ...searches, ...vectors].join(', ')} FROM (${withVectors(part, dataset)})`,
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

/** The expressions of the texts folded for searches. Those of ASCII are not computed: their fold is that of the case. */
function searchFolds(
  { addFunction }: NewRecords['connection'],
  { fields }: Dataset,
  fold: FoldSql,
): readonly string[] {
  const texts = fields.flatMap((field, index) => (isFolded(field) ? [sortedColumn(index)] : []));
  if (texts.length > 0) addFunction(SEARCH_FOLD, foldForSearch);
  return texts.map(
    (text) =>
      `CASE WHEN strlen(${text}) <> length(${text}) THEN nullif(${SEARCH_FOLD}(${text}), ${fold(text)}) END`,
  );
}

const SEARCH_FOLD = 'fold_for_search';

/** Creates the empty table of the records; `table` is its quoted name. */
export function createRecordsSql(table: string, dataset: Dataset): string {
  return `CREATE TABLE ${table} (${columnDefinitions(dataset).join(', ')})`;
}

function columnDefinitions(dataset: Dataset): readonly string[] {
  return [
    `${ROW_COLUMN} BIGINT NOT NULL`,
    ...dataset.fields.map((field) => {
      const presence = dataset.key.includes(field.name) ? ' NOT NULL' : '';
      return `${quoteIdentifier(field.name)} ${COLUMN_TYPES[field.type]}${presence}`;
    }),
    ...dataset.fields
      .filter(isFolded)
      .map((field) => `${quoteIdentifier(foldColumn(field.name))} VARCHAR`),
    ...dataset.fields
      .filter((field) => isFolded(field) && dataset.searchRule === 2)
      .map((field) => `${quoteIdentifier(searchColumn(field.name))} VARCHAR`),
    ...(dataset.vectors === undefined
      ? []
      : Object.values(VECTOR_COLUMNS).map((name) => `${name} DOUBLE`)),
  ];
}

/**
 * Only the first two planes of Unicode have letters with a case: the others are ideographs, tags and
 * private use. Checking those too takes eight times as long, once for each published dataset.
 */
const CASED_POINTS_END = 0x2_0000;

/** The SQL that folds a text, given as SQL. */
type FoldSql = (text: string) => string;

let known: FoldSql | undefined;

/**
 * Makes the SQL of `foldText`. DuckDB's `lower()` also folds by code point, but by an older Unicode
 * version. The code points on which both differ are detected at run time, once in a process, so that the
 * result is right for every release of both, and are replaced before `lower()` is called.
 */
async function openFoldSql(list: ListRows): Promise<FoldSql> {
  known ??= await compareFolds(list);
  return known;
}

async function compareFolds(list: ListRows): Promise<FoldSql> {
  const rows = await list(
    `SELECT chr(point::INTEGER) AS character, lower(chr(point::INTEGER)) AS folded
      FROM range(1, ${CASED_POINTS_END}) AS points(point)
      WHERE point NOT BETWEEN 55296 AND 57343 AND lower(chr(point::INTEGER)) <> chr(point::INTEGER)`,
  );
  const lowered = new Map(rows.map((row) => [String(row['character']), String(row['folded'])]));
  const from: string[] = [];
  const to: string[] = [];
  for (const character of new Set([...changedByFold(), ...lowered.keys()])) {
    const folded = foldCharacter(character);
    if ((lowered.get(character) ?? character) === folded) continue;
    // Otherwise lower() would change the replacements again.
    assert.equal(lowered.get(folded) ?? folded, folded);
    from.push(character);
    to.push(folded);
  }
  const translated = (text: string) =>
    `translate(${text}, ${quoteLiteral(from.join(''))}, ${quoteLiteral(to.join(''))})`;
  // A text of as many bytes as characters is ASCII, which nearly all are.
  return (text) =>
    `CASE WHEN strlen(${text}) = length(${text}) THEN lower(${text})
      ELSE lower(${translated(text)}) END`;
}

function changedByFold(): readonly string[] {
  const characters: string[] = [];
  for (let point = 0; point < CASED_POINTS_END; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (character.toLowerCase() !== character) characters.push(character);
  }
  return characters;
}
