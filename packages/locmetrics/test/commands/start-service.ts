import { until } from '../support/until.ts';
import { type CommandOptions, linesOf, type RunningCommand, startCommand } from './run-command.ts';

/** A service that listens. */
export type Service = RunningCommand & {
  /** Of HTTP, such as `http://127.0.0.1:40001`. */
  readonly url: string;
  readonly metricsUrl: string;
  /** The `host:port` of the listener for a scheme, such as `grpcs`. */
  readonly addressOf: (scheme: string) => string;
  /** The process ids of the workers that are ready and still run, by their numbers. */
  readonly workers: () => ReadonlyMap<number, number>;
};

const FLAGS = { '--http': '127.0.0.1:0', '--grpc': 'off', '--workers': '1' };

/** Serves a data directory: over HTTP on a free port, with one worker, unless the flags, each with a value, say otherwise. */
export async function startService(
  data: string,
  flags: readonly string[] = [],
  { onStart, ...options }: CommandOptions & { readonly onStart?: (pid: number) => void } = {},
): Promise<Service> {
  const all = Object.entries(FLAGS)
    .filter(([name]) => !flags.includes(name))
    .flat();
  const parameters = ['--data', data, ...all, ...flags];
  const running = startCommand(['serve', ...parameters], options);
  onStart?.(running.pid);
  await running.untilItWrites('"server_listening"');
  const urls = (): readonly string[] =>
    linesOf(running).flatMap(({ kind, url }) => (kind === 'server_listening' ? [String(url)] : []));
  // The lines are written together, but may be read in parts.
  await until(() => urls().length === countListeners(parameters));
  const [url = ''] = urls();
  return {
    ...running,
    url,
    metricsUrl: urls().at(-1) ?? '',
    addressOf: (scheme) =>
      urls()
        .find((one) => one.startsWith(`${scheme}://`))
        ?.replace(/^.*:\/\//, '') ?? '',
    workers: () => workersOf(running),
  };
}

const LISTENERS = ['--http', '--https', '--grpc', '--grpc-plaintext', '--metrics'];

function countListeners(parameters: readonly string[]): number {
  return LISTENERS.filter((name) => {
    const index = parameters.indexOf(name);
    return index !== -1 && parameters[index + 1] !== 'off';
  }).length;
}

function workersOf(running: RunningCommand): ReadonlyMap<number, number> {
  const workers = new Map<number, number>();
  for (const { kind, worker, pid } of linesOf(running)) {
    if (kind === 'worker_started') workers.set(Number(worker), Number(pid));
    if (kind === 'worker_exited') workers.delete(Number(worker));
  }
  return workers;
}
