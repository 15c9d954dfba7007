import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ClickhouseCluster } from '@locmetrics/cluster/clickhouse/clickhouse-cluster';
import { type RunningServer, startServer } from '../clickhouse/start-server.ts';
import { freePort } from '../support/listen-locally.ts';
import { until } from '../support/until.ts';

/** The cluster as the service knows it. */
export const TEST_CLUSTER: ClickhouseCluster = { name: 'two', replicated: true };

/** How long the parts of a cluster wait for each other. */
export type ClusterWaits = {
  /** A statement on the cluster fails after so many seconds without one of its servers. */
  readonly statementMaxS: number;
  /** A server that is silent for so many seconds counts as failed. */
  readonly silentMaxS: number;
  /** The ticks of the ZooKeeper: a session is lost after twenty of them. */
  readonly tickMs: number;
};

/** The servers of a cluster on this machine, by shard and replica: `shards[0][1]` is the second server of the first. */
export type RunningCluster = {
  readonly shards: readonly (readonly ClusterServer[])[];
  readonly version: string;
  readonly stop: () => Promise<void>;
};

export type ClusterServer = {
  readonly url: string;
  /** Ends the process; its data stay. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
};

/**
 * Starts a cluster: ClickHouse as in `startServer`, and a ZooKeeper, which Debian's `libzookeeper-java` has, with the Java
 * of this machine. Nothing listens beyond loopback. Undefined, with all ended, if a part does not answer.
 */
export async function startCluster({
  unpacked,
  folder,
  shardCount,
  replicaCount,
  waits,
}: {
  readonly unpacked: string;
  readonly folder: string;
  readonly shardCount: number;
  readonly replicaCount: number;
  readonly waits: ClusterWaits;
}): Promise<RunningCluster | undefined> {
  const zookeeper = await startZookeeper(unpacked, join(folder, 'zookeeper'), waits);
  if (zookeeper === undefined) return undefined;
  const places = await Promise.all(
    Array.from({ length: shardCount }, (_, shard) =>
      Promise.all(Array.from({ length: replicaCount }, (__, replica) => placeOf(shard, replica))),
    ),
  );
  const common = sharedConfiguration(places, zookeeper.port);
  const started: ClusterServer[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    await zookeeper.stop();
  };
  try {
    const versions: string[] = [];
    const shards = await Promise.all(
      places.map((replicas) =>
        Promise.all(
          replicas.map(async (place) => {
            const server = await startPlace({ unpacked, folder, place, common, waits });
            started.push(server);
            versions.push(server.version);
            return server;
          }),
        ),
      ),
    );
    return { shards, version: versions[0] ?? '', stop };
  } catch {
    await stop();
    return undefined;
  }
}

/** A server of a shard, and its ports. */
type Place = {
  readonly shard: number;
  readonly replica: number;
  readonly http: number;
  readonly tcp: number;
  readonly interserver: number;
};

async function placeOf(shard: number, replica: number): Promise<Place> {
  const [http, tcp, interserver] = await Promise.all([freePort(), freePort(), freePort()]);
  return { shard, replica, http, tcp, interserver };
}

async function startPlace({
  unpacked,
  folder,
  place,
  common,
  waits,
}: {
  readonly unpacked: string;
  readonly folder: string;
  readonly place: Place;
  readonly common: string;
  readonly waits: ClusterWaits;
}): Promise<ClusterServer & { readonly version: string }> {
  const home = join(folder, `server-${place.shard}-${place.replica}`);
  const more = `${common}
  <tcp_port>${place.tcp}</tcp_port>
  <interserver_http_port>${place.interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <macros><shard>${place.shard + 1}</shard><replica>${place.replica + 1}</replica></macros>`;
  const begin = async (): Promise<RunningServer> => {
    const server = await startServer(unpacked, home, {
      port: place.http,
      more,
      settings: settingsOf(waits),
    });
    if (server === undefined) throw new Error(`The server in ${home} does not answer.`);
    return server;
  };
  let running = await begin();
  return {
    url: running.url,
    version: running.version,
    stop: () => running.stop(),
    start: async () => {
      running = await begin();
    },
    pause: () => running.pause(),
    resume: () => running.resume(),
  };
}

/** The old server takes its time limit for other servers from here, not from a query. */
function settingsOf({ statementMaxS, silentMaxS }: ClusterWaits): string {
  return `<distributed_ddl_task_timeout>${statementMaxS}</distributed_ddl_task_timeout>
  <receive_timeout>${silentMaxS}</receive_timeout>`;
}

function sharedConfiguration(places: readonly (readonly Place[])[], zookeeperPort: number): string {
  const shards = places.map((replicas) => {
    const servers = replicas.map(
      ({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`,
    );
    return `<shard><internal_replication>true</internal_replication>${servers.join('')}</shard>`;
  });
  return `<remote_servers><${TEST_CLUSTER.name}>${shards.join('')}</${TEST_CLUSTER.name}></remote_servers>
  <zookeeper><node><host>127.0.0.1</host><port>${zookeeperPort}</port></node></zookeeper>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>`;
}

/** The libraries of Java that a ZooKeeper alone needs, in Debian's folder for them. */
const JARS = [
  'zookeeper.jar',
  'zookeeper-jute.jar',
  'slf4j-api.jar',
  'slf4j-nop.jar',
  'snappy-java.jar',
  'metrics-core.jar',
  'netty-all.jar',
];

/** Little memory, and no wait for the disk: its data are removed with the test. */
const JAVA_OPTIONS = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-Dzookeeper.forceSync=no'];

async function startZookeeper(unpacked: string, folder: string, { tickMs }: ClusterWaits) {
  const jars = JARS.map((name) => join(unpacked, 'usr', 'share', 'java', name));
  if (!jars.every((jar) => existsSync(jar))) return undefined;
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'zoo.cfg');
  writeFileSync(
    file,
    [
      `dataDir=${folder}/data`,
      `clientPort=${port}`,
      'clientPortAddress=127.0.0.1',
      'admin.enableServer=false',
      `tickTime=${tickMs}`,
      '',
    ].join('\n'),
  );
  const main = 'org.apache.zookeeper.server.ZooKeeperServerMain';
  const java = spawn('java', [...JAVA_OPTIONS, '-cp', jars.join(':'), main, file], {
    stdio: 'ignore',
  });
  java.on('error', () => {});
  process.once('exit', () => java.kill('SIGKILL'));
  const hasEnded = (): boolean => java.pid === undefined || java.exitCode !== null;
  await until(async () => hasEnded() || (await serves(port)));
  return hasEnded() ? undefined : { port, stop: () => end(java) };
}

const ANSWER_MS = 2_000;

/** Whether it answers its question for the status; before that it accepts connections and closes them. */
function serves(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('srvr'));
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString();
    });
    socket.once('close', () => resolve(answer.includes('Mode: standalone')));
    socket.once('error', () => socket.destroy());
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
