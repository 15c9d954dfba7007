import { Worker } from 'node:worker_threads';
import { compileCacheEnvironment } from '@locmetrics/core/runtime/compile-cache';
import type {
  FromUsageThread,
  ToUsageThread,
  UsageAnswers,
  UsageQuestion,
  UsageThreadSetup,
} from './usage-messages.ts';

/** The usage store in a thread of its own, so that it never blocks the event loop. */
export type UsageThread = {
  /** Starts the thread if it is not running. */
  readonly ask: <Kind extends keyof UsageAnswers>(
    question: UsageQuestion & { readonly kind: Kind },
  ) => Promise<UsageAnswers[Kind]>;
  /** The number of questions without an answer. */
  readonly waiting: () => number;
  readonly close: () => Promise<void>;
};

/** The PostgreSQL that has the usage cannot be reached. The cause is the message for the operator. */
export class UsageAwayError extends Error {
  override readonly name = 'UsageAwayError';
}

/** A thread that waits for a database which does not answer is ended after this time. */
const CLOSE_MAX_MS = 5_000;

/** `code`: the entry point of the thread. */
export function openUsageThread({
  code,
  ...setup
}: UsageThreadSetup & { readonly code: URL }): UsageThread {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let thread: Worker | undefined;
  let lastId = 0;

  const onMessage = (message: FromUsageThread): void => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ('answer' in message) asked?.resolve(message.answer);
    else asked?.reject(message.isAway ? awayError(message.error) : message.error);
  };

  const start = (): Worker => {
    const started = new Worker(code, {
      workerData: setup,
      env: { ...process.env, ...compileCacheEnvironment() },
    });
    const end = (error: Error): void => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', onMessage);
    started.once('error', end);
    started.once('exit', () => end(new Error('The thread of the usage store has ended.')));
    return started;
  };

  const ask: UsageThread['ask'] = (question) => {
    thread ??= start();
    lastId += 1;
    // The thread answers a question of a kind with an answer of that kind.
    const asked = Promise.withResolvers<UsageAnswers[typeof question.kind]>();
    waiting.set(lastId, asked as PromiseWithResolvers<unknown>);
    const message: ToUsageThread = { id: lastId, question };
    thread.postMessage(message);
    return asked.promise;
  };

  return {
    ask,
    waiting: () => waiting.size,
    close: async () => {
      const last = thread;
      if (last === undefined) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      const isRemote = setup.place.postgres !== undefined;
      const terminate = isRemote
        ? setTimeout(() => void last.terminate(), CLOSE_MAX_MS)
        : undefined;
      await ask({ kind: 'stop' }).catch(() => {});
      await ended;
      clearTimeout(terminate);
    },
  };
}

function awayError(cause: unknown): UsageAwayError {
  return new UsageAwayError(cause instanceof Error ? cause.message : String(cause), { cause });
}
