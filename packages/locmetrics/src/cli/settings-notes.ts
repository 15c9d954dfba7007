import { DURATION_UNITS_TEXT } from '@locmetrics/core/errors/duration-units';
import { SETTINGS, type SettingKey } from '../config/settings.ts';

/** The text below the help of a command with settings: their units, and the other places to set them. */
export function settingsNotes(
  keys: readonly SettingKey[],
  { hidden }: { readonly hidden: readonly SettingKey[] },
): string {
  const placeholders = new Set(keys.map((key): string => SETTINGS[key].type.placeholder));
  const units = [
    ...(placeholders.has('duration')
      ? [`A duration is a whole number of ${DURATION_UNITS_TEXT}.`]
      : []),
    ...(placeholders.has('size') ? ['A size is a whole number of B, KiB, MiB, GiB or TiB.'] : []),
  ];
  return ['', ...units, SOURCES, ...(hidden.length === 0 ? [] : [HIDDEN])].join('\n');
}

const SOURCES = `A flag --some-name with a default can also be given as LOCMETRICS_SOME_NAME in
the environment, or as some-name: VALUE in the configuration file. The order of
precedence is flag, environment, file, default. "locmetrics config print" prints
the settings in effect.`;

const HIDDEN = `This command also accepts the --clickhouse flags, which
"locmetrics clickhouse load --help" describes.`;
