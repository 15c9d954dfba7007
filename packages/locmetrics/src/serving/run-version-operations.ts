import { setTimeout as passTime } from 'node:timers/promises';
import { ExpectedError } from '@locmetrics/core/errors/expected-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { unknownName } from '@locmetrics/core/errors/unknown-name';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import {
  type CurrentDataset,
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { listVersions } from '@locmetrics/data-directory/versions/list-versions';
import { readReport } from '@locmetrics/data-directory/versions/read-report';
import { SwitchLockedError } from '@locmetrics/data-directory/versions/switch-lock';
import { explainUnknownVersion } from '@locmetrics/data-directory/versions/unknown-version';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import type { VersionOperations } from '@locmetrics/data-directory/versions/version-operations';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { findGrantLosses } from '@locmetrics/server/service/rights/find-grant-losses';

/** The operations of an administrator on versions over HTTP, by the functions and locks of the commands. */
export function versionOperations(
  directory: DataDirectory,
  store: Pick<ControlStore, 'listGrants'>,
  {
    threads,
    database,
    versions,
  }: {
    readonly threads: number;
    /** It must have the tables of versions that become current; absent: there is none. */
    readonly database?: VersionDatabase | undefined;
    /** Decides what is current; absent: the files of the data directory. */
    readonly versions?: VersionStore | undefined;
  },
): VersionOperations {
  const comparing = openQueue();
  const switching = openQueue();
  return {
    list: (datasetName) => {
      const current = readCurrentFile(directory.current);
      if (datasetName === undefined) return listVersions(directory, current);
      findDataset(current, datasetName);
      return listVersions(directory, current, [datasetName]);
    },
    readReport: async (datasetName, version) => {
      expectKept({ directory, current: readCurrentFile(directory.current) }, datasetName, version);
      return readReport(directory.version(datasetName, version));
    },
    compare: async (datasetName, { from, to }, signal) => {
      const current = readCurrentFile(directory.current);
      findDataset(current, datasetName);
      for (const version of [from, to]) {
        if (version !== undefined) expectKept({ directory, current }, datasetName, version);
      }
      // The code that compares versions is loaded only if it is asked for.
      const [{ choosePair, toAnswer }, { diffVersions }] = await Promise.all([
        import('../compose/compared-versions.ts'),
        import('@locmetrics/ingest/publish/diff-versions'),
      ]);
      const pair = await refusing('VERSION_NOT_FOUND', async () =>
        choosePair(directory, datasetName, { before: from, after: to }),
      );
      const diff = await comparing(() =>
        refusing('VERSION_NOT_FOUND', () =>
          diffVersions({
            ...pair,
            directory,
            // A service fetches no column files: that can take longer than a request.
            isInDatabase: database !== undefined,
            datasetName,
            memoryLimitBytes: DIFF_MEMORY_BYTES,
            threads,
            signal: toAbortSignal(signal),
          }),
        ),
      );
      return toAnswer(datasetName, pair, diff);
    },
    rollBack: async ({ datasetName, version, isTogether, acceptsGrantLosses }) => {
      const current = readCurrentFile(directory.current);
      findDataset(current, datasetName);
      if (version !== undefined) expectKept({ directory, current }, datasetName, version);
      const { rollBack } = await import('@locmetrics/ingest/publish/roll-back');
      const rollBackUnlessLocked = () =>
        rollBack({
          directory,
          datasetName,
          version,
          isTogether,
          acceptsGrantLosses,
          findGrantLosses: (before, after) =>
            findGrantLosses(store.listGrants({ skipsDamaged: true }), {
              before,
              after,
              now: Date.now(),
            }),
          clock: Date.now,
          lockWaitMs: 0,
          database,
          store: versions,
        });
      return switching(() => refusing('SWITCH_REFUSED', () => onceUnlocked(rollBackUnlessLocked)));
    },
  };
}

/** A comparison spills what does not fit to disk. */
const DIFF_MEMORY_BYTES = 256 * 2 ** 20;

function findDataset({ datasets }: CurrentFile, name: string): CurrentDataset {
  const dataset = datasets[name];
  if (dataset !== undefined) return dataset;
  throw unknownName('DATA_REFERENCE_NOT_FOUND', '/dataset', {
    noun: 'dataset',
    name,
    known: Object.keys(datasets).sort(),
  });
}

function expectKept(
  opened: { readonly directory: DataDirectory; readonly current: CurrentFile },
  name: string,
  version: string,
): void {
  if (findDataset(opened.current, name).kept.includes(version)) return;
  const { message, suggestion } = explainUnknownVersion(opened, name, version);
  throw ServiceError.atPointer(
    'VERSION_NOT_FOUND',
    '/version',
    message,
    suggestion ?? 'GET /v1/admin/versions lists the versions that are kept.',
  );
}

/** A refusal of the command is a refusal of the request. */
async function refusing<Result>(
  reason: 'VERSION_NOT_FOUND' | 'SWITCH_REFUSED',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    throw new ServiceError(reason, error.message, { hint: error.hint });
  }
}

/** Tries again while another process switches, without blocking this one. */
async function onceUnlocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const giveUpAtMs = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SwitchLockedError) || performance.now() > giveUpAtMs) throw error;
    }
    await passTime(RETRY_AFTER_MS);
  }
}

const LOCK_WAIT_MS = 5_000;
const RETRY_AFTER_MS = 20;

function toAbortSignal(signal: StopSignal): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  if (signal.aborted) controller.abort(signal.reason);
  return controller.signal;
}

/** One piece of work after the other: comparisons take memory of their own, and switches wait for a lock. */
function openQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
