import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCacheEnvironment } from '@locmetrics/core/runtime/compile-cache';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { type LeasedVersion, leaseKey } from '@locmetrics/data-directory/versions/version-lease';
import type { Observe } from '@locmetrics/server/observe/observation';
import type { Config } from '../config/settings.ts';

/** The message to the process that makes a row file. */
export type ToMaker = {
  readonly config: Config;
  readonly root: string;
  readonly version: LeasedVersion;
};

/** Its answer: the size of the file, or why there is none. */
export type FromMaker = { readonly bytes: number } | { readonly problem: string };

/** The TypeScript source, or the built JavaScript. */
const ENTRY_POINT = fileURLToPath(
  new URL(`../row-file-maker${extname(import.meta.url)}`, import.meta.url),
);

const POLL_EVERY_MS = 5_000;
const TRY_AGAIN_MS = 10 * 60_000;

/**
 * Makes the missing row files of the current versions from their tables in ClickHouse, one after the other, if a version has
 * no more records than the setting says: where another node has published, or the files were not copied.
 */
export function makeMissingRowFiles({
  config,
  directory,
  observe,
}: {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly observe: Observe;
}): { readonly close: () => Promise<void> } {
  if (config.clickhouse === undefined || config.clickhouseRowFilesMax === 0) {
    return { close: async () => {} };
  }
  const failedMs = new Map<string, number>();
  const closing = new AbortController();
  let making: Promise<void> | undefined;
  const isDue = (one: LeasedVersion): boolean => {
    const before = failedMs.get(leaseKey(one));
    return before === undefined || performance.now() - before > TRY_AGAIN_MS;
  };
  const makeMissing = async (): Promise<void> => {
    // It loads DuckDB, which this process does not need otherwise.
    const { DERIVED_FILES: names } = await import('../compose/version-writers.ts');
    const recordsMax = config.clickhouseRowFilesMax;
    for (const one of listMissing(directory, { names, recordsMax }).filter(isDue)) {
      if (closing.signal.aborted) return;
      const { datasetName: dataset, version } = one;
      const startedMs = performance.now();
      const made = await make({ config, root: directory.root, version: one }, closing.signal);
      // A version that was removed meanwhile needs none.
      if (closing.signal.aborted || !existsSync(directory.version(dataset, version))) continue;
      if ('problem' in made) {
        failedMs.set(leaseKey(one), performance.now());
        observe({ kind: 'row_file_not_made', dataset, version, problem: made.problem });
      } else {
        const durationMs = Math.round(performance.now() - startedMs);
        observe({ kind: 'row_file_made', dataset, version, bytes: made.bytes, durationMs });
      }
    }
  };
  const poll = (): void => {
    making ??= makeMissing()
      // Workers and the primary report a data directory that cannot be read.
      .catch(() => {})
      .finally(() => {
        making = undefined;
      });
  };
  poll();
  const timer = setInterval(poll, POLL_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      closing.abort();
      await making;
    },
  };
}

/** The smallest first, because they are made soonest. */
function listMissing(
  directory: DataDirectory,
  { names, recordsMax }: { readonly names: readonly string[]; readonly recordsMax: number },
): readonly LeasedVersion[] {
  return Object.entries(readCurrentFile(directory.current).datasets)
    .map(([datasetName, { version }]) => ({ datasetName, version }))
    .flatMap((one) => {
      const folder = directory.version(one.datasetName, one.version);
      if (names.every((name) => existsSync(join(folder, name)))) return [];
      const { rowCount } = readVersionFile(folder)?.version ?? {};
      return rowCount !== undefined && rowCount <= recordsMax ? [{ ...one, rowCount }] : [];
    })
    .toSorted((left, right) => left.rowCount - right.rowCount);
}

/** Never rejects. The process ends with this one. */
async function make(work: ToMaker, signal: AbortSignal): Promise<FromMaker> {
  const { promise, resolve } = Promise.withResolvers<FromMaker>();
  const child = fork(ENTRY_POINT, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...compileCacheEnvironment() },
  });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  signal.addEventListener('abort', kill, { once: true });
  let answer: FromMaker | undefined;
  child.once('message', (message) => {
    answer = message as FromMaker;
  });
  child.once('error', ({ message }) => resolve({ problem: message }));
  child.once('exit', (code, name) => {
    resolve(answer ?? { problem: `Its process ended with ${name ?? `the code ${code}`}.` });
  });
  child.send(work);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
