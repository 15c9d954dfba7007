import type { DatabaseSync } from 'node:sqlite';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Value } from '@locmetrics/core/domain/value';
import { openBlockEncoder } from '../record-block.ts';
import { coveredFields, createBlocksSql, ORDINAL_TYPE } from '../row-file.ts';
import { readStored } from './read-stored.ts';

/**
 * Writes the ordinals of records with the covered fields, in blocks of so many. `rest` is the SQL after FROM
 * and the table. Returns the number of entries.
 */
export async function writeEntries(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  entries: {
    readonly dataset: Dataset;
    readonly table: string;
    readonly rest: string;
    readonly blockEntries: number;
    /** Called with the columns of each block: the ordinals, then the covered fields. */
    readonly onBlock?: (columns: readonly (readonly Value[])[]) => void;
  },
): Promise<number> {
  const { dataset, table, rest, blockEntries, onBlock } = entries;
  const fields = coveredFields(dataset);
  database.exec(createBlocksSql(table));
  const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
  const encoder = openBlockEncoder([ORDINAL_TYPE, ...fields.map(({ type }) => type)]);
  // The ordinals, then the fields.
  const empty = () => [undefined, ...fields].map((): Value[] => []);
  let columns = empty();
  let count = 0;
  let blocks = 0;
  const endBlock = (): void => {
    if (count === 0) return;
    insert.run(blocks, encoder.encode(columns, count));
    onBlock?.(columns);
    blocks += 1;
    columns = empty();
    count = 0;
  };
  for await (const chunk of readStored(connection, fields, { rest })) {
    for (let start = 0; start < chunk.count; ) {
      const end = Math.min(chunk.count, start + blockEntries - count);
      for (const [index, values] of columns.entries()) {
        const column = chunk.column(index);
        for (let row = start; row < end; row += 1) values.push(column(row));
      }
      count += end - start;
      start = end;
      if (count === blockEntries) endBlock();
    }
  }
  const entryCount = blocks * blockEntries + count;
  endBlock();
  return entryCount;
}
