import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/create-program.ts';
import { readParameters } from '../../src/cli/read-parameters.ts';
import { COMMANDS } from '../../src/commands/all.ts';
import { findConflicts } from '../../src/config/check-config.ts';
import { readConfig, type SettingFlags } from '../../src/config/read-config.ts';
import { environmentNameOf, SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { listDeployFiles, readRepositoryFile } from './deploy-files.ts';
import {
  type Block,
  blocksOf,
  callsOf,
  deployedEnvironments,
  listPages,
} from './shipped-settings.ts';

const settings = new Set(SETTING_KEYS.map((key) => environmentNameOf(SETTINGS[key])));
/** A variable in a file of settings: `NAME: value`, `NAME=value` or in `process.env`. */
const VARIABLE = /\bLOCMETRICS_[A-Z_]+\b/g;

let folder = '';
beforeAll(() => {
  folder = temporaryFolder();
});

test('every variable in deploy/ is a setting', () => {
  const files = listDeployFiles();
  expect(files.length).toBeGreaterThan(10);
  const used = files.flatMap((file) =>
    [...readRepositoryFile(file).matchAll(VARIABLE)].map(([name]) => ({ file, name })),
  );
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter(({ name }) => !settings.has(name))).toStrictEqual([]);
});

test('a service accepts the settings of each file in deploy/', () => {
  const environments = deployedEnvironments();
  expect([...environments.keys()]).toHaveLength(8);
  for (const [name, environment] of environments) {
    const { config, notices } = readConfig({}, environment);
    expect({ name, notices, conflicts: findConflicts(config) }).toEqual({
      name,
      notices: [],
      conflicts: [],
    });
  }
  expect(
    readConfig({}, environments.get('node-2 of deploy/docker/compose.two-nodes.yaml')).config,
  ).toHaveProperty('control', expect.stringContaining('postgres://'));
});

describe.for(listPages())('%s', (page) => {
  const blocks = blocksOf(page);

  test('its commands have flags and values that the command line accepts', async () => {
    for (const block of blocks.filter(isShell)) {
      for (const parameters of callsOf(block)) {
        const place = `${page}:${block.line}: locmetrics ${parameters.join(' ')}`;
        expect(await problemOf(parameters), place).toBeUndefined();
      }
    }
  });

  test('its settings are accepted', () => {
    for (const block of blocks) {
      const place = `${page}:${block.line}`;
      expect(problemOfVariables(block), place).toBeUndefined();
      expect(problemOfFile(block), place).toBeUndefined();
    }
  });
});

test('the pages have as many commands, variables and files as the tests above think', () => {
  const blocks = listPages().flatMap(blocksOf);
  expect(blocks.filter(isShell).flatMap(callsOf).length).toBeGreaterThan(150);
  expect(blocks.flatMap(variablesOf).length).toBeGreaterThan(5);
  expect(blocks.filter(isSettingsFile).length).toBeGreaterThan(0);
});

test('no file in deploy/ has a password', () => {
  const values = listDeployFiles().flatMap((file) =>
    [...readRepositoryFile(file).matchAll(/^\s*#?\s*\w*PASSWORD\s*[:=][ \t]*(.*)$/gm)].map(
      ([, value = '']) => value,
    ),
  );
  expect(values.length).toBeGreaterThan(5);
  expect(values.filter((value) => value !== '' && !value.startsWith('${'))).toStrictEqual([]);
});

/** Synopses such as `locmetrics serve [options]` have no language either, and words in brackets. */
function isShell({ language, text }: Block): boolean {
  return (
    ['', 'sh', 'bash', 'console'].includes(language) && !/\[options\]|^\s*locmetrics \[/m.test(text)
  );
}

/** The refusal of a call by the command line or the settings; the command itself does not run. */
async function problemOf(parameters: readonly string[]): Promise<string | undefined> {
  let refusal = '';
  const run = async (given: { readonly settings: SettingFlags }): Promise<void> => {
    const withoutVariables = Object.entries(given.settings).filter(
      ([key, value]) => key !== 'config' && !String(value).includes('$'),
    );
    const { config } = readConfig(Object.fromEntries(withoutVariables), {
      LOCMETRICS_DATA: folder,
    });
    if (parameters[0] === 'serve')
      refusal = findConflicts(config)
        .map(({ message }) => message)
        .join();
  };
  const program = await createProgram({
    commands: COMMANDS,
    parameters,
    run: (_command, given) => run(given),
    version: '0',
    output: { data: () => {}, messages: (text) => (refusal += text) },
    colours: { data: false, messages: false },
  });
  try {
    await program.parseAsync([...readParameters(program, parameters)], { from: 'user' });
  } catch (error) {
    if (error instanceof Error && 'exitCode' in error && error.exitCode === 0) return undefined;
    return refusal || String(error);
  }
  return refusal || undefined;
}

type Variable = { readonly name: string; readonly value: string };

function variablesOf({ text }: Block): readonly Variable[] {
  return [...text.matchAll(/\b(LOCMETRICS_[A-Z_]+)=(\S*)/g)].flatMap(([, name = '', value = '']) =>
    settings.has(name) ? [{ name, value: value.replaceAll(/["']/g, '') }] : [],
  );
}

/** A value that a shell computes is not known here. */
function problemOfVariables(block: Block): string | undefined {
  const known = variablesOf(block).filter(({ value }) => !/[$…]/.test(value));
  const environment = Object.fromEntries(known.map(({ name, value }) => [name, value]));
  return refusalOf(() => {
    const { config } = readConfig({}, { LOCMETRICS_DATA: folder, ...environment });
    if (block.text.includes('docker run')) expect(findConflicts(config)).toEqual([]);
  });
}

const NAMES = SETTING_KEYS.map((key) => SETTINGS[key].name).join('|');

/** A file of settings: `query-timeout: 10s`, and nothing else than settings. */
function isSettingsFile({ language, text }: Block): boolean {
  return language === 'yaml' && new RegExp(`^(#.*\\n|(${NAMES}): .*\\n)+$`).test(text);
}

function problemOfFile(block: Block): string | undefined {
  if (!isSettingsFile(block)) return undefined;
  const file = join(folder, 'settings.yaml');
  writeFileSync(file, block.text.replaceAll(/^.*…\n/gm, ''));
  return refusalOf(() => readConfig({ config: file }, {}));
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
