import { once } from 'node:events';
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openHttpDriver } from '@locmetrics/cluster/clickhouse/http/open-http-driver';
import type { Value } from '@locmetrics/core/domain/value';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { writeLiterals } from './literals.ts';
import { BOOLEAN_MARK } from './old-dialect.ts';
import { toOldSettings, toOldStatement } from './old-statement.ts';
import { readLines } from './read-lines.ts';
import { toRowBinary } from './row-binary.ts';

/**
 * The driver over HTTP to a cluster of ClickHouse 18.16, with what these servers lack written in another way. The first
 * server is asked.
 */
export function openOldDriver(urls: readonly string[]): ClickhouseDriver {
  const [url = ''] = urls;
  const drivers = urls.map((one) =>
    openHttpDriver({
      url: one,
      username: 'default',
      password: '',
      connectionsMax: 4,
      timeoutMs: 60_000,
    }),
  );
  const [http] = drivers;
  if (http === undefined) throw new Error('There is no server to ask.');
  return {
    query: async (statement, { settings, signal }) => {
      const { parameters } = statement;
      const text = writeLiterals({ text: toOldStatement(statement.text), parameters });
      const rows = await http
        .query({ text, parameters: [] }, { settings: toOldSettings(settings), signal })
        .catch((error: unknown) => {
          throw needsTwoJoins(error) ? new ServiceError('INTERNAL', TWO_JOINS) : error;
        });
      return rows.map((row) => row.map(fromMarked));
    },
    insertFile: async ({ table, columns }, path, { settings }) => {
      const { signal } = new AbortController();
      const described = await http.query(
        { text: `DESCRIBE TABLE ${table}`, parameters: [] },
        { settings: {}, signal },
      );
      const typeOf = new Map(described.map(([name, type]) => [String(name), String(type)]));
      const names = columns.map((name) => `"${name}"`).join(', ');
      const query = new URLSearchParams({
        query: `INSERT INTO ${table} (${names}) FORMAT RowBinary`,
        ...Object.fromEntries(
          Object.entries(toOldSettings(settings)).map(([name, value]) => [name, String(value)]),
        ),
      });
      const body = toRowBinary(
        await readLines(path, columns),
        columns.map((name) => typeOf.get(name) ?? ''),
      );
      await post(`${url}/?${query}`, body);
    },
    writeFile: () => Promise.reject(new Error('ClickHouse 18.16 writes no Parquet.')),
    command: async (text) => {
      const sync = SYNC_ON_CLUSTER.exec(text);
      // The old server runs it only where it is asked.
      const asked = sync === null ? [http] : drivers;
      const statement = sync === null ? toOldStatement(text) : `SYSTEM SYNC REPLICA ${sync[1]}`;
      await Promise.all(asked.map((driver) => driver.command(statement)));
    },
    close: async () => {
      await Promise.all(drivers.map((driver) => driver.close()));
    },
  };
}

/** A group by components of both the features and the related features: a refusal, which the rights do not change. */
const TWO_JOINS = 'ClickHouse 18.16 joins no more than two tables in a query.';

function needsTwoJoins(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Support for more than one JOIN');
}

const SYNC_ON_CLUSTER = /^SYSTEM SYNC REPLICA ON CLUSTER "\w+" (.*)$/;

/** On a connection of its own: while the rows are written, the server closes one that was kept, which is not seen in time. */
async function post(url: string, body: Buffer): Promise<void> {
  const sent = request(url, { method: 'POST', agent: false }).end(body);
  const [answer] = await once(sent, 'response');
  const message = await readText(answer);
  if (answer.statusCode !== 200) throw new Error(message);
}

/** The value of a text that the dialect has marked. */
function fromMarked(value: Value): Value {
  const isMarked = typeof value === 'string' && value.startsWith(BOOLEAN_MARK);
  return isMarked ? value.endsWith('1') : value;
}
