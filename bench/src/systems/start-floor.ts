import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Target } from '../driver/load-order.ts';
import { startProgram } from './start-program.ts';

/** The answer of a floor to every request. */
export type FloorAnswer =
  | {
      readonly protocol: 'http';
      readonly bytes: number;
      /** Default: 200. */
      readonly status?: number;
      /** Besides those that Node sends by itself. Default: a content type. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly protocol: 'grpc';
      readonly bytes: number;
      readonly call: string;
      /** Over TLS, with the certificate in these files. */
      readonly tls?: TlsFiles | undefined;
    }
  | FloorPages;

/** The certificate of a server, and the authority that it comes from: paths of PEM files. */
export type TlsFiles = {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
};

/** Pages of metric values over gRPC, one after the other, for one caller at a time. */
export type FloorPages = {
  readonly protocol: 'pages';
  readonly call: string;
  /** A file with the message of a page, of which all but the last have the bytes. Each has its own token. */
  readonly file: string;
  readonly pages: number;
  /** The number of values of the last page. */
  readonly lastValues: number;
};

/** Starts servers that answer with prepared bytes. */
export async function startFloor({
  answer,
  workers,
  headers,
  logFile,
}: {
  readonly answer: FloorAnswer;
  readonly workers: number;
  readonly headers: Target['headers'];
  readonly logFile: string;
}): Promise<AsyncDisposable & { readonly target: Target; readonly pid: number }> {
  const program = startProgram({
    command: process.execPath,
    parameters: [ENTRY_POINT, JSON.stringify(answer), String(workers)],
    logFile,
  });
  try {
    const [, host = '', port] = await program.untilItLogs(/listening ([^:]+):(\d+)/);
    return {
      pid: program.pid,
      target: { host, port: Number(port), headers, ...authorityOf(answer) },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

function authorityOf(answer: FloorAnswer): Pick<Target, 'authority'> {
  if (answer.protocol !== 'grpc' || answer.tls === undefined) return {};
  return { authority: readFileSync(answer.tls.authority, 'utf8') };
}

const ENTRY_POINT = fileURLToPath(new URL('floor-process.ts', import.meta.url));
