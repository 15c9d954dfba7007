import { parseFilterLogic } from '@locmetrics/core/plan/parse-filter-logic';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomLogic, writeLogic } from '../conformance/random/random-logic.ts';
import { refusalOf } from '../conformance/refusal.ts';
import { announceSeed } from '../support/test-seed.ts';

const filter = (index: number) => ({ kind: 'filter', index });

test('NOT binds closest, then AND, then OR', () => {
  expect(parseFilterLogic('$0 or not $1 and $2', 3)).toEqual({
    kind: 'any',
    parts: [filter(0), { kind: 'all', parts: [{ kind: 'not', part: filter(1) }, filter(2)] }],
  });
  expect(parseFilterLogic('NOT($0 OR $1)AND$2', 3)).toBeDefined();
});

test('a written expression is parsed as it was', () => {
  const parsed = fc.property(randomLogic(4), (logic) => {
    const text = writeLogic(logic);
    const parsed = parseFilterLogic(text, 4);
    expect(parseFilterLogic(writeLogic(parsed), 4)).toEqual(parsed);
  });
  fc.assert(parsed, { seed: announceSeed('written filter logic') });
});

test('no text is a fault', () => {
  const word = fc.constantFrom('$0', '$1', 'AND', 'or', 'Not', '(', ')', ' ', '$', '$9', 'x', '😀');
  const texts = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
  const answered = fc.asyncProperty(fc.oneof(texts, fc.string()), async (text) => {
    const parsing = Promise.resolve().then(() => parseFilterLogic(text, 2));
    await parsing.catch(async () => expect(await refusalOf(parsing)).toContain('at /filterLogic'));
  });
  return fc.assert(answered, { seed: announceSeed('texts of filter logic'), numRuns: 500 });
});

test('another text is refused with the position', async () => {
  const refused = [
    '',
    '$0 AND',
    '$0 $1',
    '$0 ADND $1',
    '$0 AND AND $1',
    '($0 AND $1',
    '($0 AND $1 $0)',
    '$0 AND $1)',
    '()',
    '$0 && $1',
    '0 AND 1',
    '$0 AND $2',
    '$0',
    '$0 AND $-1',
    `$0 AND ${'😀'.repeat(200)}`,
    Array.from({ length: 101 }, () => '$0').join(' OR '),
    `${'('.repeat(101)}$0${')'.repeat(101)} AND $1`,
    `${'NOT '.repeat(101)}$0 AND $1`,
    `$0 AND $1${' '.repeat(10_000)}`,
  ].map(async (text) => {
    const refusal = await refusalOf(Promise.resolve().then(() => parseFilterLogic(text, 2)));
    return [[...text].slice(0, 20).join(''), ...refusal.split('\n').slice(1)].join(' | ');
  });
  expect(await Promise.all(refused)).toMatchInlineSnapshot(`
    [
      " | filterLogic ends at position 1, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "$0 AND | filterLogic ends at position 7, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "$0 $1 | filterLogic has '$1' at position 4, where AND or OR is expected. | For example: $0 AND ($1 OR $2).",
      "$0 ADND $1 | filterLogic has 'ADND' at position 4, where AND or OR is expected. | Did you mean 'AND'?",
      "$0 AND AND $1 | filterLogic has 'AND' at position 8, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "($0 AND $1 | The parenthesis at position 1 of filterLogic is not closed. | Close it.",
      "($0 AND $1 $0) | filterLogic has '$0' at position 12, where AND, OR or a closing parenthesis is expected. | For example: $0 AND ($1 OR $2).",
      "$0 AND $1) | The parenthesis at position 10 of filterLogic has no opening parenthesis. | Leave it out, or open it before.",
      "() | filterLogic has ')' at position 2, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "$0 && $1 | filterLogic has '&&' at position 4, where AND or OR is expected. | For example: $0 AND ($1 OR $2).",
      "0 AND 1 | filterLogic has '0' at position 1, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "$0 AND $2 | filterLogic names $2 at position 8, but there is no such filter. | The request has the filters $0 to $1.",
      "$0 | filterLogic does not use the filter $1. | Use it, or leave it out of the filters.",
      "$0 AND $-1 | filterLogic has '$-1' at position 8, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "$0 AND 😀😀😀😀😀😀😀😀😀😀😀😀😀 | filterLogic has '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀' at position 8, where a filter such as $0, NOT or ( is expected. | For example: $0 AND ($1 OR $2).",
      "$0 OR $0 OR $0 OR $0 | filterLogic has more than 100 terms. | Use each filter only once where you can.",
      "(((((((((((((((((((( | filterLogic is nested deeper than 100 levels at position 101. | Leave out parentheses and NOTs that change nothing.",
      "NOT NOT NOT NOT NOT  | filterLogic is nested deeper than 100 levels at position 401. | Leave out parentheses and NOTs that change nothing.",
      "$0 AND $1            | filterLogic has 10009 characters. | Write at most 10000.",
    ]
  `);
});

test('a request with no or one filter says so', async () => {
  const refusal = (count: number) =>
    refusalOf(Promise.resolve().then(() => parseFilterLogic('$1', count)));
  expect(await refusal(0)).toContain('The request has no filters: leave filterLogic out.');
  expect(await refusal(1)).toContain('The request has one filter: $0.');
});
