import { type Command, Option } from 'commander';
import type { SettingFlags } from '../config/read-config.ts';
import {
  flagOf,
  SETTING_KEYS,
  SETTINGS,
  type Setting,
  type SettingKey,
} from '../config/settings.ts';
import { settingsNotes } from './settings-notes.ts';
import { fullName } from './subcommands.ts';

/** Gives a command the flags of settings, and of the configuration file. */
export function withSettings(command: Command, settings: readonly SettingKey[] | 'all'): Command {
  const keys = settings === 'all' ? SETTING_KEYS : settings;
  const hidden = isAboutClickHouse(command, keys) ? [] : keys.filter(isOfClickHouse);
  for (const key of keys) {
    const setting: Setting<unknown> = SETTINGS[key];
    const option = toOption(setting).helpGroup(`${setting.group}:`);
    command.addOption(hidden.includes(key) ? option.hideHelp() : option);
  }
  const file = new Option('--config <file>', CONFIG_DESCRIPTION);
  return command
    .addOption(file.helpGroup('Data:'))
    .addHelpText('after', settingsNotes(keys, { hidden }));
}

/** Few readers have a ClickHouse, and most commands only pass its settings on. */
function isAboutClickHouse(command: Command, keys: readonly SettingKey[]): boolean {
  return keys.length === SETTING_KEYS.length || fullName(command).split(' ').includes('clickhouse');
}

function isOfClickHouse(key: SettingKey): boolean {
  return SETTINGS[key].group === 'ClickHouse';
}

const CONFIG_DESCRIPTION =
  'configuration file (default: config.yaml in the data directory, if it exists)';

function toOption(setting: Setting<unknown>): Option {
  const { type, description, defaultText } = setting;
  const value = type.isSwitch ? `[${type.placeholder}]` : `<${type.placeholder}>`;
  // "The address" begins with a small letter in a list of flags, "URL of" does not.
  const start = description.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  const text = start.replace(/\.$/, '');
  return new Option(`${flagOf(setting)} ${value}`, `${text} (default: ${defaultText})`);
}

/** Picks the settings, by their keys, from the options of a command. */
export function readSettingFlags(options: Readonly<Record<string, unknown>>): SettingFlags {
  const settings = SETTING_KEYS.flatMap((key) => {
    const given = options[toOption(SETTINGS[key]).attributeName()];
    return given === undefined ? [] : [[key, String(given)]];
  });
  const config = options['config'];
  const file = config === undefined ? {} : { config: String(config) };
  return { ...Object.fromEntries(settings), ...file };
}
