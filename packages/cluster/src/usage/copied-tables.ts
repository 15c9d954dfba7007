import type { DatabaseSync } from 'node:sqlite';
import { readInteger } from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { RunStatement } from '../postgres/open-postgres.ts';

/** The tables of a usage store, for copies. Both kinds have the same columns. */
export type UsageTables = {
  readonly count: () => Promise<UsageCounts>;
  /** All rows in pieces, as values in the order of the columns. */
  readonly read: (table: CopiedTable) => AsyncIterable<readonly CopiedRow[]>;
  readonly add: (table: CopiedTable, rows: readonly CopiedRow[]) => Promise<void>;
};

/** How many rows the tables have. */
export type UsageCounts = Readonly<Record<CopiedTable['counted'], number>>;

export type CopiedTable = (typeof COPIED_TABLES)[number];
type CopiedRow = readonly (string | number)[];

const KEY_OF_SUM = 'organisation, day, token, operation, resource';

export const COPIED_TABLES = [
  {
    counted: 'records',
    sqlite: 'record',
    postgres: 'usage_record',
    texts: ['organisation', 'token', 'operation', 'resource', 'request'],
    integers: ['time', 'rows', 'bytes'],
    order: 'id',
  },
  {
    counted: 'sums',
    sqlite: 'used',
    postgres: 'usage_sum',
    texts: KEY_OF_SUM.split(', '),
    integers: ['requests', 'rows', 'bytes'],
    order: KEY_OF_SUM,
  },
  {
    counted: 'segments',
    sqlite: 'segment',
    postgres: 'usage_segment',
    texts: ['name'],
    integers: ['merged_bytes'],
    order: 'name',
  },
] as const;

const PIECE_ROWS = 5000;

export function sqliteTables(database: DatabaseSync): UsageTables {
  const countOf = ({ sqlite }: CopiedTable): number =>
    readInteger(database.prepare(`SELECT count(*) AS found FROM ${sqlite}`).get() ?? {}, 'found');
  return {
    count: () => countAll(async (table) => countOf(table)),
    read: async function* (table) {
      const columns = columnsOf(table);
      const select = database.prepare(
        `SELECT ${columns.join(', ')} FROM ${table.sqlite} ORDER BY ${table.order}`,
      );
      let piece: CopiedRow[] = [];
      for (const row of select.iterate()) {
        piece.push(columns.map((column) => toValue(row[column])));
        if (piece.length < PIECE_ROWS) continue;
        yield piece;
        piece = [];
      }
      yield piece;
    },
    add: async (table, rows) => {
      const columns = columnsOf(table);
      const insert = database.prepare(
        `INSERT INTO ${table.sqlite} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) insert.run(...row);
    },
  };
}

export function postgresTables(query: RunStatement): UsageTables {
  return {
    count: () =>
      countAll(async ({ postgres }) => {
        const [row] = await query(`SELECT count(*) AS found FROM ${postgres}`);
        return Number(row?.['found']);
      }),
    read: async function* (table) {
      const columns = columnsOf(table);
      await query(
        `DECLARE copied NO SCROLL CURSOR FOR
         SELECT ${columns.join(', ')} FROM ${table.postgres} ORDER BY ${table.order}`,
      );
      for (;;) {
        const rows = await query(`FETCH ${PIECE_ROWS} FROM copied`);
        yield rows.map((row) => columns.map((column) => toValue(row[column])));
        if (rows.length < PIECE_ROWS) break;
      }
      await query('CLOSE copied');
    },
    add: async (table, rows) => {
      const columns = columnsOf(table);
      const lists = columns.map((_, index) => {
        return `$${index + 1}::${index < table.texts.length ? 'text' : 'bigint'}[]`;
      });
      await query(
        `INSERT INTO ${table.postgres} (${columns.join(', ')}) SELECT * FROM unnest(${lists.join(', ')})`,
        columns.map((_, index) => rows.map((row) => storable(row[index]))),
      );
    },
  };
}

function columnsOf({ texts, integers }: CopiedTable): readonly string[] {
  return [...texts, ...integers];
}

async function countAll(count: (table: CopiedTable) => Promise<number>): Promise<UsageCounts> {
  const counts = { records: 0, sums: 0, segments: 0 };
  for (const table of COPIED_TABLES) counts[table.counted] = await count(table);
  return counts;
}

function toValue(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`A column of usage has a value of the type ${typeof value}.`);
}

/** A text of PostgreSQL has no zero character. */
function storable(value: string | number | undefined): string | number | undefined {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
