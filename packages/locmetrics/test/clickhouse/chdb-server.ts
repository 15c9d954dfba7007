/**
 * The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, in front of chDB. It is started by
 * `start-chdb-server.ts`, which says what of it is real, with two arguments: the folder in which chDB is installed, and
 * that of its data. It sends its port to the process that started it, and ends with it.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const [, , chdbFolder = '', folder = ''] = process.argv;

/** The part of chDB that is used here. It has no types where it is not installed. */
type Chdb = { readonly Session: new (path: string) => Session };
type Session = { readonly connection: unknown; readonly close: () => void };
type Native = {
  /** The parameters are in the form in which they are in an address. */
  readonly QueryAsyncConnection: (
    connection: unknown,
    sql: string,
    format: string,
    parameters?: Readonly<Record<string, string>>,
  ) => Promise<unknown>;
};

const load = createRequire(join(chdbFolder, 'package.json'));
// Its types are those of the package, which is not installed with the others.
const { Session: ChdbSession } = load('chdb') as Chdb;
const { loadNative } = load(join(chdbFolder, 'node_modules', 'chdb', 'dist', 'loader.js')) as {
  readonly loadNative: () => Native;
};
const native = loadNative();
const dataFolder = join(folder, 'data');
const bodies = join(folder, 'bodies');
await mkdir(bodies, { recursive: true });
/** It keeps the data open as long as the process lives. */
const control = new ChdbSession(dataFolder);

/** The queries that have arrived and not ended, by their ids. */
const running = new Map<string, { isKilled: boolean; isStarted: boolean }>();
/** Queries with bound values wait for each other: see chDB's `runExclusiveParam`. */
let lastBound: Promise<unknown> = Promise.resolve();
let bodyCount = 0;

class QueryError extends Error {
  readonly code: number;

  constructor(message: string) {
    super(message);
    this.code = Number(/^Code: (\d+)/.exec(message)?.[1] ?? 0);
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof QueryError ? error.code : 0;
    if (response.headersSent) return response.destroy();
    response.writeHead(code === 60 || code === 81 ? 404 : 500, {
      'content-type': 'text/plain; charset=UTF-8',
      'x-clickhouse-exception-code': String(code),
    });
    return response.end(`${message}\n`);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.once('disconnect', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  if (pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  const id = searchParams.get('query_id') ?? '';
  const query = { isKilled: false, isStarted: false };
  running.set(id, query);
  let file: string | undefined;
  try {
    const inAddress = searchParams.get('query') ?? '';
    let text = inAddress;
    let parameters = parametersOf(searchParams);
    if (inAddress === '') {
      ({ text, parameters } = await readQuery(request, parameters));
    } else if (request.method === 'POST') {
      bodyCount += 1;
      file = join(bodies, String(bodyCount));
      await pipeline(request, createWriteStream(file));
    }
    if (/^\s*KILL QUERY/.test(text)) {
      kill(text);
      response.end();
      return;
    }
    const bytes = await run(file === undefined ? text : insertFrom(file, text), {
      id,
      query,
      parameters,
      settings: settingsOf(searchParams),
      database: searchParams.get('database') ?? 'default',
    });
    response.writeHead(200, { 'x-clickhouse-query-id': id, 'x-clickhouse-summary': '{}' });
    response.end(bytes);
  } finally {
    running.delete(id);
    if (file !== undefined) await rm(file, { force: true });
  }
}

/** The text of a query and its parameters: the body is the text, or a form with both. */
async function readQuery(request: IncomingMessage, parameters: Readonly<Record<string, string>>) {
  const body = await buffer(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return { text: body.toString('utf8'), parameters };
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const search = new URLSearchParams();
  for (const [name, value] of form) search.append(name, String(value));
  return {
    text: search.get('query') ?? '',
    parameters: { ...parameters, ...parametersOf(search) },
  };
}

function parametersOf(search: URLSearchParams): Readonly<Record<string, string>> {
  const entries = [...search].filter(([name]) => name.startsWith('param_'));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice('param_'.length), value]));
}

/** The parameters of an address that are no settings of the database. */
const NO_SETTINGS = new Set(['query', 'query_id', 'database', 'session_id', 'wait_end_of_query']);

function settingsOf(search: URLSearchParams): readonly (readonly [string, string])[] {
  return [...search].filter(([name]) => !NO_SETTINGS.has(name) && !name.startsWith('param_'));
}

/** An insert reads its columns by name from the file with its body. */
function insertFrom(file: string, text: string): string {
  const [, table, columns = '', format] =
    /^INSERT INTO ([\s\S]+?) \(([\s\S]*)\) FORMAT (\w+)\s*$/.exec(text) ?? [];
  if (table === undefined) throw new QueryError(`Code: 62. DB::Exception: Syntax error: ${text}`);
  return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM file('${file}', ${format})`;
}

type Running = {
  readonly id: string;
  readonly query: { isKilled: boolean; isStarted: boolean };
  readonly parameters: Readonly<Record<string, string>>;
  readonly settings: readonly (readonly [string, string])[];
  readonly database: string;
};

/** Runs a query in a session of its own, because settings stay in a session. */
async function run(sql: string, options: Running): Promise<Uint8Array> {
  const session = new ChdbSession(dataFolder);
  const { id, query, parameters, settings, database } = options;
  try {
    // chDB gives queries ids of its own, so the id is in the comment.
    const set = [...settings, ['log_comment', id] as const];
    const pairs = set.map(([name, value]) => `${name} = ${quote(value)}`);
    if (database !== 'default') await ask(session, `USE \`${database.replaceAll('`', '\\`')}\``);
    await ask(session, `SET ${pairs.join(', ')}`);
    const start = (): Promise<Uint8Array> => {
      if (query.isKilled) throw new QueryError(CANCELLED);
      query.isStarted = true;
      return ask(session, sql, parameters);
    };
    if (Object.keys(parameters).length === 0) return await start();
    const bound = lastBound.then(start);
    lastBound = bound.catch(() => {});
    return await bound;
  } finally {
    session.close();
  }
}

const CANCELLED = 'Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)';

async function ask(
  session: Session,
  sql: string,
  parameters?: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  try {
    const given =
      parameters === undefined || Object.keys(parameters).length === 0 ? [] : [parameters];
    const raw = await native.QueryAsyncConnection(
      session.connection,
      sql,
      'TabSeparated',
      ...given,
    );
    return bytesOf(raw);
  } catch (error) {
    throw new QueryError(error instanceof Error ? error.message : String(error));
  }
}

function bytesOf(raw: unknown): Uint8Array {
  if (raw instanceof Uint8Array) return raw;
  if (typeof raw === 'object' && raw !== null) {
    const found = Object.values(raw).find((value) => value instanceof Uint8Array);
    if (found !== undefined) return found;
  }
  return new Uint8Array(0);
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The interval of repeated attempts to stop a query. */
const KILL_AGAIN_MS = 20;

/** Ends the queries with the id in the text, also those that have not started. */
function kill(text: string): void {
  const id = /query_id = '([^']*)'/.exec(text)?.[1] ?? '';
  const query = running.get(id);
  if (query === undefined) return;
  query.isKilled = true;
  const again = (): void => {
    if (running.get(id) !== query) return;
    if (query.isStarted) {
      const condition = `Settings['log_comment'] = ${quote(id)}`;
      ask(control, `KILL QUERY WHERE ${condition} ASYNC`).catch(() => {});
    }
    setTimeout(again, KILL_AGAIN_MS);
  };
  again();
}
