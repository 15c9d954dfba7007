import { EngineError, shortageOf } from '@locmetrics/column-store/publish/engine-error';
import { PublishError } from './publish-error.ts';

/**
 * Explains errors of the machine and of the engine. DuckDB, SQLite and Node each report a full disk
 * differently. Any other error is returned unchanged.
 */
export function explainSystemError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PublishError) return error;
  const shortage = shortageOf(error);
  if (shortage === 'disk') {
    return new PublishError(
      `The disk is full. ${NOTHING_PUBLISHED}`,
      'Free some space: locmetrics gc removes versions that are no longer needed. Or use another directory: --data DIRECTORY.',
      { cause: error },
    );
  }
  if (shortage === 'memory') {
    return new PublishError(`The publish ran out of memory. ${NOTHING_PUBLISHED}`, MEMORY_HINT, {
      cause: error,
    });
  }
  if (error instanceof EngineError) {
    return new PublishError(
      `The database engine failed (${error.reason}). ${NOTHING_PUBLISHED}`,
      ENGINE_HINT,
      { cause: error },
    );
  }
  return error;
}

/** An error of the engine in a stage of an import or of a draft, with the file that was read. */
export function explainStageError(
  error: unknown,
  {
    datasetName,
    stage,
    file,
    outcome = NOTHING_PUBLISHED,
  }: {
    readonly datasetName: string;
    readonly stage: string;
    /** The file that was read, or the names of all of them. */
    readonly file: string;
    readonly outcome?: string;
  },
): unknown {
  if (!(error instanceof EngineError)) return error;
  const shortage = shortageOf(error);
  if (shortage === 'memory') {
    return new PublishError(
      `${datasetName}: memory ran out while ${stage} ${file}. ${outcome}`,
      `${MEMORY_HINT} A single very long value can also be the cause.`,
      { cause: error },
    );
  }
  if (shortage !== undefined) return error;
  return new PublishError(
    `${datasetName}: the database engine failed while ${stage} ${file} (${error.reason}). ${outcome}`,
    ENGINE_HINT,
    { cause: error },
  );
}

const NOTHING_PUBLISHED = 'Nothing was published. The current versions are unchanged.';
const MEMORY_HINT = 'Allow more: --publish-memory SIZE. Fewer threads need less: --threads N.';
const ENGINE_HINT =
  'Try again with --threads 1. If that fails too, report it with this message: it is a bug in locmetrics or in DuckDB.';
