import { EngineError } from '@locmetrics/column-store/publish/engine-error';
import { explainStageError } from '../problems/explain-system-error.ts';
import { ImportError } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';

/**
 * An error while a draft is made, with the file and the stage. One that nobody expected is a bug, but a message without
 * the file would not say which file to leave out.
 */
export function explainDraftError(
  error: unknown,
  given: { readonly datasetName: string; readonly stage: string; readonly file: string },
): unknown {
  const isKnown = error instanceof PublishError || error instanceof ImportError;
  if (isKnown || !(error instanceof Error) || 'syscall' in error) return error;
  if (error instanceof EngineError) {
    return explainStageError(error, { ...given, outcome: 'Nothing was written.' });
  }
  const { datasetName, stage, file } = given;
  const [reason = ''] = error.message.split('\n');
  return new PublishError(
    `${datasetName}: init failed while ${stage} ${file} (${reason}). Nothing was written.`,
    'This is a bug in locmetrics: report it with this message. Until it is fixed, draft the other files, and write the manifest of this one by hand: docs/how-to/publish-your-data.md.',
    { cause: error },
  );
}
