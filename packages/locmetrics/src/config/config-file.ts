import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { nearestName } from '@locmetrics/core/errors/nearest-name';
import { findDeepNesting } from '@locmetrics/core/errors/nested-too-deep';
import type { Document } from 'yaml';
import { ConfigError } from './config-error.ts';
import { quote } from './quote.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

/** The settings of a configuration file, as text. */
export type ConfigFile = {
  readonly path: string;
  readonly values: ReadonlyMap<SettingKey, string>;
  /** `path:line` of a setting. */
  readonly placeOf: (key: SettingKey) => string;
};

const EXAMPLE = 'Write one setting per line, for example `query-timeout: 10s`.';

/** Reads a configuration file: YAML with the name of a setting and its value on each line. */
export function readConfigFile(path: string): ConfigFile {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = loadYaml();
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  // Without YAML types each value is the text as written, and the type of its setting parses it. A
  // duplicate name is reported below, with both lines.
  const text = readText(path);
  if (findDeepNesting(text) !== undefined) {
    throw new ConfigError(`${path} is nested too deeply for a list of settings.`, EXAMPLE);
  }
  const document = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
  });
  const [error] = document.errors;
  if (error !== undefined) {
    // After a colon comes a piece of the file, which can be part of a secret; after a semicolon, advice
    // for programmers.
    const [reason] = error.message.split(/[:;]/);
    throw new ConfigError(`${path}:${lineAt(error.pos[0])}: not valid YAML: ${reason}.`, EXAMPLE);
  }
  if (scalarText(document.contents) === '') return { path, values: new Map(), placeOf: () => path };
  if (!isMap(document.contents)) {
    throw new ConfigError(`${path} is not a list of settings and values.`, EXAMPLE);
  }
  const values = new Map<SettingKey, string>();
  const lines = new Map<SettingKey, number>();
  const problems: string[] = [];
  let isStrange = false;
  for (const pair of document.contents.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    const line = lineAt(isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
    const key = KEYS.get(name);
    const text = textOf(pair.value, document);
    const lineBefore = key === undefined ? undefined : lines.get(key);
    if (key === undefined) {
      const nearest = nearestName(name, [...KEYS.keys()]);
      const meant = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
      problems.push(`${path}:${line}: unknown setting ${quote(name)}.${meant}`);
      isStrange ||= nearest === undefined;
    } else if (lineBefore !== undefined) {
      problems.push(`${path}:${line}: ${name} is already given in line ${lineBefore}.`);
    } else if (text === undefined) {
      problems.push(`${path}:${line}: ${name} is neither a value nor a list of values.`);
    } else {
      values.set(key, text);
      lines.set(key, line);
    }
  }
  if (problems.length > 0) {
    throw new ConfigError(shortList(problems), isStrange ? `${EXAMPLE}\n${KNOWN}` : EXAMPLE);
  }
  return { path, values, placeOf: (key) => `${path}:${lines.get(key)}` };
}

const require = createRequire(import.meta.url);

/** With the first file: most processes read none, and loading it takes 20 ms. */
function loadYaml(): typeof import('yaml') {
  return require('yaml');
}

const KEYS: ReadonlyMap<string, SettingKey> = new Map(
  SETTING_KEYS.map((key) => [SETTINGS[key].name, key]),
);

const KNOWN = `The settings are ${[...KEYS.keys()].join(', ')}.`;

/** A file of another kind must not fill the terminal with problems. */
const PROBLEMS_SHOWN_MAX = 5;

function shortList(problems: readonly string[]): string {
  if (problems.length <= PROBLEMS_SHOWN_MAX) return problems.join('\n');
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX);
  return [...shown, `The file has ${problems.length} problems; these are the first.`].join('\n');
}

/** The value in the form of a flag; a list becomes its values separated by commas. */
function textOf(value: unknown, document: Document): string | undefined {
  const { isAlias, isSeq } = loadYaml();
  const node = isAlias(value) ? value.resolve(document) : value;
  if (!isSeq(node)) return scalarText(node);
  const texts = node.items.map(scalarText);
  return texts.includes(undefined) ? undefined : texts.join(',') || 'none';
}

function scalarText(node: unknown): string | undefined {
  if (node === null) return '';
  return loadYaml().isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

const FILE_MAX_BYTES = 2 ** 20;

function readText(path: string): string {
  const unreadable = (reason: string): ConfigError =>
    new ConfigError(
      `The configuration file ${path} cannot be read: ${reason}.`,
      'Name a readable file in UTF-8, or omit --config.',
    );
  try {
    const { size } = statSync(path);
    if (size > FILE_MAX_BYTES) throw unreadable('it is larger than 1MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof ConfigError || !(error instanceof Error)) throw error;
    throw unreadable(READ_PROBLEMS.get('code' in error ? error.code : '') ?? error.message);
  }
}

const READ_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'permission denied'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'it is not UTF-8'],
]);
