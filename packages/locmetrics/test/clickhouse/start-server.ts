import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/listen-locally.ts';
import { until } from '../support/until.ts';

/** A ClickHouse server on a free port of this machine. */
export type RunningServer = {
  readonly url: string;
  readonly version: string;
  readonly stop: () => Promise<void>;
  /** Stops its work, but not its connections. */
  readonly pause: () => void;
  readonly resume: () => void;
};

/**
 * Starts the server of Debian's package `clickhouse-server`, which is unpacked in a folder with its libraries. Its data
 * are in another folder, and stay there. Undefined if there is none, or if it does not answer.
 */
export async function startServer(
  unpacked: string,
  folder: string,
  options: {
    /** The port for HTTP; a free one without it. */
    readonly port?: number;
    /** More of its configuration, and of the settings of queries: elements of XML. */
    readonly more?: string;
    readonly settings?: string;
  } = {},
): Promise<RunningServer | undefined> {
  const program = join(unpacked, 'usr', 'sbin', 'clickhouse-server');
  if (!existsSync(program)) return undefined;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const libraries = ['usr/lib', 'lib'].map((part) => join(unpacked, part, 'x86_64-linux-gnu'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.xml'), configuration(folder, port, options.more ?? ''));
  writeFileSync(join(folder, 'users.xml'), users(options.settings ?? ''));
  const server = spawn(program, [`--config-file=${join(folder, 'config.xml')}`], {
    stdio: 'ignore',
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
  });
  server.on('error', () => {});
  process.once('exit', () => server.kill('SIGKILL'));
  const version = await until(async () => {
    if (server.exitCode !== null) return 'none';
    const answer = await fetch(`${url}/?query=SELECT%20version()`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => undefined);
    return answer?.ok === true && answer.text();
  });
  if (version === 'none') return undefined;
  return {
    url,
    version: version.trim(),
    stop: () => stop(server),
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
  };
}

const ANSWER_MS = 5_000;

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

function configuration(folder: string, port: number, more: string): string {
  return `<yandex>
  <logger><level>none</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/temporary/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  ${more}
</yandex>`;
}

function users(settings: string): string {
  return `<yandex>
  <profiles><default>${settings}</default></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
</yandex>`;
}
