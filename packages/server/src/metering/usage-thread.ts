import { parentPort, workerData } from 'node:worker_threads';
import { openUsageStore, type UsageStore } from './open-usage-store.ts';
import type { UsageFiles } from './usage-files.ts';
import type {
  FromUsageThread,
  ToUsageThread,
  UsageAnswers,
  UsageQuestion,
} from './usage-messages.ts';

/** What the thread of the usage store runs: it answers one question after another. */
let store: UsageStore | undefined;

function answer(question: UsageQuestion): UsageAnswers[keyof UsageAnswers] {
  if (question.kind === 'stop') {
    store?.close();
    return undefined;
  }
  // Who starts the thread gives it nothing else.
  store ??= openUsageStore(workerData as UsageFiles);
  const completeUntil = Date.now();
  const merged = store.merge();
  if (question.kind === 'read') return { ...store.read(question.query), completeUntil };
  if (question.kind === 'used_rows') return store.usedRows(question.organisationId, question.day);
  store.prune(question.keepMs);
  return merged;
}

parentPort?.on('message', ({ id, question }: ToUsageThread) => {
  const tell = (message: FromUsageThread): void => parentPort?.postMessage(message);
  try {
    tell({ id, answer: answer(question) });
  } catch (error) {
    tell({ id, error });
  }
  if (question.kind === 'stop') parentPort?.close();
});
