import { ManifestError, manifestProblemText } from '../manifest/manifest-error.ts';
import { ImportError } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';
import type { Published } from './published.ts';

/** All that is wrong with a manifest and its files, as a dry run finds it, and what is right. */
export class RefusedCheck extends Error {
  override readonly name = 'RefusedCheck';
  readonly refusals: readonly Refusal[];
  /** The datasets that could be published. */
  readonly sound: Published;

  constructor(refusals: readonly Refusal[], sound: Published) {
    super(refusals.map(refusalText).join('\n\n'));
    this.refusals = refusals;
    this.sound = sound;
  }
}

/** An error of the manifest or of the files. Any other error ends a check. */
export type Refusal = ManifestError | ImportError | PublishError;

export function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof ManifestError || error instanceof ImportError || error instanceof PublishError
  );
}

function refusalText(error: Refusal): string {
  if (error instanceof ManifestError) {
    return error.problems.map((problem) => manifestProblemText(error.file, problem)).join('\n');
  }
  const text =
    error instanceof ImportError
      ? `The files of ${error.dataset}:\n${error.message}`
      : error.message;
  return error.hint === undefined ? text : `${text}\n${error.hint}`;
}
