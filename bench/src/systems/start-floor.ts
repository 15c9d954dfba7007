import { fileURLToPath } from 'node:url';
import type { Target } from '../driver/load-order.ts';
import { startProgram } from './start-program.ts';

/** Starts servers that answer with prepared bytes. */
export async function startFloor({
  protocol,
  answerBytes,
  workers,
  headers,
  logFile,
}: {
  readonly protocol: 'http' | 'grpc';
  readonly answerBytes: number;
  readonly workers: number;
  readonly headers: Target['headers'];
  readonly logFile: string;
}): Promise<AsyncDisposable & { readonly target: Target }> {
  const program = startProgram({
    command: process.execPath,
    parameters: [ENTRY_POINT, protocol, String(answerBytes), String(workers)],
    logFile,
  });
  try {
    const [, host = '', port] = await program.untilItLogs(/listening ([^:]+):(\d+)/);
    return {
      target: { host, port: Number(port), headers },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

const ENTRY_POINT = fileURLToPath(new URL('floor-process.ts', import.meta.url));
