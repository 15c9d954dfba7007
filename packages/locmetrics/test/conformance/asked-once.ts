import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { versionsOf } from '@locmetrics/core/plan/versions-of';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine, PlanKind, PlanOf, PlanResults } from '@locmetrics/core/storage/engine';

/** More than the plans of one table. */
const ANSWERS_MAX = 10_000;

const answers = new Map<string, Promise<PlanResults[PlanKind]>>();

/**
 * An engine that runs a plan over the same rows once, for all engines of this process with these rows: the engine of the
 * column store alone is asked what the one of both stores has asked it, and the pages of many questions need the same
 * names. Each would be the same statement again. Equal texts of `rowsOf` mean the same rows in the same store; undefined
 * means that there are none to keep an answer for.
 */
export function askedOnce(
  engine: Engine,
  rowsOf: (version: ReadableVersion) => string | undefined,
): Engine {
  return {
    ...engine,
    run: <Kind extends PlanKind>(plan: PlanOf<Kind>, signal: StopSignal) => {
      // The buffers of a batch are its caller's.
      if (plan.kind === 'batch') return engine.run(plan, signal);
      const rows = versionsOf(plan).map(rowsOf);
      if (rows.includes(undefined)) return engine.run(plan, signal);
      const key = createHash('sha1')
        .update(serialize([rows, plan]))
        .digest('base64');
      const found = answers.get(key) ?? engine.run(plan, signal);
      if (answers.size >= ANSWERS_MAX) answers.clear();
      answers.set(key, found);
      found.catch(() => answers.delete(key));
      // The key has the kind of the plan.
      return found as Promise<PlanResults[Kind]>;
    },
  };
}

/** The rows of a version by its column file. The files of equal tables are links to one. */
export const rowsInFile =
  (directoryOf: (version: ReadableVersion) => string) =>
  (version: ReadableVersion): string | undefined => {
    const path = join(directoryOf(version), COLUMN_FILE);
    const file = statSync(path, { bigint: true, throwIfNoEntry: false });
    return file && `${file.ino} ${file.mtimeNs}`;
  };
