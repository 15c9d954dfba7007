import type { PublishFlags } from '../cli/program.ts';
import type { SettingFlags } from '../config/read-config.ts';
import { flagOf, SETTING_KEYS, SETTINGS } from '../config/settings.ts';

export type CheckedPublish = {
  readonly manifest: string;
  readonly datasets: readonly string[];
  readonly flags: PublishFlags;
  readonly settings: SettingFlags;
};

/** The command line that publishes what was checked: with the same datasets, files and settings. */
export function publishCommand({ manifest, datasets, flags, settings }: CheckedPublish): string {
  return [
    'locmetrics publish',
    ...[manifest, ...datasets].map(toWord),
    ...(flags.append === true ? ['--append'] : []),
    ...option('--replace-period', flags.replacePeriod),
    ...option('--files', flags.files),
    ...(flags.acceptChanges === true ? ['--accept-changes'] : []),
    ...(flags.acceptGrantLosses === true ? ['--accept-grant-losses'] : []),
    ...SETTING_KEYS.flatMap((key) => option(flagOf(SETTINGS[key]), settings[key])),
    ...option('--config', settings.config),
  ].join(' ');
}

function option(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${flag} ${toWord(value)}`];
}

/** A word of a shell, in quotes if it has characters with a meaning there. */
function toWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
