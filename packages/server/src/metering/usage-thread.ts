import { parentPort, workerData } from 'node:worker_threads';
import { openUsageStore, type UsageStore } from './open-usage-store.ts';
import type {
  FromUsageThread,
  ToUsageThread,
  UsageAnswers,
  UsageQuestion,
  UsageThreadSetup,
} from './usage-messages.ts';

/** The code of the thread of the usage store: it answers one question after another. */
let store: UsageStore | undefined;

function answer(question: UsageQuestion): UsageAnswers[keyof UsageAnswers] {
  if (question.kind === 'stop') {
    store?.close();
    return undefined;
  }
  // `openUsageThread` always passes this type.
  const { files, use } = workerData as UsageThreadSetup;
  store ??= openUsageStore(files, { use });
  const completeUntil = Date.now();
  switch (question.kind) {
    case 'read':
      return { ...store.reading(({ read }) => read(question.query)), completeUntil };
    case 'used_rows':
      return store.reading(({ usedRows }) => usedRows(question.organisationId, question.day));
    case 'merge': {
      const merged = store.merge();
      store.prune(question.keepMs);
      return merged;
    }
  }
}

parentPort?.on('message', ({ id, question }: ToUsageThread) => {
  const post = (message: FromUsageThread): void => parentPort?.postMessage(message);
  try {
    post({ id, answer: answer(question) });
  } catch (error) {
    post({ id, error });
  }
  if (question.kind === 'stop') parentPort?.close();
});
