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
 * A column store that runs a plan over the same file once, for all engines of this process: the engine of the column store
 * alone is asked what the one of both stores has asked it, and would run the same statements again.
 */
export function askedOnce(
  columns: Engine,
  directoryOf: (version: ReadableVersion) => string,
): Engine {
  /** The files of equal tables are links to one. */
  const fileOf = (version: ReadableVersion): string => {
    const { ino, mtimeNs } = statSync(join(directoryOf(version), COLUMN_FILE), { bigint: true });
    return `${ino} ${mtimeNs}`;
  };
  return {
    ...columns,
    run: <Kind extends PlanKind>(plan: PlanOf<Kind>, signal: StopSignal) => {
      // The buffers of a batch are its caller's.
      if (plan.kind === 'batch') return columns.run(plan, signal);
      const files = versionsOf(plan).map(fileOf);
      const key = createHash('sha1')
        .update(serialize([files, plan]))
        .digest('base64');
      const found = answers.get(key) ?? columns.run(plan, signal);
      if (answers.size >= ANSWERS_MAX) answers.clear();
      answers.set(key, found);
      found.catch(() => answers.delete(key));
      // The key has the kind of the plan.
      return found as Promise<PlanResults[Kind]>;
    },
  };
}
