import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { Session } from 'node:inspector/promises';
import { connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import { readConfig } from '../../src/config/read-config.ts';
import type { ListenerName } from '../../src/processes/messages.ts';
import { startServing } from '../../src/serving/serve-worker.ts';
import { createTestData } from '../edge/test-data.ts';
import { VISITS } from '../edge/visits.ts';
import { listenLocally } from '../support/listen-locally.ts';
import { templatesFolder } from '../support/run-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { OPERATIONS, type Operation, type SentRequest } from './operations.ts';
import { byPipeline } from './pipeline-order.ts';

export type TracedFolder = {
  readonly folder: string;
  readonly files: readonly { readonly file: string; readonly functions: readonly string[] }[];
};

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

/** After so many requests everything that is kept between requests is there. */
const WARM_UP = 50;
/** A function belongs to the path if each of so many requests runs it: timers of the service run during some. */
const MEASURED = 25;

/** The functions of the source that a warm request runs in a worker, with the settings that a service has by default. */
export async function tracePath(
  operation: Operation,
  { isGrpc }: { readonly isGrpc: boolean },
): Promise<readonly TracedFolder[]> {
  // Outside a test run, the published data are shared with nobody.
  process.env['TMPDIR'] = temporaryFolder();
  await mkdir(templatesFolder());
  const data = await createTestData();
  await data.publishFiles(VISITS);
  const root = data.directory.root;
  const { config } = readConfig({ data: root, accessLog: 'off' }, {});
  const authority = openLimitAuthority({
    readUsedRows: async () => ({ day: 0, month: 0 }),
    observe: () => {},
  });
  const duties = await startServing(
    { worker: 1, config, root, connectionsMax: 10, perClientMax: 10, damaged: [] },
    { limits: authority.openLine(), checkFiles: (found) => duties.useChecked(found) },
  );
  try {
    await using client = await openClient(isGrpc, (listener, socket) => {
      socket.setNoDelay(true);
      duties.accept(listener, socket);
    });
    const send = (): Promise<void> => client.send(OPERATIONS[operation], data.token);
    for (let count = 0; count < WARM_UP; count += 1) await send();
    return toFolders(await countRuns(send));
  } finally {
    await duties.stop(0);
    await data.remove();
  }
}

/** How many of the measured requests ran each function, by its file and name. */
async function countRuns(send: () => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runs = new Map<string, number>();
  for (let count = 0; count < WARM_UP; count += 1) await send();
  for (let count = 0; count < MEASURED; count += 1) {
    // Each look resets the counts.
    await session.post('Profiler.takePreciseCoverage');
    await send();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    for (const { url, functions } of result) {
      if (!url.startsWith('file://')) continue;
      const path = fileURLToPath(url);
      const source = sourceOf(path);
      if (source === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        if (range === undefined || range.count === 0) continue;
        const key = JSON.stringify([source, range.startOffset, functionName || 'anonymous']);
        runs.set(key, (runs.get(key) ?? 0) + 1);
      }
    }
  }
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return runs;
}

function toFolders(runs: ReadonlyMap<string, number>): readonly TracedFolder[] {
  const found = [...runs]
    .filter(([, count]) => count === MEASURED)
    .map(([key]) => JSON.parse(key) as [path: string, offset: number, name: string]);
  const files = Map.groupBy(found, ([path]) => path);
  const folders = Map.groupBy([...files.keys()].sort(), folderOf);
  return [...folders]
    .map(([folder, paths]) => ({
      folder,
      files: paths.map((path) => ({
        file: path.slice(path.lastIndexOf('/') + 1),
        functions: (files.get(path) ?? [])
          .toSorted(([, left], [, right]) => left - right)
          .map(([, , name]) => name),
      })),
    }))
    .toSorted((left, right) => byPipeline(left.folder, right.folder));
}

/** A source file of the service as ARCHITECTURE.md names it: `core/plan/read-plan.ts`. */
function sourceOf(path: string): string | undefined {
  if (!path.startsWith(PACKAGES)) return undefined;
  const [name = '', folder, ...inside] = path.slice(PACKAGES.length).split('/');
  return folder === 'src' && name !== 'contract' ? [name, ...inside].join('/') : undefined;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

type Client = AsyncDisposable & {
  /** Resolves when the whole answer has arrived. Throws unless the request was answered. */
  readonly send: (request: SentRequest, token: string) => Promise<void>;
};

/** A client of Node's own modules, so that no function of ours runs for it. */
async function openClient(
  isGrpc: boolean,
  accept: (listener: ListenerName, socket: Socket) => void,
): Promise<Client> {
  const listener = isGrpc ? 'grpcPlaintext' : 'http';
  const server = createServer({ pauseOnConnect: true }, (socket) => accept(listener, socket));
  const listening = await listenLocally(server);
  const { send, close } = isGrpc ? openHttp2(listening.port) : openHttp(listening.port);
  return {
    send,
    [Symbol.asyncDispose]: async () => {
      close();
      await listening.close();
    },
  };
}

function openHttp2(port: number) {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  return {
    send: async ({ call, message }: SentRequest, token: string): Promise<void> => {
      const stream = session.request({
        ':method': 'POST',
        ':path': call,
        'content-type': 'application/grpc+proto',
        te: 'trailers',
        authorization: `Bearer ${token}`,
      });
      stream.end(message);
      let status: unknown;
      stream.once('trailers', (trailers) => {
        status = trailers['grpc-status'];
      });
      stream.resume();
      await once(stream, 'close');
      if (Number(status) !== 0) throw new Error(`The call ended with ${status}.`);
    },
    close: () => session.close(),
  };
}

function openHttp(port: number) {
  const socket = connect({ host: '127.0.0.1', port }).setEncoding('latin1');
  return {
    send: async ({ path, body }: SentRequest, token: string): Promise<void> => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      let text = '';
      do {
        const [more] = await once(socket, 'data');
        text += more;
      } while (!isWhole(text));
      if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`The answer is ${text}.`);
    },
    close: () => socket.destroy(),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(text)?.[1];
  return end !== -1 && length !== undefined && text.length >= end + 4 + Number(length);
}
