import type { DatabaseSync } from 'node:sqlite';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import { foldCharacter, foldText } from '@locmetrics/core/domain/text-fold';
import type { Value } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { firstLetters, openGramIndex } from '../grams.ts';
import { openBlockEncoder } from '../record-block.ts';
import {
  type BlockSizes,
  createBlocksSql,
  SEARCHED_VALUES_MAX,
  type SearchFacts,
} from '../row-file.ts';

/** Writes the distinct values of each text field that is marked `searchable`, and their grams. */
export async function writeSearches(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  { dataset, sizes }: { readonly dataset: Dataset; readonly sizes: BlockSizes },
): Promise<readonly SearchFacts[]> {
  const searches: SearchFacts[] = [];
  for (const field of dataset.fields) {
    if (field.searchable !== true || field.type !== 'string') continue;
    const column = quoteIdentifier(field.name);
    const [row] = await connection.list(
      `SELECT count(DISTINCT ${column})::DOUBLE AS found FROM ${RECORD_TABLE}`,
    );
    const values = Number(row?.['found']);
    if (values > SEARCHED_VALUES_MAX) continue;
    const number = searches.length;
    const names = { valuesTable: `values_${number}`, gramsTable: `grams_${number}` };
    const capitals = await writeValues(database, connection, field, {
      ...names,
      size: sizes.values,
    });
    searches.push({ field: field.name, ...names, values, capitals });
  }
  return searches;
}

/** The letters that folding changes among the first ones of the values. */
async function writeValues(
  database: DatabaseSync,
  { read }: NewRecords['connection'],
  { name, type }: Field,
  {
    valuesTable,
    gramsTable,
    size,
  }: { readonly valuesTable: string; readonly gramsTable: string; readonly size: number },
): Promise<string> {
  database.exec(createBlocksSql(valuesTable));
  const insert = database.prepare(`INSERT INTO ${valuesTable} VALUES (?, ?)`);
  const encoder = openBlockEncoder([type]);
  const grams = openGramIndex();
  const prefixes = new Set<string>();
  let block: Value[] = [];
  let blocks = 0;
  let count = 0;
  const endBlock = (): void => {
    if (block.length === 0) return;
    insert.run(blocks, encoder.encode([block], block.length));
    blocks += 1;
    block = [];
  };
  const value = quoteIdentifier(name);
  const distinct = `SELECT DISTINCT ${value} FROM ${RECORD_TABLE}
    WHERE ${value} IS NOT NULL ORDER BY ${value}`;
  for await (const chunk of read(distinct)) {
    const valueAt = chunk.column(0);
    for (let row = 0; row < chunk.count; row += 1) {
      const text = String(valueAt(row));
      block.push(text);
      grams.add(foldText(text), count);
      for (const letter of firstLetters(text)) prefixes.add(letter);
      count += 1;
      if (block.length === size) endBlock();
    }
  }
  endBlock();
  database.exec(`CREATE TABLE ${gramsTable} (gram TEXT PRIMARY KEY, numbers BLOB NOT NULL) STRICT`);
  const insertGram = database.prepare(`INSERT INTO ${gramsTable} VALUES (?, ?)`);
  for (const [gram, numbers] of grams.entries()) insertGram.run(gram, numbers);
  return [...prefixes]
    .filter((letter) => foldCharacter(letter) !== letter)
    .sort()
    .join('');
}
