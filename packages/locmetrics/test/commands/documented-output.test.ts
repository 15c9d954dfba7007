// @module-tag slow

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_TEXT } from '../../scripts/command-text.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const TUTORIAL = join(import.meta.dirname, '../../sample/cafes/tutorial');

test('the commands of the reference print what it shows', async () => {
  await mkdir(inFolder('cafes'));
  await copyFile(join(TUTORIAL, 'places.csv'), inFolder('cafes/places.csv'));
  await copyFile(join(TUTORIAL, 'visits.csv'), inFolder('cafes/visits.csv'));
  const printed: Record<string, string> = {};
  const run = async (line: string): Promise<string> => {
    const { code, data, messages } = await runCommand(parametersOf(line), {
      directory: inFolder('cafes'),
    });
    expect([line, code, code === 0 ? '' : messages]).toEqual([line, 0, '']);
    return data;
  };
  const show = async (name: keyof typeof COMMAND_TEXT, change = (line: string) => line) => {
    printed[name] = await run(change(COMMAND_TEXT[name].line));
  };
  await show('inspect');
  await run('init places.csv visits.csv');
  await show('check');
  await show('publish');
  const places = await readFile(inFolder('cafes/places.csv'), 'utf8');
  await writeFile(inFolder('cafes/places.csv'), places.replace('Slow Kettle', 'Slower Kettle'));
  await run('publish locmetrics.yaml cafes.places');
  const second = currentOf(await run('versions cafes.places'));
  for (const name of ['versions', 'diff', 'rollback', 'verify', 'gc'] as const) await show(name);
  await show('versions withdraw', (line) => line.replace(/\S+$/, second));
  for (const name of ['org create', 'org list', 'org suspend', 'org resume'] as const) {
    await show(name);
  }
  for (const name of ['grant add', 'grant list', 'grant check', 'dataset remove'] as const) {
    await show(name);
  }
  await run('token create --org portland --name reports --expires 90d');
  const [token = ''] = /(?<="tokenId":")\w+/.exec(await run('token list --json')) ?? [];
  await show('token list');
  await show('token revoke', (line) => line.replace(/\S+$/, token));
  for (const name of ['limits set', 'limits list', 'explain', 'backup'] as const) await show(name);
  const folder = inFolder('cafes/');
  const comparable = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        withoutVaried(text.replaceAll(token, ID), folder),
      ]),
    );
  expect(comparable(printed)).toEqual(
    comparable(
      Object.fromEntries(Object.entries(COMMAND_TEXT).map(([name, { prints }]) => [name, prints])),
    ),
  );
});

/** An id of a token. Those of the reference have a digit; one that was made here may be a word. */
const ID = 'ID';

/** The parameters of a line, without the quotes of a shell. */
function parametersOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

function currentOf(versions: string): string {
  return /^cafes\.places +(\S+) +current/m.exec(versions)?.[1] ?? '';
}

/** A text without what differs from run to run: ids, times, sizes, and the widths of columns. */
function withoutVaried(text: string, folder: string): string {
  return text
    .trim()
    .replaceAll(folder, '')
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{12}/g, 'VERSION')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b(?=[a-z]*\d)[a-z0-9]{12}\b/g, ID)
    .replaceAll(/\d[\d.,]* (KiB|µs|s|a second)/g, 'N $1')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/ {2,}/g, '  ');
}
