import { expect, test } from 'vitest';
import { environmentNameOf, SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';
import { listDeployFiles, readRepositoryFile } from './deploy-files.ts';

const settings = new Set(SETTING_KEYS.map((key) => environmentNameOf(SETTINGS[key])));
/** A variable in a file of settings: `NAME: value`, `NAME=value` or in `process.env`. */
const VARIABLE = /\bLOCMETRICS_[A-Z_]+\b/g;

test('every variable in deploy/ is a setting', () => {
  const files = listDeployFiles();
  expect(files.length).toBeGreaterThan(10);
  const used = files.flatMap((file) =>
    [...readRepositoryFile(file).matchAll(VARIABLE)].map(([name]) => ({ file, name })),
  );
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter(({ name }) => !settings.has(name))).toStrictEqual([]);
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
