import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../../src/cli/ask-on-terminal.ts';

/** Answers the question on a simulated terminal. Returns the decision and the question. */
async function answer(text: string | undefined): Promise<readonly unknown[]> {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  let asked = '';
  const output = {
    isTerminal: true,
    messages: (message: string) => {
      asked += message;
    },
  };
  const decided = confirm('Go on?', { input, output });
  if (text === undefined) input.end();
  else input.write(text);
  return [await decided, asked];
}

test.each(['y\n', 'Y\n', 'yes\n', ' yes \n'])('%j is a yes', async (text) => {
  expect(await answer(text)).toEqual([true, 'Go on? [y/N] ']);
});

test.each(['\n', 'n\n', 'no\n', 'yess\n', undefined])('%j is not a yes', async (text) => {
  expect((await answer(text))[0]).toBe(false);
});

test.each([
  [false, true],
  [true, false],
])('there is no question if input or output is not a terminal', async (isTTY, isTerminal) => {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = { isTerminal, messages: () => {} };
  await expect(confirm('Go on?', { input, output })).rejects.toMatchObject({
    name: 'ConfigError',
    hint: 'Check with --dry-run, then run with --yes.',
  });
});
