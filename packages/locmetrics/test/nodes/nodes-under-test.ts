import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, createDatabase } from '../clickhouse/create-database.ts';
import { type ChdbServer, startChdbServer } from '../clickhouse/start-chdb-server.ts';
import { runProcess } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Nodes over one ClickHouse and one PostgreSQL. Each has a data directory of its own, named as the node is. */
export type NodesUnderTest = {
  readonly postgres: RunningPostgres;
  readonly clickhouse: ChdbServer;
  /** The data directory of a node. */
  readonly directoryOf: (node: string) => string;
  /** Runs a command to its end on the data directory of a node; returns its standard output. */
  readonly run: (node: string, ...parameters: readonly string[]) => Promise<string>;
  /** Publishes files, one of which is the manifest, on a node. */
  readonly publish: (
    node: string,
    files: Readonly<Record<string, string>>,
    ...flags: readonly string[]
  ) => Promise<void>;
  /** Starts the service of a node: on free ports over HTTP and gRPC in plaintext, or with these flags. */
  readonly serve: (node: string, ...flags: readonly string[]) => Promise<Service>;
  readonly end: () => Promise<void>;
};

/** The nodes make no row files, so that those that do not publish answer from ClickHouse, unless the settings say otherwise. */
export async function openNodes(
  settings: Readonly<Record<string, string>> = { LOCMETRICS_CLICKHOUSE_ROW_FILES: '0' },
): Promise<NodesUnderTest> {
  const folder = temporaryFolder();
  const [postgres, clickhouse] = await Promise.all([startPostgres(), startChdbServer()]);
  const database = await createDatabase(clickhouse.url);
  const environment = {
    LOCMETRICS_CONTROL: await postgres.createDatabase(),
    LOCMETRICS_CLICKHOUSE: addressOf(clickhouse.url, database),
    ...settings,
  };
  const started: Service[] = [];
  const directoryOf = (node: string): string => join(folder, node);
  const dataOf = (node: string): readonly string[] => ['--data', directoryOf(node)];
  const run: NodesUnderTest['run'] = async (node, ...parameters) => {
    const given = [...parameters, ...dataOf(node)];
    const { code, data, messages } = await runProcess(given, { environment });
    if (code === 0) return data;
    throw new Error(`locmetrics ${parameters.join(' ')} ended with ${code}:\n${messages}`);
  };
  let published = 0;
  return {
    postgres,
    clickhouse,
    directoryOf,
    run,
    publish: async (node, files, ...flags) => {
      published += 1;
      const source = join(folder, `files-${published}`);
      mkdirSync(source);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
      await run(node, 'publish', join(source, 'locmetrics.yaml'), ...flags);
    },
    serve: async (node, ...flags) => {
      const given = flags.length > 0 ? flags : ['--grpc-plaintext', '127.0.0.1:0'];
      const service = await startService(directoryOf(node), given, { environment });
      started.push(service);
      return service;
    },
    end: async () => {
      for (const { kill } of started) kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await database.driver.close();
      await Promise.all([postgres.end(), clickhouse.stop()]);
    },
  };
}
