// @module-tag slow

import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { findColours } from '../../src/cli/colours.ts';
import { runCommand, runProcess } from '../commands/run-command.ts';

const TERMINAL = { isTTY: true };
const FILE = {};

test.each<[string, NodeJS.ProcessEnv]>([
  ['a terminal that knows colours', { TERM: 'xterm-256color' }],
  ['an empty NO_COLOR', { TERM: 'xterm', NO_COLOR: '' }],
])('%s has colours', (_, environment) => {
  const colours = findColours({ stdout: TERMINAL, stderr: TERMINAL }, environment);
  expect(colours).toEqual({ data: true, messages: true });
});

test.each<[string, NodeJS.ProcessEnv]>([
  ['NO_COLOR', { TERM: 'xterm', NO_COLOR: '1' }],
  ['NO_COLOR beside FORCE_COLOR', { TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }],
  ['FORCE_COLOR=0', { TERM: 'xterm', FORCE_COLOR: '0' }],
  ['a dumb terminal', { TERM: 'dumb' }],
])('with %s a terminal has no colours', (_, environment) => {
  const colours = findColours({ stdout: TERMINAL, stderr: TERMINAL }, environment);
  expect(colours).toEqual({ data: false, messages: false });
});

test('each stream is checked separately, and FORCE_COLOR gives colours to a file', () => {
  const streams = { stdout: FILE, stderr: TERMINAL };
  expect(findColours(streams, { TERM: 'xterm' })).toEqual({ data: false, messages: true });
  expect(findColours(streams, { FORCE_COLOR: '1' })).toEqual({ data: true, messages: true });
});

const ESCAPE = '\u001b[';

test('with colours the headings of a help text are bold, and without colours it has no escape sequences', async () => {
  const coloured = await runProcess(['serve', '--help'], { environment: { FORCE_COLOR: '1' } });
  const plain = await runCommand(['serve', '--help']);
  for (const heading of ['Usage:', 'Listening:', 'Examples:']) {
    expect(coloured.data).toContain(`\u001b[1m${heading}\u001b[22m`);
  }
  expect(plain.data).not.toContain(ESCAPE);
  expect(stripVTControlCharacters(coloured.data)).toBe(plain.data);
});

test.each([
  [['publsh'], "\u001b[31merror: unknown command 'publsh'\u001b[39m\n(Did you mean publish?)\n"],
  [
    ['org', 'list', '--data', ''],
    '\u001b[31m--data is empty. Write the path of a directory.\u001b[39m\n',
  ],
])('with colours the error is red and the hint is not: %j', async (given, said) => {
  const { messages } = await runProcess(given, { environment: { FORCE_COLOR: '1' } });
  expect(messages.startsWith(said)).toBe(true);
  const { messages: plain } = await runCommand(given);
  expect(plain).not.toContain(ESCAPE);
});
