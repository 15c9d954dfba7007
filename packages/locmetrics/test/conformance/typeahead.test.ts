import type { SearchRule } from '@locmetrics/core/domain/search-text';
import { foldForSearch } from '@locmetrics/core/text/search-fold';
import { foldText } from '@locmetrics/core/text/text-fold';
import { compareUtf8 } from '@locmetrics/core/text/text-order';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import { ENGINES, rowEngineWith } from './engines/engines.ts';
import { openService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { defineTable, type Table } from './table.ts';

/** Few letters, so that terms are in many names: two cases, two code units, a mark, a letter that folds to two, the mark of a begin. */
const LETTERS = ['a', 'B', 'b', 'É', 'é', '\u0301', 'æ', '\u{10400}', '\u{10428}', '\u0001', ' '];
const text = (lengths: { readonly minLength: number; readonly maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...LETTERS), ...lengths });
/** The row store compares all of few names, and has lists of the letters of more. */
const few = fc.array(text({ minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 80 });
const many = fc.array(text({ minLength: 2, maxLength: 9 }), { minLength: 250, maxLength: 300 });
const randomNames = fc.oneof(few, many);
/** A version of an earlier release is searched by the first rule. */
const randomRules = fc.constantFrom<SearchRule[]>(1, 2, 2);
const randomTerms = fc.array(
  fc.record({
    term: text({ minLength: 0, maxLength: 5 }),
    pagesMax: fc.constantFrom(1, 5, 20),
    descending: fc.boolean(),
  }),
  { minLength: 5, maxLength: 10 },
);

describeOn(ENGINES)('distinct values of a searchable field, $name engine', (engine) => {
  test('those that equal a term come first, then those that start with it, then those that contain it, each once', async () => {
    const seed = announceSeed('typeahead');
    let values = 0;
    const property = fc.asyncProperty(
      randomNames,
      randomTerms,
      randomRules,
      async (names, questions, rule) => {
        const service = await openService(engine, [tableOf(names, rule)]);
        try {
          for (const { term, pagesMax, descending } of questions) {
            const pageSize = Math.ceil(names.length / pagesMax);
            const orderBy = { fieldName: 'name', descending };
            const found = await service.values('name', { term, pageSize, orderBy });
            expect(found).toEqual(expectedValues(names, term, descending, rule));
            values += found.length;
          }
        } finally {
          await service.close();
        }
      },
    );
    await fc.assert(property, { seed, numRuns: 8, endOnFailure: true });
    expect(values).toBeGreaterThan(20);
  });
});

describe.each([1, 2] as const)('by search rule %d', (rule) => {
  test.each([
    ['values that start with two letters', 'ka', 4, false],
    ['the same in descending order', 'KA', 4, true],
    ['values that start with one letter, in all its cases', 'k', 4, false],
    ['values that contain three letters', 'o35', 20, false],
    ['values that contain three letters, one of them at its end', '9 Z', 4, true],
    ['values that contain four letters or more', 'bO351', 4, false],
    ['values that contain no such letters', 'kab', 4, false],
  ])('the row store finds %s', async (_, term, pageSize, descending) => {
    let left = 0;
    const engine = rowEngineWith({
      onLeft: () => {
        left += 1;
      },
    });
    const names = [...numberedNames(), 'No9 z'];
    const service = await openService(engine, [tableOf(names, rule)]);
    try {
      const orderBy = { fieldName: 'name', descending };
      const { values } = await service.searchFieldValues({
        field: 'name',
        term,
        pageSize,
        orderBy,
      });
      expect(values).toEqual(expectedValues(names, term, descending, rule).slice(0, pageSize));
      expect(left).toBe(0);
    } finally {
      await service.close();
    }
  });
});

/** A thousand names in two spellings each. */
function numberedNames(): readonly string[] {
  return Array.from({ length: 1000 }, (_, number) => [
    `${number % 3 === 1 ? 'K' : 'k'}a${number} `,
    `${number % 3 === 1 ? 'b' : 'B'}o${number}`,
  ]).flat();
}

function tableOf(names: readonly string[], searchRule: SearchRule): Table {
  return defineTable({
    searchRule,
    name: 'conformance.names',
    fields: { id: 'integer', name: { type: 'string', searchable: true } },
    rows: names.map((name, index) => ({ id: BigInt(index), name })),
  });
}

function expectedValues(
  names: readonly string[],
  term: string,
  descending: boolean,
  rule: SearchRule,
): readonly string[] {
  const fold = rule === 1 ? foldText : foldForSearch;
  const folded = fold(term);
  const found = [...new Set(names)]
    .filter((name) => name.trim() !== '' && fold(name).includes(folded))
    .sort((left, right) => compareUtf8(left, right) * (descending ? -1 : 1));
  if (folded === '') return found;
  const rank = (name: string) => {
    if (rule === 2 && name === term) return 0;
    if (rule === 2 && fold(name) === folded) return 1;
    return fold(name).startsWith(folded) ? 2 : 3;
  };
  return [0, 1, 2, 3].flatMap((wanted) => found.filter((name) => rank(name) === wanted));
}
