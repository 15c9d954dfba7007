import { EngineError, shortageOf } from '../../storage/duckdb/publish/engine-error.ts';
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
    return new PublishError(
      `The publish ran out of memory. ${NOTHING_PUBLISHED}`,
      'Allow more: --publish-memory SIZE. Fewer threads need less: --threads N.',
      { cause: error },
    );
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

/** An error of the engine in a stage of an import that no file causes. */
export function explainStageError(error: unknown, datasetName: string, stage: string): unknown {
  if (!(error instanceof EngineError) || shortageOf(error) !== undefined) return error;
  return new PublishError(
    `${datasetName}: the database engine failed while ${stage} (${error.reason}). ${NOTHING_PUBLISHED}`,
    ENGINE_HINT,
    { cause: error },
  );
}

const NOTHING_PUBLISHED = 'Nothing was published. The current versions are unchanged.';
const ENGINE_HINT =
  'Publish again with --threads 1. If that fails too, report it with this message: it is a fault of locmetrics or of DuckDB.';
