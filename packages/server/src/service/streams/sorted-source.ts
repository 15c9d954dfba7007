import { ServiceError } from '@locmetrics/core/errors/service-error';
import { storedRowsOf } from '@locmetrics/core/plan/narrow-dataset';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { SortedRecords } from '@locmetrics/core/storage/engine';
import type { ServiceContext } from '../service-context.ts';
import { sortedWithDistances } from '../with-distances.ts';
import { type FileContext, inFilePlace } from './in-file-place.ts';

/** The sorted copy of the records of a stream, which is made when it is first wanted. */
export type SortedSource = {
  /**
   * Undefined if there is none: the engine cannot make it, or other files are being written, which can take long. Then a
   * page is read, and the copy is wanted again after it.
   */
  readonly find: () => Promise<SortedRecords | undefined>;
  readonly close: () => Promise<void>;
};

export function openSortedSource(
  context: FileContext & Pick<ServiceContext, 'engine'>,
  plan: RecordsPlan,
  signal: StopSignal,
): SortedSource {
  const { sortRecords } = context.engine;
  let sorted: Promise<SortedRecords | undefined> | undefined;
  let hasFailed = false;
  const sort = async (): Promise<SortedRecords | undefined> => {
    if (sortRecords === undefined || hasFailed || !context.filePlaces.isFree()) return undefined;
    const rows = storedRowsOf(plan.version) ?? 0;
    try {
      const found = await inFilePlace(context, { signal, rows, end: 'sorted' }, (path, stop) =>
        sortRecords(plan, path, stop),
      );
      return found && sortedWithDistances(plan, found);
    } catch (error) {
      if (!(error instanceof ServiceError) || signal.aborted) throw error;
      // No room or no time: pages take longer, but need none.
      hasFailed = true;
      return undefined;
    }
  };
  return {
    find: async () => {
      sorted ??= sort();
      const found = await sorted;
      if (found === undefined) sorted = undefined;
      return found;
    },
    close: async () => {
      const found = await sorted?.catch(() => undefined);
      await found?.close();
    },
  };
}
