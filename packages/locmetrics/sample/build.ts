/**
 * Makes the files of `sample/data/` from a folder of source files:
 *
 *     node sample/build.ts --from DIR [--to DIR]
 *
 * `source-files.ts` lists the files that DIR must contain, `sample-files.ts` the files that are written.
 * Two runs write the same bytes. Another release of DuckDB may compress differently, and it writes its
 * version into Parquet files: the bytes may then differ, the values do not.
 */
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type SampleFile, sampleFiles } from './sample-files.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

type Folders = { readonly from: string; readonly to: string };

const usage = 'Usage: node sample/build.ts --from DIR [--to DIR]';

try {
  await build(parseFolders(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function build(folders: Folders): Promise<void> {
  requireSourceFiles(folders.from);
  await mkdir(folders.to, { recursive: true });
  // With one thread the order of the rows, and so of the bytes, is the same on every machine.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    for (const file of sourceFiles) {
      await loadSourceFile(connection, file, folders.from);
    }
    for (const file of sampleFiles) {
      await writeSampleFile(connection, file, folders.to);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function parseFolders(commandLine: readonly string[]): Folders {
  const { values } = parseArgs({
    args: [...commandLine],
    options: { from: { type: 'string' }, to: { type: 'string' } },
  });
  if (values.from === undefined || values.from === '') {
    throw new Error(`--from is missing: name the folder that holds the source files.\n${usage}`);
  }
  return { from: values.from, to: values.to ?? join(import.meta.dirname, 'data') };
}

function requireSourceFiles(from: string): void {
  const missing = sourceFiles.filter(({ path }) => !existsSync(join(from, path)));
  if (missing.length > 0) {
    const paths = missing.map(({ path }) => `  ${path}`).join('\n');
    throw new Error(`The folder '${from}' given with --from lacks source files:\n${paths}`);
  }
}

/**
 * Every column is read as text, to keep leading zeros and all digits of a coordinate. The CSV dialect is
 * explicit, because a detected dialect could change with the data.
 */
async function loadSourceFile(
  connection: DuckDBConnection,
  file: SourceFile,
  from: string,
): Promise<void> {
  await connection.run(
    `CREATE TABLE ${file.table} AS
     SELECT * FROM read_csv(
       $path, all_varchar = true, header = true, delim = ',', quote = '"', escape = '"'
     )`,
    { path: join(from, file.path) },
  );
}

async function writeSampleFile(
  connection: DuckDBConnection,
  file: SampleFile,
  to: string,
): Promise<void> {
  try {
    await copyToFile(connection, file, join(to, file.name));
  } catch (error) {
    // DuckDB's message has the problem but not the file.
    throw new Error(`Cannot make ${file.name}: ${messageOf(error)}`, { cause: error });
  }
}

/** With the primary key, DuckDB refuses a file with a blank or repeated key. */
async function copyToFile(
  connection: DuckDBConnection,
  file: SampleFile,
  path: string,
): Promise<void> {
  const key = file.key.join(', ');
  await connection.run(`CREATE OR REPLACE TABLE sample_file AS ${file.query}`);
  await connection.run(`ALTER TABLE sample_file ADD PRIMARY KEY (${key})`);
  await connection.run(
    `COPY (SELECT * FROM sample_file ORDER BY ${key}) TO $path (${file.options})`,
    { path },
  );
  const reader = await connection.runAndReadAll('SELECT count(*) FROM sample_file');
  const { size } = await stat(path);
  process.stdout.write(`${file.name}: ${reader.getRows()[0]?.[0]} rows, ${size} bytes\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
