import { parentPort, workerData } from 'node:worker_threads';
import { oneAfterAnother } from '@locmetrics/server/metering/one-after-another';
import type {
  FromUsageThread,
  ToUsageThread,
  UsageAnswers,
  UsageQuestion,
  UsageThreadSetup,
} from '@locmetrics/server/metering/usage-messages';
import type { UsageStore } from '@locmetrics/server/metering/usage-store';
import { openUsageStore } from './compose/open-usage-store.ts';

/** The code of the thread of the usage store: it answers one question after another. */
let store: UsageStore | undefined;
// `openUsageThread` always passes this type.
const { place, use } = workerData as UsageThreadSetup;
const inTurn = oneAfterAnother();
const stopping = new AbortController();

async function answer(question: UsageQuestion): Promise<UsageAnswers[keyof UsageAnswers]> {
  if (question.kind === 'stop') {
    await store?.close();
    return undefined;
  }
  store ??= await openUsageStore(place, { use });
  const completeUntil = Date.now();
  switch (question.kind) {
    case 'read':
      return { ...(await store.reading(({ read }) => read(question.query))), completeUntil };
    case 'used_rows':
      return store.reading(({ usedRows }) => usedRows(question.organisationId, question.day));
    case 'merge': {
      const merged = await store.merge(stopping.signal);
      await store.prune(question.keepMs);
      return merged;
    }
  }
}

async function isAway(error: unknown): Promise<boolean> {
  if (place.postgres === undefined) return false;
  return (await import('@locmetrics/cluster/postgres/postgres-error')).isAway(error);
}

parentPort?.on('message', async ({ id, question }: ToUsageThread) => {
  const post = (message: FromUsageThread): void => parentPort?.postMessage(message);
  if (question.kind === 'stop') stopping.abort();
  try {
    post({ id, answer: await inTurn(() => answer(question)) });
  } catch (error) {
    post({ id, error, isAway: await isAway(error) });
  }
  if (question.kind === 'stop') parentPort?.close();
});
