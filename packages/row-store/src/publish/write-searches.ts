import type { DatabaseSync } from 'node:sqlite';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import { foldBy, type SearchRule, searchRuleOf } from '@locmetrics/core/domain/search-text';
import type { Value } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { foldCharacter } from '@locmetrics/core/text/text-fold';
import { firstLetters, openGramIndex } from '../grams.ts';
import { openBlockEncoder } from '../record-block.ts';
import {
  type BlockSizes,
  createBlocksSql,
  SEARCHED_VALUES_MAX,
  type SearchFacts,
} from '../row-file.ts';
import { openShortStarts } from '../short-starts.ts';
import { openWholeTexts } from '../whole-texts.ts';

/** Writes the distinct values of each text field that is marked `searchable`, and their grams. */
export async function writeSearches(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  { dataset, sizes }: { readonly dataset: Dataset; readonly sizes: BlockSizes },
): Promise<readonly SearchFacts[]> {
  const searches: SearchFacts[] = [];
  const rule = searchRuleOf([dataset]);
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
    const foldedTables =
      rule === 1
        ? {}
        : { foldedTables: { starts: `starts_${number}`, wholes: `wholes_${number}` } };
    const facts = { field: field.name, ...names, ...foldedTables, values };
    const capitals = await writeValues(database, connection, field, {
      facts,
      size: sizes.values,
      rule,
    });
    searches.push({ ...facts, capitals });
  }
  return searches;
}

/** The letters that folding changes among the first ones of the values. */
async function writeValues(
  database: DatabaseSync,
  { read }: NewRecords['connection'],
  { name, type }: Field,
  {
    facts: { valuesTable, gramsTable, foldedTables, values },
    size,
    rule,
  }: {
    readonly facts: Omit<SearchFacts, 'capitals'>;
    readonly size: number;
    readonly rule: SearchRule;
  },
): Promise<string> {
  database.exec(createBlocksSql(valuesTable));
  const insert = database.prepare(`INSERT INTO ${valuesTable} VALUES (?, ?)`);
  const encoder = openBlockEncoder([type]);
  const grams = openGramIndex();
  const starts = openShortStarts();
  const wholes = openWholeTexts(values);
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
      const folded = foldBy(rule, text);
      grams.add(folded, count);
      if (foldedTables === undefined) {
        for (const letter of firstLetters(text)) prefixes.add(letter);
      } else {
        starts.add(folded, count);
        wholes.add(folded, count);
      }
      count += 1;
      if (block.length === size) endBlock();
    }
  }
  endBlock();
  writeTable(database, gramsTable, { key: 'gram TEXT', value: 'numbers' }, grams.entries());
  if (foldedTables !== undefined) {
    writeTable(
      database,
      foldedTables.starts,
      { key: 'start TEXT', value: 'ranges' },
      starts.entries(),
    );
    writeTable(
      database,
      foldedTables.wholes,
      { key: 'bucket INTEGER', value: 'entries' },
      wholes.entries(),
    );
  }
  return [...prefixes]
    .filter((letter) => foldCharacter(letter) !== letter)
    .sort()
    .join('');
}

function writeTable(
  database: DatabaseSync,
  table: string,
  { key, value }: { readonly key: string; readonly value: string },
  entries: Iterable<readonly [string | number, Uint8Array]>,
): void {
  database.exec(`CREATE TABLE ${table} (${key} PRIMARY KEY, ${value} BLOB NOT NULL) STRICT`);
  const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
  for (const [of, bytes] of entries) insert.run(of, bytes);
}
