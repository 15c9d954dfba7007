import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as passTime } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Compares two ways to share a port between two worker processes, on Linux: `locmetrics serve`, whose primary hands
 * each connection over, and bare servers that listen with SO_REUSEPORT. It measures how evenly connections are
 * shared, and how many new ones get no answer while workers are killed.
 *
 *   node packages/locmetrics/scripts/measure-listening.ts
 */
const CONNECTIONS = 20;
const SHARED_TIMES = 50;
const KILLS = 60;
const KILL_EVERY_MS = 333;
const CONNECT_EVERY_MS = 2;
const ANSWER_TIMEOUT_MS = 10_000;

type Service = {
  readonly port: number;
  /** The processes of the workers that run now. */
  readonly workers: () => readonly number[];
  readonly close: () => Promise<unknown>;
};

if (process.send === undefined) {
  await measure('handed over', await openServe());
  await measure('SO_REUSEPORT', await openReusing());
} else {
  const server = createServer((_, response) => response.end('{}'));
  const listening = { host: '127.0.0.1', port: Number(process.argv[2]), reusePort: true };
  server.listen(listening, () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(name: string, { port, workers, close }: Service): Promise<void> {
  try {
    const largest: number[] = [];
    for (let time = 0; time < SHARED_TIMES; time += 1)
      largest.push(await largestShare(port, workers()));
    largest.sort((left, right) => left - right);
    process.stdout.write(
      `${name}: of ${CONNECTIONS} connections one worker had ${largest[SHARED_TIMES / 2]} (median), ${largest.at(-1)} at most\n`,
    );
    let isKilling = true;
    const answers: Promise<boolean>[] = [];
    const asking = (async () => {
      for (; isKilling; await passTime(CONNECT_EVERY_MS)) answers.push(isAnswered(port));
    })();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await passTime(KILL_EVERY_MS);
      const pids = workers();
      const pid = pids[kill % pids.length];
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    }
    isKilling = false;
    await asking;
    const lost = (await Promise.all(answers)).filter((answered) => !answered).length;
    process.stdout.write(
      `${name}: of ${answers.length} new connections during ${KILLS} kills ${lost} got no answer\n`,
    );
  } finally {
    await close();
  }
}

/** The most connections of one worker, when some are opened at once. */
async function largestShare(port: number, pids: readonly number[]): Promise<number> {
  const before = pids.map(countSockets);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)));
  await passTime(50);
  const shares = pids.map((pid, index) => countSockets(pid) - (before[index] ?? 0));
  for (const socket of sockets) socket.destroy();
  await passTime(50);
  return Math.max(...shares);
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => resolve(socket)).once(
      'error',
      reject,
    );
  });
}

function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
  });
}

async function openServe(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'locmetrics-listening-'));
  const entryPoint = fileURLToPath(new URL('../bin/locmetrics.js', import.meta.url));
  const flags = ['--data', folder, '--http', '127.0.0.1:0', '--grpc', 'off', '--workers', '2'];
  const child = spawn(process.execPath, [entryPoint, 'serve', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const pids = new Map<number, number>();
  const port = await new Promise<number>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { kind, worker, pid, url } = JSON.parse(line);
      if (kind === 'worker_started') pids.set(worker, pid);
      if (kind === 'worker_exited') pids.delete(worker);
      if (kind === 'server_listening' && url !== undefined) resolve(Number(new URL(url).port));
    });
  });
  return {
    port,
    workers: () => [...pids.values()],
    close: async () => {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

async function openReusing(): Promise<Service> {
  const running = new Set<ChildProcess>();
  let isClosing = false;
  const start = async (port: number): Promise<number> => {
    const child = fork(fileURLToPath(import.meta.url), [String(port)]);
    child.once('exit', () => {
      running.delete(child);
      if (!isClosing) void start(opened);
    });
    const listening = await new Promise<number>((resolve) => {
      child.once('message', (found) => resolve(Number(found)));
    });
    running.add(child);
    return listening;
  };
  const opened = await start(0);
  await start(opened);
  return {
    port: opened,
    workers: () => [...running].flatMap(({ pid }) => pid ?? []),
    close: () => {
      isClosing = true;
      return Promise.all([...running].map((child) => end(child, 'SIGKILL')));
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
