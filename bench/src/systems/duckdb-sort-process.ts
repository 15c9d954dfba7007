import { DuckDBInstance } from '@duckdb/node-api';

// Sorts the visits with DuckDB and its default settings: the minimum work of a publish.
const [, , kind, source = '', sorted = ''] = process.argv;
const quote = (path: string): string => `'${path.replaceAll("'", "''")}'`;
const query = `FROM read_parquet(${quote(source)}) ORDER BY location_id, observation_start_date`;

const instance = await DuckDBInstance.create(kind === 'table' ? sorted : ':memory:');
const connection = await instance.connect();
await connection.run(
  kind === 'table'
    ? `CREATE TABLE sorted AS ${query}`
    : `COPY (${query}) TO ${quote(sorted)} (FORMAT parquet)`,
);
connection.closeSync();
instance.closeSync();
