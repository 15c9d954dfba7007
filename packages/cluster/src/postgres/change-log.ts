import type { Postgres, PostgresRow, RunStatement } from './open-postgres.ts';
import type { PostgresSchema } from './postgres-schema.ts';

/** Held by each writer until its commit. */
const LOG_LOCK = 0x6c_6d_02;

/**
 * The log of changes: which row of which table has changed, in the order of the commits. Triggers write it, so that a
 * change by hand is in it too. Each writer waits for the lock of the log, so a number is never seen before a smaller one.
 * The last ten thousand changes are kept; a node that is further behind copies all rows.
 */
export const CHANGE_LOG_SCHEMA: PostgresSchema = {
  name: 'change log',
  migrations: [
    `CREATE TABLE store (
       id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
       is_only boolean NOT NULL DEFAULT true UNIQUE CHECK (is_only)
     );
     INSERT INTO store DEFAULT VALUES;
     CREATE TABLE change (
       number bigint PRIMARY KEY,
       table_name text NOT NULL,
       key text[] NOT NULL
     );
     CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
     DECLARE
       changed text[];
     BEGIN
       PERFORM pg_advisory_xact_lock(${LOG_LOCK});
       FOR changed IN
         SELECT DISTINCT ARRAY(
           SELECT state ->> name FROM unnest(TG_ARGV) WITH ORDINALITY AS part (name, place) ORDER BY place)
         FROM unnest(ARRAY[to_jsonb(OLD), to_jsonb(NEW)]) AS state WHERE state IS NOT NULL
       LOOP
         INSERT INTO change
         SELECT coalesce(max(number), 0) + 1, TG_TABLE_NAME, changed FROM change;
       END LOOP;
       DELETE FROM change WHERE number <= (SELECT max(number) FROM change) - 10000;
       PERFORM pg_notify('locmetrics', '');
       RETURN NULL;
     END $$;`,
  ],
};

/** The channel of the notices that something has changed. */
export const CHANGE_CHANNEL = 'locmetrics';

/** A table whose changes are in the log. */
export type LoggedTable = {
  readonly name: string;
  /** The columns of its key, with their types. */
  readonly key: Readonly<Record<string, 'text' | 'bigint'>>;
  readonly columns: readonly string[];
};

/**
 * The statement for a migration that lets the log know of a table. `updatesOf`: only updates of these columns are in
 * the log; default: all updates.
 */
export function logChangesSql(
  name: string,
  keyColumns: readonly string[],
  updatesOf: readonly string[] = [],
): string {
  const key = keyColumns.map((column) => `'${column}'`).join(', ');
  const columns = updatesOf.length === 0 ? '' : ` OF ${updatesOf.join(', ')}`;
  return `CREATE TRIGGER ${name}_recorded AFTER INSERT OR UPDATE${columns} OR DELETE ON ${name}
    FOR EACH ROW EXECUTE FUNCTION record_change(${key});`;
}

/** A state of the store that was copied. A store that was made anew, or restored, has another id. */
export type SeenState = { readonly storeId: string; readonly number: number };

/** The rows that have changed since a state that was seen. */
export type ChangedRows = SeenState & {
  /** Whether these are all rows, so that all others are gone. */
  readonly isAll: boolean;
  readonly tables: ReadonlyMap<
    string,
    {
      readonly rows: readonly PostgresRow[];
      /** The keys of rows that are gone; empty if these are all rows. */
      readonly removed: readonly (readonly string[])[];
    }
  >;
};

/** The number of the last change; with the lock of the log nothing else is changed until the transaction ends. */
export async function readState(
  query: RunStatement,
  { locks = false }: { readonly locks?: boolean } = {},
): Promise<SeenState> {
  if (locks) await query('SELECT pg_advisory_xact_lock($1)', [LOG_LOCK]);
  const [row] = await query(
    'SELECT id, (SELECT coalesce(max(number), 0) FROM change) AS number FROM store',
  );
  return { storeId: String(row?.['id']), number: Number(row?.['number']) };
}

/** Reads what has changed in these tables, of one moment; undefined if nothing has. */
export function readChanges(
  postgres: Pick<Postgres, 'transaction'>,
  tables: readonly LoggedTable[],
  seen: SeenState | undefined,
): Promise<ChangedRows | undefined> {
  return postgres.transaction(
    async (query) => {
      const state = await readState(query);
      const isKnown = seen !== undefined && seen.storeId === state.storeId;
      if (isKnown && seen.number === state.number) return undefined;
      const changes = isKnown ? await readLog(query, seen.number, state.number) : undefined;
      const read = new Map<
        string,
        { rows: readonly PostgresRow[]; removed: readonly string[][] }
      >();
      for (const table of tables) {
        if (changes === undefined) {
          read.set(table.name, { rows: await readAll(query, table), removed: [] });
          continue;
        }
        const keys = changes.get(table.name);
        if (keys !== undefined) read.set(table.name, await readKeys(query, table, keys));
      }
      return { ...state, isAll: changes === undefined, tables: read };
    },
    { snapshot: true },
  );
}

/** The changed keys by table; undefined if some of the log is no longer there. */
async function readLog(
  query: RunStatement,
  after: number,
  last: number,
): Promise<ReadonlyMap<string, readonly string[][]> | undefined> {
  if (after > last) return undefined;
  const rows = await query(
    'SELECT number, table_name, to_jsonb(key)::text AS key FROM change WHERE number > $1 ORDER BY number',
    [after],
  );
  if (Number(rows[0]?.['number']) !== after + 1) return undefined;
  const keys = new Map<string, Map<string, string[]>>();
  for (const row of rows) {
    const name = String(row['table_name']);
    const text = String(row['key']);
    const ofTable = keys.get(name) ?? new Map<string, string[]>();
    // Written by the trigger: a list of texts.
    ofTable.set(text, JSON.parse(text) as string[]);
    keys.set(name, ofTable);
  }
  return new Map([...keys].map(([name, ofTable]) => [name, [...ofTable.values()]]));
}

function readAll(query: RunStatement, { name, key, columns }: LoggedTable) {
  return query(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${Object.keys(key).join(', ')}`);
}

async function readKeys(
  query: RunStatement,
  { name, key, columns }: LoggedTable,
  keys: readonly string[][],
) {
  const names = Object.keys(key);
  const lists = Object.values(key).map((type, index) => `$${index + 1}::${type}[]`);
  const rows = await query(
    `SELECT ${columns.join(', ')} FROM ${name}
     WHERE (${names.join(', ')}) IN (SELECT * FROM unnest(${lists.join(', ')}))
     ORDER BY ${names.join(', ')}`,
    names.map((_, index) => keys.map((one) => one[index])),
  );
  const found = new Set(rows.map((row) => JSON.stringify(names.map((one) => String(row[one])))));
  return { rows, removed: keys.filter((one) => !found.has(JSON.stringify(one))) };
}
