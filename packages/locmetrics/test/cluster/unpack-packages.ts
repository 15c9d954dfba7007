import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder in which Debian's ClickHouse and ZooKeeper are unpacked, without their services: the one in
 * LOCMETRICS_TEST_CLICKHOUSE if it has both, else the given one, into which they are downloaded as far as that is possible.
 */
export function unpackPackages(folder: string): string {
  const given = process.env['LOCMETRICS_TEST_CLICKHOUSE'];
  if (given !== undefined && NEEDED.every((path) => existsSync(join(given, path)))) return given;
  mkdirSync(folder, { recursive: true });
  run(folder, 'apt-get', ['update', '-qq']);
  const libraries = dependencies(folder).filter((name) => /^lib(?!c6$|gcc-s1$)/.test(name));
  run(folder, 'apt-get', ['download', '-qq', ...SERVERS, ...libraries, ...ZOOKEEPER]);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.deb'))) {
    run(folder, 'dpkg', ['-x', name, '.']);
  }
  return folder;
}

const SERVERS = ['clickhouse-server', 'clickhouse-common'];
const ZOOKEEPER = [
  'libzookeeper-java',
  'libslf4j-java',
  'libsnappy-java',
  'libdropwizard-metrics-java',
  'libnetty-java',
];
const NEEDED = ['usr/sbin/clickhouse-server', 'usr/share/java/zookeeper.jar'];

/** The packages that the servers need, and those that these need. */
function dependencies(folder: string): readonly string[] {
  const without = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
  const options = ['--recurse', ...without.map((kind) => `--no-${kind}`)];
  return run(folder, 'apt-cache', ['depends', ...options, ...SERVERS])
    .split('\n')
    .filter((line) => /^\w/.test(line));
}

function run(cwd: string, command: string, parameters: readonly string[]): string {
  return spawnSync(command, parameters, { cwd, encoding: 'utf8' }).stdout ?? '';
}
