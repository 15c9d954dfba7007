import { readFileSync } from 'node:fs';
import { isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import { nameHint } from '../domain/nearest-name.ts';
import { ConfigError } from './config-error.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

/** The settings that stand in a configuration file, as text. */
export type ConfigFile = {
  readonly path: string;
  readonly values: ReadonlyMap<SettingKey, string>;
  /** `path:line` of a setting. */
  readonly placeOf: (key: SettingKey) => string;
};

const EXAMPLE = 'Write one setting a line, for example `query-timeout: 10s`.';

/** Reads a configuration file: YAML with the name of a setting and its value on each line. */
export function readConfigFile(path: string): ConfigFile {
  const lineCounter = new LineCounter();
  const yaml = parseDocument(readText(path), { lineCounter, prettyErrors: false });
  const placeAt = (offset: number): string => `${path}:${lineCounter.linePos(offset).line}`;
  const [error] = yaml.errors;
  if (error !== undefined) {
    throw new ConfigError(`${placeAt(error.pos[0])}: this is not YAML: ${error.message}`, EXAMPLE);
  }
  if (yaml.contents === null) return { path, values: new Map(), placeOf: () => path };
  if (!isMap(yaml.contents)) {
    throw new ConfigError(`${path} is not a list of settings with their values.`, EXAMPLE);
  }
  const values = new Map<SettingKey, string>();
  const places = new Map<SettingKey, string>();
  const problems: string[] = [];
  for (const pair of yaml.contents.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    const place = placeAt(isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
    const key = KEYS.get(name);
    const text = textOf(pair);
    if (key === undefined) {
      problems.push(`${place}: there is no setting '${name}'. ${nameHint(name, [...KEYS.keys()])}`);
    } else if (text === undefined) {
      problems.push(`${place}: ${name} is not a value or a list of values.`);
    } else {
      values.set(key, text);
      places.set(key, place);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'), EXAMPLE);
  return { path, values, placeOf: (key) => places.get(key) ?? path };
}

const KEYS: ReadonlyMap<string, SettingKey> = new Map(
  SETTING_KEYS.map((key) => [SETTINGS[key].name, key]),
);

/** The value as a flag would have it; a list is the same as its values separated by commas. */
function textOf({ value }: Pair): string | undefined {
  if (value === null) return '';
  const plain: unknown = isNode(value) ? value.toJSON() : undefined;
  if (plain === null) return '';
  if (!Array.isArray(plain)) return scalarText(plain);
  const texts = plain.map(scalarText);
  return texts.includes(undefined) ? undefined : texts.join(',') || 'none';
}

function scalarText(value: unknown): string | undefined {
  const isScalarValue =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalarValue ? String(value) : undefined;
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new ConfigError(
      isMissing
        ? `There is no configuration file ${path}.`
        : `The configuration file ${path} cannot be read: ${error instanceof Error ? error.message : error}.`,
      'Name a file in UTF-8 that the service may read, or leave --config out.',
    );
  }
}
