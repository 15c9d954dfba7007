import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { boundValues } from '../bound-values.ts';
import { type ClickhouseDriver, ClickhouseError } from '../clickhouse-driver.ts';
import { parseRows, ROWS_FORMAT } from '../parse-rows.ts';

/**
 * A ClickHouse server over HTTP.
 *
 * - `url`: for example `https://clickhouse.example:8443`.
 * - `connectionsMax`: the sockets for queries. One more is kept for ending them.
 * - `timeoutMs`: after so long without a byte of the server it counts as unreachable.
 */
export function openHttpDriver({
  url,
  username,
  password,
  connectionsMax,
  timeoutMs,
}: {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly connectionsMax: number;
  readonly timeoutMs: number;
}): ClickhouseDriver {
  const shared = {
    url,
    username,
    password,
    request_timeout: timeoutMs,
    // Errors are thrown, and the log belongs to the service.
    log: { level: ClickHouseLogLevel.OFF },
  };
  const client = createClient({
    ...shared,
    max_open_connections: connectionsMax,
    // Ten thousand values do not fit into an address.
    use_multipart_params_auto: true,
  });
  const control = createClient({ ...shared, max_open_connections: 1 });
  const explained = <Result>(answer: Promise<Result>): Promise<Result> =>
    answer.catch((error: unknown) => {
      throw toDriverError(error, url);
    });
  return {
    query: async ({ text, parameters }, { settings, signal }) => {
      signal.throwIfAborted();
      const queryId = randomUUID();
      const connection = new AbortController();
      const stop = (): void => {
        // A server goes on with a query whose connection is closed, unless it is cancelled. Otherwise it ends by its own limit.
        control
          .command({ query: `KILL QUERY WHERE query_id = '${queryId}' ASYNC` })
          .catch(() => {});
        connection.abort();
      };
      signal.addEventListener('abort', stop, { once: true });
      try {
        const result = await client.query({
          query: text,
          query_params: boundValues(parameters),
          format: ROWS_FORMAT,
          query_id: queryId,
          abort_signal: connection.signal,
          // The answer is sent when it is complete, so an error never follows a part of it.
          clickhouse_settings: { ...settings, wait_end_of_query: 1 },
        });
        return parseRows(await result.text());
      } catch (error) {
        signal.throwIfAborted();
        throw toDriverError(error, url);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    insertFile: async ({ table, columns }, path, { settings, signal }) => {
      const values = createReadStream(path);
      try {
        await client.insert({
          table,
          columns: [quoteIdentifier(first(columns)), ...columns.slice(1).map(quoteIdentifier)],
          values,
          format: 'Parquet',
          clickhouse_settings: settings,
          ...(signal === undefined ? {} : { abort_signal: signal }),
        });
      } catch (error) {
        signal?.throwIfAborted();
        throw toDriverError(error, url);
      } finally {
        values.destroy();
      }
    },
    writeFile: async (text, path, { settings, signal }) => {
      try {
        const { stream } = await client.exec({
          query: `${text} FORMAT Parquet`,
          clickhouse_settings: { ...settings, wait_end_of_query: 1 },
          ...(signal === undefined ? {} : { abort_signal: signal }),
        });
        await pipeline(stream, createWriteStream(path));
      } catch (error) {
        signal?.throwIfAborted();
        throw toDriverError(error, url);
      }
    },
    command: async (query) => {
      await explained(client.command({ query }));
    },
    close: async () => {
      await Promise.all([client.close(), control.close()]);
    },
  };
}

/** The client wants to see that there is one. */
function first(columns: readonly string[]): string {
  const [name] = columns;
  if (name === undefined) throw new Error('An insert has columns.');
  return name;
}

/** The error of the driver for one of the client: one of the database, or that it cannot be reached. */
function toDriverError(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  // Servers before 2020 do not name the kind of error, so the client does not see its number.
  const number = 'code' in error ? Number(error.code) : Number.NaN;
  const code = Number.isInteger(number) ? number : Number(CODE.exec(error.message)?.[1]);
  if (Number.isInteger(code)) return new ClickhouseError(code, error.message, error);
  return new ServiceError('NOT_READY', `The database at ${new URL(url).host} does not answer.`, {
    hint: 'Try again after a second.',
    cause: error,
  });
}

const CODE = /^Code: (\d+)/;
