import type { Action } from '../cli/program.ts';
import { ImportError } from '../importer/problems/import-error.ts';
import { type Refusal, RefusedCheck } from '../importer/publish/refused-check.ts';
import { ManifestError } from '../manifest/manifest-error.ts';
import { findDataDirectory } from './open-data.ts';
import { publishCommand } from './publish-command.ts';
import { runPublish } from './run-publish.ts';
import { printPublished, showPublished } from './show-published.ts';

/** Everything that a publish does but the switch; it goes on after what is wrong, to tell all of it. */
export const checkAction: Action<'check'> = async (
  output,
  manifest,
  datasets,
  { settings, json, ...flags },
) => {
  const opened = findDataDirectory({ settings, output });
  const checking = { ...opened, manifest, datasets, flags: { ...flags, dryRun: true } };
  try {
    const published = await runPublish(output, checking);
    if (json) {
      printPublished(output, published, { dryRun: true, wouldPublish: true, problems: [] });
      return;
    }
    showPublished(output, published, { isDryRun: true });
    const command = publishCommand({ manifest, datasets, flags, settings });
    output.messages(`Nothing is wrong. To publish it: ${command}\n`);
  } catch (error) {
    if (!(error instanceof RefusedCheck)) throw error;
    if (json) {
      const problems = error.refusals.flatMap(toProblems);
      printPublished(output, error.sound, { dryRun: true, wouldPublish: false, problems });
    } else {
      showPublished(output, error.sound, { isDryRun: true });
    }
    throw error;
  }
};

type Problem = {
  /** The dataset with the file; absent for a problem of the manifest or of several datasets. */
  readonly dataset?: string;
  readonly file?: string;
  readonly line?: number | undefined;
  /** For a problem of the manifest; from 1. */
  readonly column?: number | undefined;
  readonly row?: number | undefined;
  readonly feature?: number | undefined;
  /** The keys in the manifest. */
  readonly path?: string;
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly reason: string;
  readonly hint?: string | undefined;
};

function toProblems(error: Refusal): readonly Problem[] {
  if (error instanceof ManifestError) {
    return error.problems.map((problem) => ({ file: error.file, ...problem }));
  }
  if (error instanceof ImportError) {
    return error.problems.map((problem) => ({ dataset: error.dataset, ...problem }));
  }
  return [{ reason: error.message, hint: error.hint }];
}
