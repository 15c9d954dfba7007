// @module-tag slow

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calledAs, writerAsCalled } from '../../src/cli/called-as.ts';
import { ENTRY_POINT, runProcess } from '../commands/run-command.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();
const environment = {};

test.each([
  ['/usr/local/bin/locmetrics', 'locmetrics'],
  ['/home/me/clone/node_modules/.bin/locmetrics', 'npx locmetrics'],
  ['/home/me/.npm/_npx/0123456789abcdef/node_modules/.bin/locmetrics', 'npx locmetrics'],
  [
    '/home/me/clone/packages/locmetrics/bin/locmetrics.js',
    'node packages/locmetrics/bin/locmetrics.js',
  ],
  ['/opt/other/bin/locmetrics.js', 'node /opt/other/bin/locmetrics.js'],
  [undefined, 'locmetrics'],
])('the script %s was called as %s', (script, called) => {
  expect(calledAs(script, { environment, directory: '/home/me/clone' })).toBe(called);
});

test('a package that npx was given is given again; in a folder that has the package it is not needed', () => {
  const given = { npm_config_package: './locmetrics-0.1.0.tgz' };
  const called = (script: string) =>
    calledAs(script, { environment: given, directory: '/home/me' });
  expect(called('/home/me/.npm/_npx/0123456789abcdef/node_modules/.bin/locmetrics')).toBe(
    'npx --package ./locmetrics-0.1.0.tgz locmetrics',
  );
  expect(called('/home/me/node_modules/.bin/locmetrics')).toBe('npx locmetrics');
});

test('npm start leads to npx, because its reader does not know the path of the script', () => {
  const started = { npm_lifecycle_event: 'start' };
  const script = '/home/me/clone/packages/locmetrics/bin/locmetrics.js';
  expect(calledAs(script, { environment: started, directory: '/home/me/clone' })).toBe(
    'npx locmetrics',
  );
});

test('only commands are replaced: not paths, names and command lines that have npx already', () => {
  const commands = ['token', 'serve', 'publish'];
  const text =
    'See: locmetrics token create. Or "locmetrics help COMMAND", npx locmetrics serve, /opt/locmetrics serve, locmetrics of today.';
  expect(writerAsCalled('npx locmetrics', commands)(text)).toBe(
    'See: npx locmetrics token create. Or "npx locmetrics help COMMAND", npx locmetrics serve, /opt/locmetrics serve, locmetrics of today.',
  );
  expect(writerAsCalled('locmetrics', commands)(text)).toBe(text);
});

/** Runs the real command by a link, as npm and an installation make it. */
async function runByLink(link: string, ...parameters: readonly string[]) {
  await mkdir(join(link, '..'), { recursive: true });
  await symlink(ENTRY_POINT, link);
  const ran = await runProcess(parameters, {
    nodeParameters: [link],
    environment: { npm_lifecycle_event: '' },
  });
  return { ...ran, all: `${ran.data}${ran.messages}` };
}

test('hints, help and mistakes of the real command are written as it was called', async () => {
  const npx = inFolder('clone/node_modules/.bin/locmetrics');
  const mistyped = await runByLink(npx, 'publsh');
  expect(mistyped.messages).toContain('See: npx locmetrics --help');
  const global = inFolder('usr/bin/locmetrics');
  const missing = await runByLink(global, 'versions', '--data', inFolder('missing'));
  expect(missing.messages).toContain('create it: locmetrics publish and locmetrics org create do.');
  const help = await runProcess(['org', 'create', '--help'], {
    nodeParameters: [npx],
    environment: {},
  });
  expect(help.data).toContain('Usage: npx locmetrics org create');
  expect(help.data).toContain('  npx locmetrics org create "City of Portland"');
  expect(help.data).not.toMatch(/(?<!npx )(?<![\w-])locmetrics [a-z]/);
  const direct = await runProcess(['versions', '--data', inFolder('missing')], {
    nodeParameters: [ENTRY_POINT],
  });
  expect(direct.messages).toMatch(/create it: node \S+locmetrics\.js publish and node /);
});
