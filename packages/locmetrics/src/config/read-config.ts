import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearestName } from '@locmetrics/core/errors/nearest-name';
import { ConfigError } from './config-error.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { quote } from './quote.ts';
import type { Parsed } from './setting-types.ts';
import {
  type Config,
  environmentNameOf,
  flagOf,
  SETTING_KEYS,
  SETTINGS,
  type Setting,
  type SettingKey,
} from './settings.ts';

/** The flags that a command was given, by the key of their setting. */
export type SettingFlags = {
  readonly [Key in SettingKey]?: string;
} & { readonly config?: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The source of a value. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

export type ReadConfig = {
  readonly config: Config;
  /** The text and the source of each setting. */
  readonly written: ReadonlyMap<SettingKey, Written>;
  /** The configuration file that was read. */
  readonly file: string | undefined;
  /** Sentences about probable mistakes. */
  readonly notices: readonly string[];
};

export type Written = { readonly text: string; readonly origin: Origin; readonly place: string };

/** The name of the configuration file in the data directory. */
const CONFIG_FILE = 'config.yaml';

const CONFIG_ENVIRONMENT = 'LOCMETRICS_CONFIG';

/**
 * The value of each setting: from its flag, the environment, the configuration file or its default, in
 * this order. Throws a `ConfigError` that lists all problems.
 *
 * The file is that of `--config` or LOCMETRICS_CONFIG; else `config.yaml` in the data directory, if it
 * exists.
 */
export function readConfig(
  flags: SettingFlags,
  environment: Environment = process.env,
): ReadConfig {
  const file = findFile(flags, environment);
  const problems: string[] = [];
  const written = new Map<SettingKey, Written>();
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of SETTING_KEYS) {
    const setting: Setting<unknown> = SETTINGS[key];
    const found = findWritten(key, { flags, environment, file });
    written.set(key, found);
    const parsed: Parsed<unknown> =
      found.text === '' ? { problem: 'is empty' } : setting.type.parse(found.text);
    if ('value' in parsed) values[key] = parsed.value;
    else problems.push(problemText(setting, found, parsed));
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'), HINT);
  return {
    // Each value is what the type of its setting parsed.
    config: values as Config,
    written,
    file: file?.path,
    notices: noticesOf(environment),
  };
}

const HINT = 'For all settings, run: locmetrics serve --help';

function findFile(flags: SettingFlags, environment: Environment): ConfigFile | undefined {
  const named = flags.config ?? environment[CONFIG_ENVIRONMENT];
  if (named === '') {
    throw new ConfigError(
      'The path of the configuration file is empty.',
      `Give a path with --config or ${CONFIG_ENVIRONMENT}, or omit it.`,
    );
  }
  if (named !== undefined) return readConfigFile(resolve(named));
  const { text } = findWritten('data', { flags, environment, file: undefined });
  const path = resolve(join(text, CONFIG_FILE));
  if (text === '' || !existsSync(path)) return undefined;
  const file = readConfigFile(path);
  if (!file.values.has('data')) return file;
  throw new ConfigError(
    `${file.placeOf('data')}: the configuration file in the data directory cannot set the data directory.`,
    'Remove data from it, or name the file with --config.',
  );
}

function findWritten(
  key: SettingKey,
  sources: {
    readonly flags: SettingFlags;
    readonly environment: Environment;
    readonly file: ConfigFile | undefined;
  },
): Written {
  const setting = SETTINGS[key];
  const flag = sources.flags[key];
  if (flag !== undefined) return { text: flag, origin: 'flag', place: flagOf(setting) };
  const name = environmentNameOf(setting);
  const variable = sources.environment[name];
  if (variable !== undefined) return { text: variable, origin: 'environment', place: name };
  const value = sources.file?.values.get(key);
  if (sources.file !== undefined && value !== undefined) {
    const place = `${sources.file.placeOf(key)}: ${setting.name}`;
    return { text: value, origin: 'file', place };
  }
  return { text: setting.defaultText, origin: 'default', place: setting.name };
}

function problemText(
  { type, isSecret }: Setting<unknown>,
  { text, place }: Written,
  { problem, part = text }: { readonly problem: string; readonly part?: string },
): string {
  const subject = text === '' ? '' : isSecret === true ? ': the value' : `: ${quote(part)}`;
  return `${place}${subject} ${problem}. Write ${type.expected}.`;
}

/** Variables for clients of the service, and for its tests. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  CONFIG_ENVIRONMENT,
  'LOCMETRICS_URL',
  'LOCMETRICS_TOKEN',
  'LOCMETRICS_ORG',
  'LOCMETRICS_CA_FILE',
  'LOCMETRICS_GRPC_ADDRESS',
  'LOCMETRICS_GRPC_PLAINTEXT_ADDRESS',
]);

/**
 * An unknown variable is reported only if it is similar to the name of a setting: orchestrators set others,
 * such as LOCMETRICS_SERVICE_HOST, for a service of this name.
 */
function noticesOf(environment: Environment): readonly string[] {
  const known = SETTING_KEYS.map((key) => environmentNameOf(SETTINGS[key]));
  return Object.keys(environment)
    .filter((name) => name.startsWith('LOCMETRICS_') && !OTHER_NAMES.has(name))
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const nearest = nearestName(name, known);
      return nearest === undefined || !isNear(name, nearest)
        ? []
        : [`${name} in the environment is not a setting. Did you mean ${nearest}?`];
    });
}

/** All names share a prefix, so only the rest of the name is compared. */
function isNear(name: string, known: string): boolean {
  const [rest, knownRest] = [name, known].map((one) => one.slice('LOCMETRICS_'.length));
  return nearestName(rest ?? '', [knownRest ?? '']) !== undefined;
}
