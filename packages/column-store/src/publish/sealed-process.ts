import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { compileCacheEnvironment } from '@locmetrics/core/runtime/compile-cache';
import type { InstanceOptions } from '../open-instance.ts';
import { EngineError } from './engine-error.ts';
import type { ResultRow } from './result-row.ts';
import type { OpenSealed } from './sealed-connection.ts';
import { StoppedStatement } from './stopped-statement.ts';

/** The messages to the process of a sealed connection: first how it is opened, then one statement after the other. */
export type ToSealed =
  | {
      readonly kind: 'open';
      readonly options: InstanceOptions & { readonly file: string; readonly name: string };
    }
  | { readonly kind: 'run' | 'list'; readonly sql: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'close' };

/** Its messages: the progress of a statement, and then its result, or the error of the engine. */
export type FromSealed =
  | { readonly kind: 'fraction'; readonly fraction: number }
  | { readonly kind: 'done'; readonly result: number | readonly ResultRow[] }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly engine?: { readonly kind: string; readonly reason: string };
    };

/**
 * A sealed connection in a process of its own, whose memory the kernel limits where it can. SQL of an owner may need any
 * memory and any time, also where the engine neither counts the one nor can be interrupted, such as within a function
 * over a row. Then this process ends, and the publish goes on to say why.
 */
export function sealedProcess(entryPoint: string): OpenSealed {
  return async ({ onFraction, signal, statementTimeMaxMs, ...options }) => {
    signal?.throwIfAborted();
    const child = start(entryPoint);
    let isBroken = false;
    const send = (message: ToSealed): void => {
      // A process that has ended is reported by its exit.
      if (child.connected) child.send(message, () => {});
    };
    const ask = async (
      message: ToSealed,
      timeMaxMs = statementTimeMaxMs,
    ): Promise<number | readonly ResultRow[]> => {
      signal?.throwIfAborted();
      const time = AbortSignal.timeout(Math.ceil(timeMaxMs));
      const stop = signal === undefined ? time : AbortSignal.any([time, signal]);
      const answer = nextAnswer(child, onFraction);
      let killing: NodeJS.Timeout | undefined;
      const interrupt = (): void => {
        send({ kind: 'interrupt' });
        killing = setTimeout(() => child.kill('SIGKILL'), INTERRUPT_MS);
      };
      stop.addEventListener('abort', interrupt, { once: true });
      try {
        send(message);
        const answered = await answer;
        signal?.throwIfAborted();
        isBroken = answered.kind === 'ended' || stop.aborted;
        // Once it is interrupted, the process runs no other statement, even if this one has just ended.
        if (time.aborted) throw new StoppedStatement('time', timeMaxMs);
        if (answered.kind === 'ended') throw new StoppedStatement('memory');
        if (answered.kind === 'done') return answered.result;
        throw toError(answered);
      } finally {
        stop.removeEventListener('abort', interrupt);
        clearTimeout(killing);
      }
    };
    const end = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    };
    try {
      const { file, name, temporaryDirectory, memoryLimitBytes, threads } = options;
      const opening = { file, name, temporaryDirectory, memoryLimitBytes, threads };
      await ask({ kind: 'open', options: opening }, OWN_TIME_MS);
    } catch (error) {
      await end();
      if (!(error instanceof StoppedStatement)) throw error;
      throw new EngineError('Process', 'the process for SQL of the manifest did not start', error);
    }
    return {
      // The protocol says which result follows which message.
      run: async (sql) => (await ask({ kind: 'run', sql })) as number,
      list: async (sql) => (await ask({ kind: 'list', sql })) as readonly ResultRow[],
      close: async () => {
        // The engine writes its tables into the file; after a failure nobody reads them.
        if (!isBroken) await ask({ kind: 'close' }, OWN_TIME_MS).catch(() => {});
        await end();
      },
    };
  };
}

/** How long it may take to start and to close the engine, which depends on no SQL of an owner. */
const OWN_TIME_MS = 30 * 60_000;
/** How long a statement may take to end after it was interrupted. */
const INTERRUPT_MS = 3_000;

function start(entryPoint: string): ChildProcess {
  return fork(entryPoint, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ...compileCacheEnvironment() },
  });
}

type Answer = Exclude<FromSealed, { readonly kind: 'fraction' }> | { readonly kind: 'ended' };

/** The next answer of the process; `ended` if it ends before. */
function nextAnswer(
  child: ChildProcess,
  onFraction: ((fraction: number) => void) | undefined,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onMessage = (message: unknown): void => {
    // Only our own entry point sends messages.
    const received = message as FromSealed;
    if (received.kind === 'fraction') onFraction?.(received.fraction);
    else resolve(received);
  };
  const onEnd = (): void => resolve({ kind: 'ended' });
  child.on('message', onMessage).once('exit', onEnd).once('error', reject);
  if (child.exitCode !== null || child.signalCode !== null) onEnd();
  return promise.finally(() => {
    child.off('message', onMessage).off('exit', onEnd).off('error', reject);
  });
}

function toError({ message, engine }: Extract<FromSealed, { kind: 'failed' }>): Error {
  const cause = new Error(message);
  return engine === undefined ? cause : new EngineError(engine.kind, engine.reason, cause);
}
