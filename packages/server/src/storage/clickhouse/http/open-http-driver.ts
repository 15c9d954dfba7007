import { randomUUID } from 'node:crypto';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import { boundValues } from '../bound-values.ts';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { parseRows, ROWS_FORMAT } from '../parse-rows.ts';
import { toDriverError } from './to-driver-error.ts';

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
  const told = <Result>(answer: Promise<Result>): Promise<Result> =>
    answer.catch((error: unknown) => {
      throw toDriverError(error, url);
    });
  return {
    query: async ({ text, parameters }, { settings, signal }) => {
      signal.throwIfAborted();
      const queryId = randomUUID();
      const connection = new AbortController();
      const stop = (): void => {
        // A server goes on with a query whose connection is closed, unless it is told. It ends by its own limit otherwise.
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
    insert: async ({ table, columns }, lines, { settings }) => {
      const names = columns.map(quoteIdentifier).join(', ');
      const query = `INSERT INTO ${table} (${names}) FORMAT JSONCompactEachRow\n${lines}`;
      await told(client.command({ query, clickhouse_settings: settings }));
    },
    command: async (query) => {
      await told(client.command({ query }));
    },
    close: async () => {
      await Promise.all([client.close(), control.close()]);
    },
  };
}
