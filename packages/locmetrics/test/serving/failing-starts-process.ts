/**
 * Starts services in this process that fail, one after the other, and prints a line of JSON for each: the error, and what
 * it left open. Run as: `node failing-starts-process.ts START...`, each START a JSON object (see `Start`).
 */
import { createHook } from 'node:async_hooks';
import { readdirSync, readlinkSync } from 'node:fs';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readConfig, type SettingFlags } from '../../src/config/read-config.ts';
import { prepareServing } from '../../src/serving/prepare-serving.ts';
import { serve } from '../../src/serving/serve-primary.ts';
import { until } from '../support/until.ts';

export type Start = {
  readonly flags: SettingFlags & { readonly data: string };
  /** Repeats the start until it succeeds: each one fails after one more part is open. */
  readonly failsAfterEachPart?: boolean;
};

export type FailedStart = {
  readonly error: string;
  /** The parts that are still open although the start has failed. */
  readonly left: readonly string[];
};

/** The parts of a process that keep it, or that go on by themselves. */
const LASTING = /^(Timeout|TCPSERVERWRAP|PROCESSWRAP|WORKER|FSEVENTWRAP|STATWATCHER|HTTP2.*)$/;
/** Some of them take a moment to end after they are closed. */
const CLOSE_MAX_MS = 60_000;
const lasting = new Map<number, string>();
createHook({
  init: (id, type) => {
    if (LASTING.test(type)) lasting.set(id, type);
  },
  destroy: (id) => lasting.delete(id),
}).enable();

/** The start fails once it has opened so many parts. */
let partsMax = Number.POSITIVE_INFINITY;
let parts = 0;
for (const name of ['use', 'adopt', 'defer'] as const) {
  const add = AsyncDisposableStack.prototype[name] as (...given: unknown[]) => unknown;
  AsyncDisposableStack.prototype[name] = function (this: unknown, ...given: unknown[]) {
    const added = add.apply(this, given);
    parts += 1;
    if (parts === partsMax) throw new Error(`Failed after ${partsMax} parts.`);
    return added as never;
  };
}

for (const text of process.argv.slice(2)) {
  const start: Start = JSON.parse(text);
  let outcome: FailedStart | undefined;
  partsMax = start.failsAfterEachPart ? 0 : Number.POSITIVE_INFINITY;
  do {
    partsMax += 1;
    parts = 0;
    outcome = await fail(start);
    if (outcome !== undefined) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  } while (start.failsAfterEachPart && outcome !== undefined);
}
// A service that has started ends the process once it has stopped, unless something is left open.
process.kill(process.pid, 'SIGTERM');

/** Undefined if the start does not fail. */
async function fail({ flags }: Start): Promise<FailedStart | undefined> {
  const before = new Set(lasting.keys());
  try {
    await serve(await prepareServing(readConfig(flags)));
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return { error: message, left: await untilClosed(() => findOpen(flags.data, before)) };
  }
}

async function untilClosed(find: () => readonly string[]): Promise<readonly string[]> {
  let left = find();
  const isClosed = async (): Promise<boolean> => {
    // The end of the timer between two looks is reported in the next event-loop tick.
    await nextLoopTick();
    left = find();
    return left.length === 0;
  };
  await until(isClosed, { maxMs: CLOSE_MAX_MS }).catch(() => {});
  return left;
}

function findOpen(root: string, before: ReadonlySet<number>): readonly string[] {
  return [
    ...[...lasting].filter(([id]) => !before.has(id)).map(([, type]) => type),
    ...openFilesIn(root),
    ...(isLocked(root) ? ['the lock of the service'] : []),
  ];
}

function openFilesIn(root: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(root) ? [path.slice(root.length + 1)] : [];
    } catch {
      // The descriptor of the folder itself is closed by now.
      return [];
    }
  });
}

function isLocked(root: string): boolean {
  const lock = takeProcessLock(dataDirectory(root).serving.lock);
  lock?.release();
  return lock === undefined;
}
