import { Client, type ClientBase, type ClientConfig, Pool, type QueryConfig } from 'pg';
import { isAway, PostgresError, toPostgresError } from './postgres-error.ts';

/** A row by the names of its columns. Whole numbers are numbers, bytes are Buffers. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** Runs a statement with values for `$1`, `$2` …; throws a `PostgresError`. */
export type RunStatement = (
  text: string,
  values?: readonly unknown[],
) => Promise<readonly PostgresRow[]>;

export type TransactionOptions = {
  /** All its statements read the same state, and write nothing. */
  readonly snapshot?: boolean;
  /**
   * The transaction is given up, with its connection, when it has not ended at this time of `performance.now()`.
   * Default: never; each statement has its own timeout.
   */
  readonly untilMs?: number;
};

/** The database that several nodes share. All throw a `PostgresError`. */
export type Postgres = {
  readonly query: RunStatement;
  /**
   * Runs work in a transaction, and rolls back if it throws. If the connection is lost during the commit, the error is
   * `unsure`.
   */
  readonly transaction: <Result>(
    work: (query: RunStatement) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
  /** A connection of its own, for what belongs to a connection: notices, and locks that it holds. */
  readonly connect: () => Promise<PostgresConnection>;
  /** The address, without user and password. */
  readonly address: string;
  readonly close: () => Promise<void>;
};

export type PostgresConnection = {
  readonly query: RunStatement;
  /** Called with the payload of each notice. */
  readonly onNotice: (work: (payload: string) => void) => void;
  /** Called once when the connection is lost, not when it is closed. */
  readonly onLost: (work: () => void) => void;
  readonly close: () => Promise<void>;
};

/** All tables are in this schema of the database. */
export const SCHEMA = 'locmetrics';

const ANSWER_TIMEOUT_MS = 5_000;
/** Statements take milliseconds; one that waits longer is lost with its connection. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The database ends a statement before the client gives up. */
const CLIENT_MARGIN_MS = 1_000;
const IDLE_MS = 30_000;
/** A process that stands still must not hold locks that others wait for. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Connects with the first statement. */
export function openPostgres(
  url: string,
  {
    connectionsMax = 4,
    applicationName = 'locmetrics',
    timeoutMs = STATEMENT_TIMEOUT_MS,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
  }: {
    readonly connectionsMax?: number;
    readonly applicationName?: string;
    /** A statement without an answer for this long is given up, with its connection. Default: 30 s. */
    readonly timeoutMs?: number;
    /**
     * The same for a new connection, the wait for a free one, and the first statement of a transaction: they wait for
     * no lock, so a database that is silent is stopped or cannot be reached. Default: 5 s.
     */
    readonly answerTimeoutMs?: number;
  } = {},
): Postgres {
  const address = addressOf(url);
  const config: ClientConfig = {
    connectionString: url,
    application_name: applicationName,
    options: `-c search_path=${SCHEMA}`,
    connectionTimeoutMillis: answerTimeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + CLIENT_MARGIN_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  };
  const pool = new Pool({
    ...config,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  });
  // An idle connection was lost; the next statement opens another one.
  pool.on('error', () => {});
  // One that is lost between two statements fails the next one, not the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const explaining = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw toPostgresError(error, address);
    }
  };
  return {
    address,
    query: (text, values) => explaining(() => rowsOf(pool, text, values)),
    transaction: async (work, { snapshot = false, untilMs = Number.POSITIVE_INFINITY } = {}) => {
      const client = await explaining(() => pool.connect());
      // Also reported to the waiting statement; without a listener it would end the process.
      client.on('error', ignoreError);
      const queryWithin = (waitMs: number): RunStatement => {
        const leftMs = Math.min(waitMs, untilMs - performance.now());
        return (text, values) => explaining(() => rowsWithin(client, leftMs, text, values));
      };
      const query: RunStatement = (...given) => queryWithin(timeoutMs + CLIENT_MARGIN_MS)(...given);
      let isBroken = false;
      try {
        const begin = snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN';
        await queryWithin(answerTimeoutMs)(begin);
        const result = await work(query);
        if (performance.now() >= untilMs) throw toPostgresError(new Error(TOO_LATE), address);
        await commit(query);
        return result;
      } catch (error) {
        // A connection without an answer would be waited for once more.
        isBroken =
          isAway(error) ||
          (await query('ROLLBACK').then(
            () => false,
            () => true,
          ));
        throw error;
      } finally {
        client.removeListener('error', ignoreError);
        client.release(isBroken);
      }
    },
    connect: () => explaining(() => connect(config, address)),
    close: () => pool.end(),
  };
}

function ignoreError(): void {}

async function commit(query: RunStatement): Promise<void> {
  try {
    await query('COMMIT');
  } catch (error) {
    if (!(error instanceof PostgresError) || error.kind === 'refused') throw error;
    throw new PostgresError('unsure', error.message, error.hint, error);
  }
}

async function connect(config: ClientConfig, address: string): Promise<PostgresConnection> {
  const client = new Client(config);
  let isClosed = false;
  let onLost = (): void => {};
  const lose = (): void => {
    if (isClosed) return;
    isClosed = true;
    onLost();
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  return {
    query: async (text, values) => {
      try {
        return await rowsOf(client, text, values);
      } catch (error) {
        throw toPostgresError(error, address);
      }
    },
    onNotice: (work) => client.on('notification', ({ payload = '' }) => work(payload)),
    onLost: (work) => {
      onLost = work;
    },
    close: async () => {
      isClosed = true;
      await client.end().catch(() => {});
    },
  };
}

const TOO_LATE = 'it did not answer in time';

/** Throws, with nothing sent, if the time is over. The connection cannot be used again after a timeout. */
async function rowsWithin(
  client: Pick<ClientBase, 'query'>,
  waitMs: number,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly PostgresRow[]> {
  if (waitMs <= 0) throw new Error(TOO_LATE);
  const { rows } = await client.query<PostgresRow>(timedQuery(text, values, waitMs));
  return rows;
}

/** The library knows a timeout of a single statement, but its types do not. */
function timedQuery(text: string, values: readonly unknown[], waitMs: number): QueryConfig {
  return Object.assign({ text, values: [...values] }, { query_timeout: Math.ceil(waitMs) });
}

async function rowsOf(
  client: Pick<ClientBase, 'query'> | Pick<Pool, 'query'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly PostgresRow[]> {
  const { rows } = await client.query<PostgresRow>(text, [...values]);
  return rows;
}

/** For messages: never with a user or password. */
function addressOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return 'an address that cannot be read';
  const host =
    parsed.hostname === '' ? (parsed.searchParams.get('host') ?? 'localhost') : parsed.host;
  return `${host}${parsed.pathname}`;
}

const INT8 = 20;
const BYTEA = 17;
const INT4 = 23;
const FLOAT8 = 701;
const BOOL = 16;

/** By the number of the type; all else is text as PostgreSQL writes it. */
function parserOf(type: number): (text: string) => unknown {
  if (type === INT8 || type === INT4) return wholeNumber;
  if (type === FLOAT8) return Number;
  if (type === BOOL) return (text) => text === 't';
  if (type === BYTEA) return (text) => Buffer.from(text.slice('\\x'.length), 'hex');
  return (text) => text;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`PostgreSQL sent ${text}, which is not a number of up to 53 bits.`);
}
