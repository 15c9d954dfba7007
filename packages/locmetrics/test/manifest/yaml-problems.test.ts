import { expect, test } from 'vitest';
import { useManifests } from './manifest-under-test.ts';

const { problems } = useManifests();

const SAME_COLUMN = 'Indent all keys of one level equally, and the keys below a key further.';

test.each([
  ['a:\n  b: 1\n\tc:\n  d: 2\n', '3: The line is indented with a tab. Indent with spaces.'],
  ['a:\n  b: 1\n   c: 2\n', `2: The next line is indented further than this one. ${SAME_COLUMN}`],
  [
    'a:\n    b: 1\n   c: 2\n',
    `3: This line is not indented like the keys above it. ${SAME_COLUMN}`,
  ],
  [
    'a:\n  d: Visits: people\n',
    '2: There is a second key on this line. Put a text that has a colon into quotes, or write the key on its own line.',
  ],
  [
    'a: { d: Visits: people }\n',
    '1: A text within braces or brackets has a colon, or starts with a hyphen. Put the text into quotes.',
  ],
  [
    `a:\n  e: "Name" || 'W'\n`,
    `2: There is text after the end of the value. Put the whole text into single quotes, with each single quote in it doubled: '"Name" || ''W'''. Or remove the extra text.`,
  ],
  ['a: `x`\n', '1: A text cannot begin with `. Put the text into quotes.'],
  [
    "a: 'x\nb: 1\n",
    "3: A ' above is not closed. Write the ' that closes it. Put a text that has such characters, or a #, into quotes.",
  ],
  [
    'a: { b: 1\nc: 2\n',
    '2: A { above is not closed. Write the } that closes it. Put a text that has such characters, or a #, into quotes.',
  ],
  [
    'a: [1, 2',
    '1: A [ above is not closed. Write the ] that closes it. Put a text that has such characters, or a #, into quotes.',
  ],
  ['a: 1\na: 2\n', '2: The key a is written twice. Write each key once.'],
  ['a:1\nb: 2\n', '1: This is not a key with a value. Write a colon and a space after the key.'],
  ['a: "\\d"\n', '1: \\d has no meaning within double quotes. Put the text into single quotes.'],
])('the mistake in %j is said in plain words', async (text, said) => {
  const [line, ...words] = said.split(': ');
  expect(await problems(text)).toBe(
    `/locmetrics.yaml:${line}: This is not YAML: ${words.join(': ')}`,
  );
});
