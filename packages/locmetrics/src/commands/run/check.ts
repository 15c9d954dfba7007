import { ManifestError } from '@locmetrics/ingest/manifest/manifest-error';
import { ImportError, type RowProblem } from '@locmetrics/ingest/problems/import-error';
import { type Refusal, RefusedCheck } from '@locmetrics/ingest/publish/refused-check';
import type { Run } from '../../cli/define-command.ts';
import { findDataDirectory } from '../../compose/open-data.ts';
import type { SettingFlags } from '../../config/read-config.ts';
import { flagOf, SETTING_KEYS, SETTINGS, type Setting } from '../../config/settings.ts';
import { type PublishFlags, type PublishGiven, runPublish } from './run-publish.ts';
import { printPublished, showPublished } from './show-published.ts';

/** Everything that a publish does but the switch; it goes on after what is wrong, to tell all of it. */
export const checkAction: Run<PublishGiven> = async (
  output,
  { manifest, datasets, settings, json, ...flags },
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

type Problem = Partial<RowProblem> &
  Pick<RowProblem, 'reason'> & {
    /** The dataset with the file; absent for a problem of the manifest or of several datasets. */
    readonly dataset?: string;
    /** For a problem of the manifest; from 1. */
    readonly column?: number | undefined;
    /** The keys in the manifest. */
    readonly path?: string;
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

type CheckedPublish = {
  readonly manifest: string;
  readonly datasets: readonly string[];
  readonly flags: PublishFlags;
  readonly settings: SettingFlags;
};

/** The command line that publishes what was checked: with the same datasets, files and settings. */
function publishCommand({ manifest, datasets, flags, settings }: CheckedPublish): string {
  return [
    'locmetrics publish',
    ...[manifest, ...datasets].map(toWord),
    ...(flags.append === true ? ['--append'] : []),
    ...option('--replace-period', flags.replacePeriod),
    ...option('--files', flags.files),
    ...(flags.acceptChanges === true ? ['--accept-changes'] : []),
    ...(flags.acceptGrantLosses === true ? ['--accept-grant-losses'] : []),
    ...SETTING_KEYS.flatMap((key) => settingOption(SETTINGS[key], settings[key])),
    ...option('--config', settings.config),
  ].join(' ');
}

/** A secret is left out: it belongs into the environment. */
function settingOption(setting: Setting<unknown>, text: string | undefined): readonly string[] {
  if (text === undefined || setting.isSecret === true) return [];
  return option(flagOf(setting), setting.type.hidePassword?.(text) ?? text);
}

function option(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${flag} ${toWord(value)}`];
}

/** A word of a shell, in quotes if it has characters with a meaning there. */
function toWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
