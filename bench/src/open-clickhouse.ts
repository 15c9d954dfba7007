import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './driver/load-order.ts';
import { copyDataDirectory } from './systems/copy-data-directory.ts';
import { type Locmetrics, locmetricsAt } from './systems/locmetrics.ts';
import { startChdb } from './systems/start-chdb.ts';
import { startOverCluster } from './systems/start-over-cluster.ts';

/** The service over ClickHouse. A system that is not here is absent. */
export type OverClickhouse = AsyncDisposable & {
  /** Without the files of the versions. */
  readonly oursClickhouse?: Target;
  /** With the row files, which answer what they can. */
  readonly oursClickhouseWithRows?: Target;
  /** Over two shards. */
  readonly oursCluster?: Target;
  readonly versions: { readonly chdb?: string; readonly clickhouseCluster?: string };
};

/** The folders with ClickHouse on this machine, and a sentence for each form that is not measured. */
export type FoundClickhouse = {
  readonly chdb: string | undefined;
  readonly packages: string | undefined;
  readonly notMeasured: readonly string[];
};

/** Looks into the folders that the environment names. */
export function findClickhouse(environment: NodeJS.ProcessEnv): FoundClickhouse {
  const chdb = environment['LOCMETRICS_TEST_CHDB'];
  const packages = environment['LOCMETRICS_TEST_CLICKHOUSE'];
  const hasChdb = chdb !== undefined && existsSync(join(chdb, 'node_modules', 'chdb'));
  const hasPackages =
    packages !== undefined && PACKAGE_FILES.every((path) => existsSync(join(packages, path)));
  return {
    chdb: hasChdb ? chdb : undefined,
    packages: hasPackages ? packages : undefined,
    notMeasured: [
      ...(hasChdb
        ? []
        : [
            `Not measured: ClickHouse on one server, because ${placeOf('LOCMETRICS_TEST_CHDB', chdb, 'chDB')}. Install it in a folder with npm install chdb@3.4.0, and name the folder there.`,
          ]),
      ...(hasPackages
        ? []
        : [
            `Not measured: a cluster of ClickHouse, because ${placeOf('LOCMETRICS_TEST_CLICKHOUSE', packages, 'clickhouse-server and libzookeeper-java')}. Unpack Debian's packages in a folder, as npm run test:cluster does, and name the folder there.`,
          ]),
    ],
  };
}

const PACKAGE_FILES = ['usr/sbin/clickhouse-server', 'usr/share/java/zookeeper.jar'];

function placeOf(variable: string, value: string | undefined, what: string): string {
  return value === undefined ? `${variable} is not set` : `${value} of ${variable} has no ${what}`;
}

/** Loads the published versions into each ClickHouse that is here, and serves them from it. */
export async function openClickhouse({
  locmetrics,
  token,
  serverFlags,
  work,
  messages,
  signal,
}: {
  readonly locmetrics: Locmetrics;
  readonly token: string;
  readonly serverFlags: readonly string[];
  readonly work: string;
  readonly messages: (line: string) => void;
  readonly signal: AbortSignal;
}): Promise<OverClickhouse> {
  const { chdb, packages, notMeasured } = findClickhouse(process.env);
  for (const sentence of notMeasured) messages(sentence);
  await using things = new AsyncDisposableStack();
  const copy = async (
    name: string,
    without: Parameters<typeof copyDataDirectory>[2]['without'],
  ) => {
    const folder = join(work, name);
    await copyDataDirectory(locmetrics, folder, { without });
    return folder;
  };
  const overChdb = async (installed: string) => {
    messages('Loading ClickHouse');
    const database = things.use(await startChdb({ installed, folder: join(work, 'chdb') }));
    await locmetrics.loadClickhouse(database.address);
    await database.mergeTables();
    const serve = async (folder: string): Promise<Target> => {
      // Row files that are made meanwhile would answer in place of ClickHouse.
      const alone = ['--clickhouse-row-files', '0'];
      const flags = [...serverFlags, '--clickhouse', database.address, ...alone];
      return things.use(await locmetricsAt(folder, signal).serve({ token, flags })).http;
    };
    return {
      oursClickhouse: await serve(await copy('over-clickhouse', ['records.duckdb', 'rows.sqlite'])),
      oursClickhouseWithRows: await serve(
        await copy('over-clickhouse-with-rows', ['records.duckdb']),
      ),
      version: database.version,
    };
  };
  const overCluster = async (unpacked: string) => {
    messages('Loading a cluster of ClickHouse');
    return things.use(
      await startOverCluster({
        packages: unpacked,
        dataDirectory: await copy('over-cluster', ['rows.sqlite']),
        folder: join(work, 'cluster'),
        headers: { authorization: `Bearer ${token}` },
      }),
    );
  };
  const one = chdb === undefined ? undefined : await overChdb(chdb);
  signal.throwIfAborted();
  const cluster = packages === undefined ? undefined : await overCluster(packages);
  const kept = things.move();
  return {
    ...(one === undefined
      ? {}
      : {
          oursClickhouse: one.oursClickhouse,
          oursClickhouseWithRows: one.oursClickhouseWithRows,
        }),
    ...(cluster === undefined ? {} : { oursCluster: cluster.target }),
    versions: {
      ...(one === undefined ? {} : { chdb: one.version }),
      ...(cluster === undefined ? {} : { clickhouseCluster: cluster.version }),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
